"""What a game is: the whole abstraction, on one page.

*Chance is a participant.* A state holds no undealt card. The rules say what they wait for: cards from
the dealer (`Draw`), an action of a player (`Turn`), or nothing any more (`Over`). The driver of the round
supplies it: a test from a list, a table from a committed shuffle, a solver from every possible card.

A round is what one `opening` starts: a blackjack round, a Hold'em hand, a game of Sequence. `following`
says what the next round at the same table starts from: stacks, button, shoe, statistics.

Everything here is immutable and nothing has a side effect. Seats are numbered from 0. Frozen values have no cycles,
so `gc=False` saves the garbage collector's time.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Literal, Protocol, TypeAlias, TypeVar

import msgspec
from msgspec.structs import replace

from croupier.cards import Card
from croupier.game.refusal import Refusal
from croupier.notebook import cards_html, table_html

Viewer: TypeAlias = int | None
"""The viewer: a seat, or None for a spectator."""
SPECTATOR: Final[Viewer] = None
Place: TypeAlias = str
"""Where a card goes, by a name that no other card of the round has: `hole:3:1`, `burn:0`, `draw:2:7`."""
DealtSet: TypeAlias = int
"""Some of the cards dealt in a round: bit n stands for the n-th card dealt, from 0."""


def numbers_in(cards: DealtSet) -> tuple[int, ...]:
    """The numbers of the cards in a set, from the lowest."""
    found = []
    while cards:
        lowest = cards & -cards
        found.append(lowest.bit_length() - 1)
        cards ^= lowest
    return tuple(found)


class Action(msgspec.Struct, frozen=True, gc=False, rename="camel", tag_field="type", forbid_unknown_fields=True):
    """Base of what a player can do. The tag is the message type of the protocol."""

    if TYPE_CHECKING:  # else mypy would let an action without fields be made with any arguments

        def __init__(self) -> None: ...

    @property
    def stakes(self) -> bool:
        """Whether it puts in chips. Once cards are dealt, a client plays such an action only if it cut the deal."""
        return False

    @property
    def tag(self) -> str:
        """The message type: what kind of action this is."""
        return _tag(type(self))


class Event(msgspec.Struct, frozen=True, gc=False, rename="camel", tag_field="type", omit_defaults=True):
    """Base of what happened."""

    if TYPE_CHECKING:  # as in `Action`

        def __init__(self) -> None: ...


class SeatView(msgspec.Struct, frozen=True, gc=False, rename="camel"):
    """Base of what one viewer may know of a seat."""

    cards: tuple[Card | None, ...] = ()
    """What lies before the seat; None is a card face down."""
    chips: int | None = None
    """What it could stake now. None in a game without chips."""
    state: str = ""
    """One word for what is special about the seat, with its text under `<game>.state.<word>`; empty if nothing is."""


class View(msgspec.Struct, frozen=True, gc=False, rename="camel", kw_only=True, omit_defaults=True):
    """Base of what one viewer may know, built up from nothing; never a state with parts removed.

    A game adds its own fields, and may declare `seats` and `history` again with narrower types.
    """

    you: Viewer
    """The viewer's seat; None for a spectator."""
    to_act: tuple[int, ...]
    """The seats that may act now: those of the `Turn` awaited, else none."""
    seats: tuple[SeatView, ...]
    history: tuple[Event, ...] = ()
    """What the viewer heard in this round, the oldest first. A round and a bot's client fill it in: the rules leave it
    empty, and a room sends each event once."""

    @property
    def own_cards(self) -> tuple[Card, ...]:
        """The viewer's own cards; none for a spectator."""
        if self.you is None:
            return ()
        return tuple([card for card in self.seats[self.you].cards if card is not None])

    def _repr_html_(self) -> str:
        """The table in a notebook: the seats, and above them what belongs to nobody."""
        rows = [(number, seat.cards, seat.chips, seat.state) for number, seat in enumerate(self.seats)]
        return self._middle_html() + table_html(("seat", "cards", "chips", "state"), rows)

    def _middle_html(self) -> str:
        """What lies in the middle of the table. A game draws its own; else the cards of a `board`, if it has one."""
        board = getattr(self, "board", ())
        return f"<p>{cards_html(board)}</p>" if board else ""


