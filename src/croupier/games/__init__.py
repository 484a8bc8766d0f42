"""The games, one folder each. Nothing above imports them by name: they are found through entry points."""
