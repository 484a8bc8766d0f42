"""Provable shuffles as pure functions of seeds: `shuffle-1`, `cut-2` and its predecessor `cut-1`.

`docs/fairness.md` defines every byte that is computed here. `vectors.json` has examples of all of it, for
implementations in other languages. The layers above make the seeds and decide who is told what.
"""
