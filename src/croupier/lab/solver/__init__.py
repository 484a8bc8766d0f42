"""The parts of the exact blackjack solver; `croupier.lab.solve` is the door."""
