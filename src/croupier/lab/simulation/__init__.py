"""The blackjack simulator's kernels and what they run on.

`program` writes rules and plans down as numbers; `rounds` plays whole shoes by every rule; `lockstep` plays many rounds
with fresh shoes at once, from `start`'s table of first cards; `tally` adds up; `blocks` is the door. Numba notices a
change in a kernel's own file only: after an edit here, delete the `__pycache__` folder.
"""
