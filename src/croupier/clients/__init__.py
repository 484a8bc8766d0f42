"""The Python client: it reconnects and resumes by itself, cuts every deal and checks every card."""
