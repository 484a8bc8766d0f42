"""What `import croupier` adds to the layers below: rounds and records that can print and save themselves, and one
notation for the cards of every pack."""

from collections.abc import Collection, Iterable
from typing import Any, Self, TypeVar, overload

import msgspec

from croupier import cards, locales
from croupier.cards import Card
from croupier.dealing.findings import Finding
from croupier.dealing.shoe import Shoe
from croupier.game.game import SPECTATOR, Action, GameAction, GameRules, GameView, Offer, PlayableRules, View, Viewer
from croupier.game.refusal import OptionError
from croupier.notebook import table_html
from croupier.table import record as table_record
from croupier.table import round as table_round
from croupier.table.misuse import check_action, check_opening, check_seat, check_shoe
from croupier.table.round import Seeds
from croupier.table.verdict import Verdict
from croupier.wire import records

R = TypeVar("R")
A = TypeVar("A", bound=Action)
V = TypeVar("V", bound=View)
B = TypeVar("B", bound=msgspec.Struct)
C = TypeVar("C")


class Record(table_record.Record, frozen=True, rename="camel", forbid_unknown_fields=True):
    """The record of a round: all that is needed to play it again and to prove it.

    >>> import croupier
    >>> seeds = croupier.Seeds("00" * 32, "a seed of mine")
    >>> game = croupier.begin(croupier.blackjack.CASINO, seeds=seeds).act(croupier.blackjack.PlaceBet(100))
    >>> while not game.over:
    ...     game = game.act(croupier.blackjack.CASINO.absent(game.menu()))
    >>> croupier.verify([game.record()]).ok
    True
    >>> croupier.Record.from_json(game.record().to_json()).payouts == game.payouts
    True
    """

    def to_json(self) -> str:
        """The record as one line of a file of records, without the line break."""
        return records.line(self)

    @classmethod
    def from_json(cls, text: str | bytes) -> "Record":
        """The record in a line. Raises ValueError for a line that holds none. The record is not checked: `verify` does
        that."""
        read = records.read_record(_line(text))
        if isinstance(read, Finding):
            said = ", ".join(f"{name}: {value}" for name, value in read.facts.items())
            raise ValueError(f"this line is not a record ({said})")
        return cls(**{name: getattr(read, name) for name in read.__struct_fields__})

    def _repr_html_(self) -> str:
        rows = [(move.seat, _move_text(move.action)) for move in self.moves]
        return table_html(("seat", "move"), rows, f"{self.game}, payouts {self.payouts}")


def _move_text(action: object) -> str:
    if action is None:
        return "left"
    return repr(action) if isinstance(action, Action) else str(action)


class Round(table_round.Round[GameRules, GameAction, GameView], frozen=True, gc=False):
    """A round in play. Each action makes the next value; the old one stays as it is.

    >>> import croupier
    >>> game = croupier.begin(croupier.poker.CASH, seeds=croupier.Seeds("00" * 32, "a seed of mine"))
    >>> game.turn
    (0,)
    >>> game = game.act(croupier.poker.Call()).act(croupier.poker.Check())
    >>> game.view().street, len(game.view().board)
    (<Street.FLOP: 'FLOP'>, 3)
    >>> print(game.act(croupier.poker.Call()).refusal.code)  # the round is as it was
    NOTHING_TO_CALL
    """

    def view(self, viewer: Viewer = SPECTATOR) -> GameView:
        """What a seat, or a spectator, may know now, with the history of the round as they heard it."""
        if viewer is not None:
            check_seat(viewer, self._rules.seats(self.state))
        return self.view_with_history(viewer)

    def menu(self, seat: int | None = None) -> tuple[Offer[GameAction], ...]:
        """What a seat may do: without one, the first seat whose turn it is."""
        if seat is not None:
            check_seat(seat, self._rules.seats(self.state))
        return super().menu(seat)

    def act(self, action: GameAction, seat: int | None = None) -> Self:
        """The round after an action; the same round with a `refusal` when the rules refuse it. Raises ValueError for
        what is no action of this game."""
        check_action(self._rules.game, action)
        return super().act(action, seat)

    def supply(self, shoe: Shoe[Any]) -> Self:
        """Go on with the shoe that was wanted. Raises ValueError for one with cards that are not in the pack."""
        if self.wants is not None:
            check_shoe(shoe, self.wants.pack)
        return super().supply(shoe)

    def next(self) -> Self | None:
        """The next round at the table if nobody comes, goes or buys chips; None when there cannot be one. Raises
        ValueError while this one goes on."""
        if not self.over:
            raise ValueError("the next round follows when this one is over; ask `over` first")
        return super().next()

    def record(self) -> Record:
        """The record of this round, with the proofs of the shuffles that its own seeds made."""
        made = table_record.record(self)
        return Record(**{name: getattr(made, name) for name in made.__struct_fields__})

    def _repr_html_(self) -> str:
        view: Any = self.view()
        return str(view._repr_html_())


