"""Poker hand histories in the PHH format (`.phh`, `.phhs`), no-limit Texas Hold'em: text to values and back.

`reading` finds the hands of a file, `notation` reads their fields and actions, `replay` plays them through the engine,
`writing` turns the events that somebody heard into a file. Pure: who opens files is elsewhere. This is the one place of
the table that knows a particular game, because the format does.
"""

from croupier.games.poker.histories.phh.notation import Entry, PhhHand
from croupier.games.poker.histories.phh.reading import HAND_CHARACTERS_MAX, read
from croupier.games.poker.histories.phh.replay import Fault, Outcome, replay
from croupier.games.poker.histories.phh.writing import write

__all__ = ["HAND_CHARACTERS_MAX", "Entry", "Fault", "Outcome", "PhhHand", "read", "replay", "write"]
