"""The blackjack simulator's kernels and what they run on.

`inputs` writes rules and plans as numbers. `rounds` and `shoes` play whole shoes by every rule. `lockstep` plays many
rounds with fresh shoes at once, from the table of `first_cards`. `tally` adds up. `blocks` is what callers use.
"""
