"""Where tables, wallets and people are kept. `port` says what a store promises; each other file keeps one such promise.

A store knows nothing of games: records, answers and secrets are bytes to it, chips are ledger entries.
"""
