"""The other end of the connection: a Python client that reconnects, resumes, cuts every deal and checks every card."""
