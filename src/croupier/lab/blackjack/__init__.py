"""Blackjack: exact solutions, simulations, card counting, evolution and training."""
