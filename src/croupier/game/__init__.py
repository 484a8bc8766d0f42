"""What a game is: rules, actions, events, views, and the registry that finds the games there are.

Pure values: no clock, no chance, no input or output. The games themselves stand in `croupier.games`, one folder each.
"""
