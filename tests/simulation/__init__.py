"""One seed, one history: the real table, rooms, lobby, store port and clients in one process, on a clock of our own.

`python -m tests.simulation SEED --trace` plays one seed and prints what happened; see `docs/guides/simulation.md`.
"""
