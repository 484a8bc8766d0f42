"""The files that operators are given, with the real programs that read them."""
