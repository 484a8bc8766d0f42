"""What happened, in sentences: one teller a game, and a plain one for any other game."""

from collections.abc import Callable
from typing import Final, Protocol

import msgspec

from croupier.clients.snapshot import Moment
from croupier.clients.terminal.words import Words
from croupier.games.blackjack.terminal.story import BlackjackStory
from croupier.games.poker.terminal.story import HoldemStory
from croupier.games.sequence.terminal.story import SequenceStory


class Story(Protocol):
    """Follows one room from moment to moment."""

    def tell(self, moment: Moment) -> list[str]:
        """What happened since the last moment, a sentence a line."""

    def situation(self, moment: Moment) -> list[str]:
        """What a person must know who is to decide now."""

    def standing(self, moment: Moment) -> list[tuple[str, ...]]:
        """The ranking so far or at the end, a heading first; empty before the first round."""


class AnyStory:
    """A game that has no teller of its own: its events by name."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def tell(self, moment: Moment) -> list[str]:
        return [msgspec.json.encode(event).decode() for event in moment.events]

    def situation(self, moment: Moment) -> list[str]:
        return [msgspec.json.encode(moment.view).decode()]

    def standing(self, moment: Moment) -> list[tuple[str, ...]]:
        return []


_TELLERS: Final[dict[str, Callable[[Words], Story]]] = {
    "blackjack": BlackjackStory,
    "holdem": HoldemStory,
    "sequence": SequenceStory,
}


def story_of(game: str, words: Words) -> Story:
    return _TELLERS.get(game, AnyStory)(words)


def told(story: Story, moment: Moment) -> list[str]:
    """What happened up to a moment, also in those that nobody looked at."""
    return [line for each in (*moment.earlier, moment) for line in story.tell(each)]
