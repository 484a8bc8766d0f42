"""Blackjack at the casino: one player, the house, a wallet. Pure values; `server/casino.py` serves them."""
