"""The exact blackjack solver's kernels and arrays. Callers use `croupier.lab.blackjack.solve`."""
