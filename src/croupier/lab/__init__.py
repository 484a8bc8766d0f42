"""The lab: evaluation, equity, simulation, exact solutions, plots, on numba kernels that are tested against the rules.

Nothing here is needed to play, and no layer below imports it.
"""