S = TypeVar("S")  # state: anything immutable
A = TypeVar("A", bound=Action)
E = TypeVar("E", bound=Event)
V_co = TypeVar("V_co", bound=View, covariant=True)
C = TypeVar("C")  # card: `str(card)` is its notation
B = TypeVar("B", bound=msgspec.Struct)  # beginning: the setup that a round starts from
R_co = TypeVar("R_co", covariant=True)  # rules
if TYPE_CHECKING:  # A type checker takes `Game` alone for a game of any rules; Python 3.11 knows no such defaults.
    from typing_extensions import TypeVar as TypeVarWithDefault

    GameRules = TypeVarWithDefault("GameRules", default=Any)
    GameAction = TypeVarWithDefault("GameAction", bound=Action, default=Any)
    GameView = TypeVarWithDefault("GameView", default=Any)
else:
    GameRules, GameAction, GameView = TypeVar("GameRules"), TypeVar("GameAction"), TypeVar("GameView")


class Draw(msgspec.Struct, Generic[C], frozen=True, gc=False):
    """The dealer must supply a card for each of these places, in order, from the shoe.

    With `pack`, from the shoe made by shuffling that pack, of which `gone` were dealt in earlier rounds.
    Without it, from the shoe in use. The k-th card of a shuffle is for the k-th place asked for, so a place must
    follow from what everybody knows.
    """

    places: tuple[Place, ...]
    pack: tuple[C, ...] = ()
    gone: tuple[C, ...] = ()

    @property
    def count(self) -> int:
        """How many cards are asked for."""
        return len(self.places)


class UnseenCardError(ValueError):
    """A replay cannot go on: the rules need a card that was never shown to it."""


class Turn(msgspec.Struct, frozen=True, gc=False):
    """A player must act. Where several seats are named, any of them may act first."""

    seats: tuple[int, ...]


class Over(msgspec.Struct, frozen=True, gc=False):
    """The round has ended; `payouts` is each seat's net result, in chips or, in a game without chips, in points."""

    payouts: tuple[int, ...]


class Audience(msgspec.Struct, frozen=True, gc=False):
    """The listeners of an event: the seats named, or, with `others`, everybody but them."""

    seats: tuple[int, ...]
    others: bool

    def hears(self, viewer: Viewer) -> bool:
        return (viewer in self.seats) is not self.others


EVERYONE: Final = Audience((), others=True)


def only(*seats: int) -> Audience:
    return Audience(seats, others=False)


class Told(msgspec.Struct, Generic[E], frozen=True, gc=False):
    """An event and its audience. There is no default audience: the code that makes an event decides who hears it."""

    event: E
    to: Audience


class Step(msgspec.Struct, Generic[S, E], frozen=True, gc=False):
    """The result of an opening, a deal, an action or a departure: the next state, and the events with their
    audiences."""

    state: S
    told: tuple[Told[E], ...] = ()


class Offer(msgspec.Struct, Generic[A], frozen=True, gc=False, omit_defaults=True):
    """One legal action, or a family of them that differ in one field.

    With `field` (its name on the wire), that field may be any of `among` or, where that is empty, any whole number
    from `low` to `high`; in `action` it holds the first of these.
    """

    action: A
    field: str = ""
    low: int = 0
    high: int = 0
    among: tuple[int, ...] = ()

    def choose(self, value: int) -> A:
        """The action with the open field set to `value`. It may be illegal: `admits` decides. Raises ValueError if no
        field is open."""
        if not self.field:
            raise ValueError(f"{self.action!r} has no open field; take `action` as it is")
        return replace(self.action, **{_attribute(type(self.action), self.field): value})

    def admits(self, action: Action) -> bool:
        """Whether this offer covers `action`."""
        kind = type(action)
        if kind is not type(self.action):
            return False
        if not self.field:
            return action == self.action
        value = getattr(action, _attribute(kind, self.field))
        if type(value) is not int:
            return False
        if action == self.action:
            return True
        inside = value in self.among if self.among else self.low <= value <= self.high
        return inside and action == self.choose(value)


def offered(menu: Iterable[Offer[A]], action: Action) -> bool:
    """Whether some offer of the menu covers the action: the one test of legality."""
    kind = type(action)
    for offer in menu:  # noqa: SIM110 (every action of every game passes here, and a generator costs twice as much)
        if offer.action is action or (type(offer.action) is kind and offer.admits(action)):
            return True
    return False


