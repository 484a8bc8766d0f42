"""The games, as pure values: no clock, no chance, no input or output. One folder a game, one line in `registry`.

Here belongs what decides whether an action is legal and what follows from it. Who sits where, who is connected, how
cards are shuffled and how a table is drawn belong elsewhere.
"""
