"""Shuffles that can be proved, as pure functions of seeds: two schemes, `shuffle-1` and `cut-1`.

`docs/fairness.md` says byte by byte what is computed here, and `vectors.json` holds examples of it all for
implementations in other languages. Where seeds come from and who is told what belongs to the layers above.
"""
