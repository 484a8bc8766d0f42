"""No-limit Texas Hold'em for two to ten seats, cash and tournament: one hand is one round.

Here belong the rules of the table and the plain evaluator. Fast evaluation in bulk and equity belong to the lab.
"""
