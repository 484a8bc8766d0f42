"""The lab: numba kernels on plain arrays, proved equal to the plain rules, and what is built on them.

Evaluation, equity, simulation, exact solutions, plots. Nothing here is needed to play, and nothing below imports it.
"""
