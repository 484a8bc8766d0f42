"""The table in a terminal: what a room's states look like and say, and which keys do what.

`story` tells what happened in sentences and `choices` names what can be done; the line mode uses both. `scene` draws,
and `app` is the full-screen table. Nothing here knows the rules: what is possible comes from the menu.
"""
