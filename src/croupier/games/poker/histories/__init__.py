"""Hand histories: formats in which other programs keep hands of poker."""