class Change(msgspec.Struct, frozen=True):
    """What can happen to a seat between two rounds; or, to the table, that the next round's cards are shuffled anew or,
    at poker, that it is a bomb pot."""

    seat: int
    kind: Literal["taken", "left", "sat_out", "sat_in", "waits", "bought", "reshuffled", "bomb"]
    chips: int = 0
    """The chips that a newcomer brings, or that a player buys."""


class Rules(Protocol[S, A, E, V_co, C, B]):
    """A game with all its options decided: a frozen value.

    `game` names it in the registry. `edition` is an option like the others: it is raised with every change of
    behaviour, a value without it is of edition 1, and every edition ever written can be played. `opens_all` says that
    every dealt card has been shown to everybody, or is opened, when the round is over; where it is false, a replay may
    never learn some cards. Rules may have `fields_since`, the options by the edition that brought them: the text
    of the rules that a deal is fixed by has none that its edition did not have.
    """

    game: ClassVar[str]
    opens_all: ClassVar[bool]

    @property
    def edition(self) -> int:
        """The version of the game's behaviour."""

    @property
    def seat_range(self) -> tuple[int, int]:
        """The fewest and the most seats a round can have."""

    def replace(self) -> Any:
        """The same rules. A game's own method takes options by name and returns the rules with these changed."""

    def setup(self, seats: int) -> B:
        """What a first round with this number of seats starts from by default."""

    def opening(self, setup: B) -> Step[S, E] | Refusal:
        """Begins a round."""

    def seats(self, state: S) -> int: ...

    def awaits(self, state: S) -> Draw[C] | Turn | Over: ...

    def deal(self, state: S, cards: tuple[C | None, ...]) -> Step[S, E]:
        """Takes the cards that `awaits` asked for, in order. None is a card that a replay never saw; raises
        UnseenCardError when it cannot go on without it."""

    def menu(self, state: S, seat: int) -> tuple[Offer[A], ...]:
        """All that this seat may do now: the one source of legality. Empty when it is not its turn."""

    def act(self, state: S, seat: int, action: A) -> Step[S, E] | Refusal:
        """Does what the menu offers and refuses anything else. A refusal changes nothing."""

    def leave(self, state: S, seat: int) -> Step[S, E] | Refusal:
        """A player leaves while a turn is awaited, their own or another's. A refusal means that the seat waits."""

    def dealt_in(self, state: S) -> tuple[int, ...]:
        """While a pack is awaited: the seats that take part in its deal, in order."""

    def exclude(self, state: S, seat: int) -> Step[S, E] | Refusal:
        """Leaves the seat out of a deal, while its pack is awaited and no card of it is dealt. The bet goes back or,
        where the seat cannot sit out, its hand is folded. A refusal means that there is no deal without this seat."""

    def view(self, state: S, viewer: Viewer) -> V_co: ...

    def known(self, state: S, viewer: Viewer) -> DealtSet:
        """Which of the cards dealt in this round the viewer has been shown."""

    def chips(self, state: S) -> tuple[int, ...]:
        """Every pile of chips in the round: seats, bets, pots, house. Their sum never changes. Without chips, empty."""

    def following(self, state: S) -> B:
        """After `Over`: what the next round starts from if nobody comes or goes."""

    def stacks(self, setup: B) -> tuple[int, ...]:
        """Each seat's chips between two rounds. Without chips, empty."""

    def ended(self, state: S) -> bool:
        """After `Over`: whether the match has ended, so that only a new one can follow."""

    def absent(self, menu: tuple[Offer[A], ...]) -> A:
        """The action for a seat that does not act in time: something on its menu that never risks chips."""

    def amend(self, setup: B, change: Change) -> B | Refusal:
        """The setup after somebody came, went or bought chips between two rounds."""

    def teams(self, seats: int) -> int:
        """The number of teams for this number of seats; seat n is in team n modulo that. 0 when all play alone."""


AnyRules: TypeAlias = Rules[Any, Any, Any, Any, Any, Any]


