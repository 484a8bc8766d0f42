"""The confidence level of every interval that the lab reports."""

from statistics import NormalDist
from typing import Final

CONFIDENCE: Final = 0.95
SIGMAS: Final = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
"""How many standard deviations to either side of the mean contain that share of a normal distribution."""
