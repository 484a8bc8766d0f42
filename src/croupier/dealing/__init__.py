"""Shuffles that can be proved, as pure functions of seeds: two schemes, `shuffle-1` and `cut-1`.

Where seeds come from and who is told what belongs to the layers above.
"""
