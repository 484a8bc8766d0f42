"""Batch engines: thousands of tables stepped at once, on plain arrays, in compiled loops.

`holdem`, `blackjack` and `sequence` each play the rules of `croupier.games` exactly; the tests hold every step to the
plain rules. An engine has five methods: `reset`, `legal`, `step`, `observe`, `payoffs`. None of them does Python work
for a single table.
"""
