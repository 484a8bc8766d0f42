"""What a player can do at Sequence. The tags are the protocol's message types. `cell_id` is, whatever it is called on
the wire, the cell where a chip is put or taken away."""

from collections.abc import Callable
from typing import Final, TypeAlias

from croupier.game.game import Action
from croupier.games.sequence.rules.cards import CardId


class PlayNormal(Action, frozen=True, tag="TURN_PLAY_NORMAL"):
    """Puts a chip on one of the card's two cells."""

    card_id: CardId
    target_cell_id: int

    @property
    def cell_id(self) -> int:
        return self.target_cell_id


class PlayJackWild(Action, frozen=True, tag="TURN_PLAY_JACK_WILD"):
    """Puts a chip on any empty cell with a two-eyed jack."""

    card_id: CardId
    target_cell_id: int

    @property
    def cell_id(self) -> int:
        return self.target_cell_id


class PlayJackRemove(Action, frozen=True, tag="TURN_PLAY_JACK_REMOVE"):
    """Takes an opponent's chip away with a one-eyed jack."""

    card_id: CardId
    remove_cell_id: int

    @property
    def cell_id(self) -> int:
        return self.remove_cell_id


class ExchangeDeadCard(Action, frozen=True, tag="TURN_EXCHANGE_DEAD_CARD"):
    """Exchanges a dead card for a fresh one before playing; classic rules only, once a turn."""

    card_id: CardId

    @property
    def cell_id(self) -> None:
        return None


class AskedNormal(PlayNormal, frozen=True, tag="TURN_PLAY_NORMAL", omit_defaults=True):
    expected_version: int = 0
    """The version of the game that the player had seen; 0 if unknown."""


class AskedWild(PlayJackWild, frozen=True, tag="TURN_PLAY_JACK_WILD", omit_defaults=True):
    expected_version: int = 0


class AskedRemove(PlayJackRemove, frozen=True, tag="TURN_PLAY_JACK_REMOVE", omit_defaults=True):
    expected_version: int = 0


Asked: TypeAlias = AskedNormal | AskedWild | AskedRemove
"""A play as the player asked for it."""

Play: TypeAlias = PlayNormal | PlayJackWild | PlayJackRemove
"""The actions that end a turn."""

SequenceAction: TypeAlias = Play | ExchangeDeadCard


_ASKED: Final[dict[type[Play], Callable[[CardId, int], Asked]]] = {
    PlayNormal: AskedNormal,
    PlayJackWild: AskedWild,
    PlayJackRemove: AskedRemove,
}


def asked(play: Play) -> Asked:
    """A play as an event tells it."""
    return _ASKED[type(play)](play.card_id, play.cell_id)
