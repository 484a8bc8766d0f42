"""The rules: options, actions, events, state, view. Pure; Start at `rules.py`."""
