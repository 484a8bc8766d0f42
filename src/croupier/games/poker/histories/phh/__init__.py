"""Poker hand histories in the PHH format (`.phh`, `.phhs`), no-limit Texas Hold'em: text to values and back.

`reader` finds the hands of a file, `notation` reads their fields and actions, `replay` plays them through the engine,
`writer` turns the events that somebody heard into a file. Pure: files are opened elsewhere.
"""

from croupier.games.poker.histories.phh.notation import Entry, PhhHand
from croupier.games.poker.histories.phh.reader import HAND_CHARACTERS_MAX, read
from croupier.games.poker.histories.phh.replay import Fault, Outcome, replay
from croupier.games.poker.histories.phh.writer import rewrite, write

__all__ = ["HAND_CHARACTERS_MAX", "Entry", "Fault", "Outcome", "PhhHand", "read", "replay", "rewrite", "write"]
