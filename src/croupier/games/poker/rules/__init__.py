"""The rules: options, actions, events, state, view. Pure; `rules.py` is the door."""
