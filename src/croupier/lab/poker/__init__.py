"""Poker hand ranks, ranges and equities at native speed."""
