"""The table in a terminal, full screen or line by line.

`table` draws any game, tells its events and lists what can be chosen; a game may bring a table that extends it. `modes`
says what keys do, `session` connects a player to a room, and `app` is the full-screen table. Nothing here knows rules:
what is possible comes from the menu.
"""
