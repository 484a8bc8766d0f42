"""The game in the terminal: how its table is drawn and its events are told."""