def begin(rules: PlayableRules[R, A, V, B], setup: B | None = None, seeds: Seeds | None = None) -> Round[R, A, V]:
    """Open a round: from the default setup for the fewest seats unless another is given. With seeds, the round deals
    its own cards. Without, it stops whenever it `wants` a pack shuffled, and `supply` gives it the shoe:
    `Shoe.stacked(parse_cards("As Kd"))` deals these cards. Raises OptionError, a ValueError, when the rules refuse the
    setup.

    >>> from croupier import Seeds, begin, poker
    >>> begin(poker.CASH, seeds=Seeds("00" * 32, "a seed of mine"))
    <Round of poker: 0 moves, 4 cards dealt>
    """
    check_opening(rules, setup, seeds)
    try:
        opened: Round[R, A, V] = table_round.opened(Round, rules, setup, seeds)  # type: ignore[arg-type]
    except OptionError as error:
        raise OptionError(error.refusal, locales.refusal_text("en", error.refusal)) from None
    return opened


@overload
def parse_cards(text: str) -> tuple[Card, ...]: ...


@overload
def parse_cards(text: str, pack: Collection[C]) -> tuple[C, ...]: ...


def parse_cards(text: str, pack: Collection[Any] = ()) -> tuple[Any, ...]:
    """The cards written in a text, with or without blanks or commas between them.

    Playing cards are written `As`, `Td`. Cards of Sequence keep their ids, which say which copy it is: `heart_10_1`.
    With a `pack` only its cards are read, and a type checker knows which they are: `parse_cards(text, sequence.PACK)`.
    Raises ValueError that names the first thing that is no card.

    >>> from croupier import parse_cards
    >>> parse_cards("As Td")
    (As, Td)
    >>> parse_cards("AsTd") == parse_cards("As,Td")
    True
    >>> parse_cards("heart_10_1 spade_j_2")
    ('heart_10_1', 'spade_j_2')
    """
    if not isinstance(text, str):
        raise ValueError(f"parse_cards takes a text, like 'As Kd', not {type(text).__name__}")
    if not pack and "_" not in text:
        return cards.cards(text)
    if not pack:
        from croupier.games.sequence import PACK

        pack = PACK
    by_name = {str(card): card for card in pack}
    if all(len(name) == 2 for name in by_name):
        words = [str(card) for card in cards.cards(text)]
    else:
        words = text.replace(",", " ").split()
    for word in words:
        if word not in by_name:
            first, last = next(iter(by_name)), next(reversed(by_name))
            raise ValueError(f"{word!r} is no card of this pack, which has {first} to {last}")
    return tuple([by_name[word] for word in words])


def verify(lines: Iterable[str | bytes | table_record.Record], own_log: Iterable[str | bytes] | None = None) -> Verdict:
    """Check records, one a line, in the order in which they were played: every card, action and payout.

    Lines are texts or `Record`s; blank lines are ignored. `own_log` are the lines of the log that a player's own client
    wrote: then the records must agree with it. `ok` is true if nothing is wrong; `findings` say what is wrong, and on
    which line.

    >>> import croupier
    >>> croupier.verify(["{}"]).ok
    False
    """
    if isinstance(lines, str | bytes) or not isinstance(lines, Iterable):
        raise ValueError("verify takes lines or records: an open file, text.split('\\n'), or [game.record()]")
    return records.verify(map(_line, lines), own_log)


def _line(line: object) -> str | bytes:
    if isinstance(line, table_record.Record):
        return records.line(line)
    if not isinstance(line, str | bytes):
        raise ValueError(f"a line is a text or a record, not {type(line).__name__}")
    return line
