"""Open Hand History: hands as JSON objects, which trackers and sites exchange. Text to values and back."""

from croupier.games.poker.histories.ohh.reader import read
from croupier.games.poker.histories.ohh.writer import write

__all__ = ["read", "write"]