class Stamp(msgspec.Struct, frozen=True, gc=False):
    """People and times, which the table knows and the rules do not."""

    person: Callable[[int], str]
    """The person in a seat; empty for a seat that nobody has."""
    at_ms: int
    """When it happened; in a view, when the last action did."""
    expected_version: int = 0
    """The version that the action was asked at."""
    acted_by: str = ""
    """In a view: the person of the last action."""


class Stamping(msgspec.Struct, frozen=True):
    """Where a game's protocol has people and times: the rules leave them open, and the table fills them in."""

    event: Callable[[Any, Stamp], Any]
    view: Callable[[Any, Stamp], Any]
    view_fields: frozenset[tuple[str, ...]]
    """What `view` fills in, as paths on the wire."""
    event_fields: frozenset[tuple[str, ...]]
    """What `event` fills in."""


class Unit(msgspec.Struct, frozen=True):
    """What results are counted in, in a game with chips. Its text is `arena.unit.<name>`."""

    name: str
    chips: Callable[[Any], int]
    """From the rules, how many chips one unit is."""


class PlayableRules(Protocol[R_co, A, V_co, B]):
    """Rules from whose value a type checker learns the types of the rules, actions, views and setups. Rules derived
    from `BasicRules` qualify, and so do all built-in ones."""

    def replace(self) -> R_co: ...

    def menu(self, state: Any, seat: int, /) -> tuple[Offer[A], ...]: ...

    def view(self, state: Any, viewer: Viewer, /) -> V_co: ...

    def setup(self, seats: int, /) -> B: ...

    def opening(self, setup: B, /) -> Step[Any, Any] | Refusal: ...


class Game(msgspec.Struct, Generic[GameRules, GameAction, GameView], frozen=True):
    """A game as its folder presents it to the registry: its types, its presets and its optional parts."""

    name: str
    rules: type[Any]
    setup: type[Any]
    action: Any
    """The union of the game's actions."""
    event: Any
    """The union of the game's events."""
    view: type[Any]
    presets: Mapping[str, GameRules]
    release_1: Mapping[str, GameRules] = {}
    """The presets of the first release, for logs that only name them. They never change."""
    turns_of: Callable[[Any, Any, int], Iterator[Any]] | None = None
    """For a game in which hidden cards decide who may act: from rules, state and a seat, every state in which it may be
    that seat's turn, the soonest first, as far as a viewer can tell who has passed until then."""
    wire: str = ""
    """A faster way to the bytes of its views, as `module:NAME` of a function that is given rules, state and stamp, and
    returns one that encodes the view of any viewer."""
    stamping: Stamping | None = None
    """How people and times come into its events and views; None where they have none."""
    bots: str = ""
    """Its bots, as `module:NAME` of a mapping from names to factories, the default one first."""
    terminal: str = ""
    """Its table in the terminal, as `module:NAME` of a class that extends `GameTable` (`clients/terminal/table.py`)."""
    environment: str = ""
    """Its encoding for learners, as `module:NAME` of a class that is made from the rules."""
    histories: str = ""
    """Its way to write a round as a hand history (PHH), as `module:NAME` of a function that is given the events of the
    round, the players' names by seat and the rules."""
    unit: Unit | None = None
    """What the lab counts results in; None for single chips, or points in a game without chips."""
    lab_preset: str = ""
    """The default preset in the lab; else the first."""
    room_presets: tuple[str, ...] = ()
    """The presets that a room can be opened with, the default one first; all of them where none is named."""
    customary_bots: Mapping[str, int] = {}
    """How many bots play against one person, by preset; else as few as the rules allow."""
    zero_sum: Callable[[Any], bool] | None = None
    """Whether, by these rules, the others lose what one player wins; None where that is not known."""
    filling_bots: tuple[str, ...] = ()
    """The bots that take turns to fill free seats; all of its bots where none is named."""

    @property
    def actions(self) -> tuple[type[Action], ...]:
        """The kinds of actions."""
        return getattr(self.action, "__args__", (self.action,))


@cache
def _tag(action: type[Action]) -> str:
    return str(action.__struct_config__.tag)


@cache
def _attribute(action: type[Action], field: str) -> str:
    """The attribute behind a field's name on the wire."""
    return next(info.name for info in msgspec.structs.fields(action) if info.encode_name == field)
