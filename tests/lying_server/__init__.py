"""Servers that lie: the real one, with a hostile part in the place of an honest one.

Each attack is shown twice: caught by the client as it is, and unseen by a client without the one check that is meant
for it.
"""
