"""A round in play: rules and shoe together, as one value that the next action turns into the next."""

from typing import Any, Final, Generic, Self, TypeVar

import msgspec
from msgspec.structs import replace

from croupier.dealing.proof import Shuffle1Proof
from croupier.dealing.seeds import (
    CLIENT_SEED_CHARACTERS_MAX,
    CLIENT_SEED_CHARACTERS_MIN,
    NONCE_MAX,
    check_client_seed,
    check_nonce,
    check_server_seed,
    commitment,
)
from croupier.dealing.shoe import Shoe
from croupier.game.game import (
    SPECTATOR,
    Action,
    AnyRules,
    Draw,
    GameAction,
    GameRules,
    GameView,
    Offer,
    Over,
    PlayableRules,
    Step,
    Told,
    Turn,
    View,
    Viewer,
)
from croupier.game.refusal import Code, OptionError, Refusal

R = TypeVar("R")
A = TypeVar("A", bound=Action)
V = TypeVar("V", bound=View)
B = TypeVar("B", bound=msgspec.Struct)


class Seeds(msgspec.Struct, frozen=True, gc=False):
    """The seeds of `shuffle-1` and the nonce of the next shuffle. Raises ValueError if one is malformed."""

    server_seed: str
    """32 random bytes as 64 lower-case hexadecimal digits: `secrets.token_hex(32)` makes one."""
    client_seed: str
    """The player's own text, of 8 to 256 characters."""
    nonce: int = 0

    def __post_init__(self) -> None:
        if check_server_seed(self.server_seed):
            raise ValueError(
                "a server seed is 64 hexadecimal digits in lower case, as secrets.token_hex(32) makes them; "
                f"this one has {_size(self.server_seed)}"
            )
        if check_client_seed(self.client_seed):
            raise ValueError(
                f"a client seed is a text of {CLIENT_SEED_CHARACTERS_MIN} to {CLIENT_SEED_CHARACTERS_MAX} characters; "
                f"this one has {_size(self.client_seed)}"
            )
        if check_nonce(self.nonce):
            raise ValueError(f"a nonce is a whole number from 0 to {NONCE_MAX}, not {self.nonce!r}")

    def __repr__(self) -> str:
        return f"Seeds(<server seed>, {self.client_seed!r}, nonce={self.nonce})"

    def shoe(self, pack: tuple[Any, ...]) -> Shoe[Any]:
        return Shoe.shuffled(pack, self.server_seed, self.client_seed, self.nonce)

    def proof(self) -> Shuffle1Proof:
        """The record's proof of the next shuffle, once the server seed may be known."""
        return Shuffle1Proof(commitment(self.server_seed), self.client_seed, self.nonce, self.server_seed)


def _size(seed: object) -> str:
    """A description of a seed that may be secret."""
    return f"{len(seed)} characters" if isinstance(seed, str) else f"the type {type(seed).__name__}"


ABSENT: Final = "absent"
"""Instead of an action: the seat took no part in the deal."""


class Move(msgspec.Struct, frozen=True, gc=False):
    """A seat's move; without an action, it left."""

    seat: int
    action: Any = None


class Round(msgspec.Struct, Generic[GameRules, GameAction, GameView], frozen=True, gc=False):
    """A round and its history. `act`, `leave` and `supply` make the next value; this one does not change. With `seeds`
    the round shuffles its own cards, by `shuffle-1` with consecutive nonces. Without, it stops whenever it `wants` a
    pack shuffled, until somebody supplies the shoe.
    """

    rules: GameRules
    setup: Any
    state: Any
    awaits: Draw[Any] | Turn | Over
    """What the rules wait for in this state."""
    shoe: Shoe[Any] | None = None
    seeds: Seeds | None = None
    proofs: tuple[Shuffle1Proof, ...] = ()
    """The proofs of the shuffles made from the seeds in this round."""
    dealt: tuple[Any, ...] = ()
    moves: tuple[Move, ...] = ()
    told: tuple[Told[Any], ...] = ()
    """The events of the last action, or of the opening."""
    refusal: Refusal | None = None
    """Why the last action was refused; None if it was done."""
    story: tuple[Told[Any], ...] = ()
    """All events of this round, the oldest first."""

    def __repr__(self) -> str:
        return f"<Round of {self._rules.game}: {len(self.moves)} moves, {len(self.dealt)} cards dealt>"

    @property
    def wants(self) -> Draw[Any] | None:
        """The pack that must be shuffled before the round goes on."""
        return self.awaits if type(self.awaits) is Draw else None

    @property
    def turn(self) -> tuple[int, ...]:
        """The seats that may act now."""
        return self.awaits.seats if type(self.awaits) is Turn else ()

    @property
    def over(self) -> bool:
        return type(self.awaits) is Over

    @property
    def payouts(self) -> tuple[int, ...]:
        """Each seat's net result. Raises ValueError while the round goes on."""
        if not isinstance(self.awaits, Over):
            raise ValueError("payouts are known when the round is over; ask `over` first")
        return self.awaits.payouts

    @property
    def _rules(self) -> AnyRules:
        """The rules as those of any game; `rules` has their own type."""
        rules: Any = self.rules
        return rules  # type: ignore[no-any-return]

    def menu(self, seat: int | None = None) -> tuple[Offer[GameAction], ...]:
        """What a seat may do; by default, the first seat in turn."""
        return self._rules.menu(self.state, self._seat(seat))

    def view(self, viewer: Viewer = SPECTATOR) -> GameView:
        """What a seat, or a spectator, may know now."""
        view: GameView = self._rules.view(self.state, viewer)
        return view

    def view_with_history(self, viewer: Viewer = SPECTATOR) -> GameView:
        """The view with the history of the round as this viewer heard it, for bots."""
        view: GameView = replace(self._rules.view(self.state, viewer), history=self.history(viewer))
        return view

    def history(self, viewer: Viewer = SPECTATOR) -> tuple[Any, ...]:
        """The events of the whole round that this viewer heard."""
        return tuple([told.event for told in self.story if told.to.hears(viewer)])

    def heard(self, viewer: Viewer) -> tuple[Any, ...]:
        """The events of the last step that this viewer may hear."""
        return tuple(told.event for told in self.told if told.to.hears(viewer))

    def act(self, action: GameAction, seat: int | None = None) -> Self:
        """The round after an action; the same round with a `refusal` when the rules refuse it."""
        seat = self._seat(seat)
        return self._moved(Move(seat, action), self._rules.act(self.state, seat, action))

    def leave(self, seat: int) -> Self:
        """The round after a player has left."""
        if not self.turn:
            return replace(self, told=(), refusal=Refusal(Code.ROUND_OVER))
        return self._moved(Move(seat), self._rules.leave(self.state, seat))

    def exclude(self, seat: int) -> Self:
        """The round without this seat in the deal that is wanted; the same round with a `refusal` if that cannot be."""
        if self.wants is None or self.wants.gone:
            return replace(self, told=(), refusal=Refusal(Code.NOT_BETWEEN_ROUNDS))
        return self._moved(Move(seat, ABSENT), self._rules.exclude(self.state, seat))

    def redo(self, move: Move) -> Self:
        """The round after a recorded move."""
        if move.action is None:
            return self.leave(move.seat)
        return self.exclude(move.seat) if move.action == ABSENT else self.act(move.action, move.seat)

    def supply(self, shoe: Shoe[Any]) -> Self:
        """Continue with the wanted shoe."""
        if self.wants is None:
            raise ValueError("no shoe is wanted now; ask `wants` first")
        return self._drawn(self.state, self.told, self.moves, shoe)

    def next(self) -> Self | None:
        """The next round at the table if nobody comes, goes or buys chips; None if the match is over."""
        following = self._rules.following(self.state)
        if self._rules.ended(self.state) or isinstance(self._rules.opening(following), Refusal):
            return None
        return opened(type(self), self._rules, following, self.seeds)

    def _seat(self, seat: int | None) -> int:
        return seat if seat is not None else next(iter(self.turn), 0)

    def _moved(self, move: Move, done: Step[Any, Any] | Refusal) -> Self:
        if isinstance(done, Refusal):
            return replace(self, told=(), refusal=done)
        return self._drawn(done.state, done.told, (*self.moves, move))

    def _drawn(
        self, state: Any, told: tuple[Told[Any], ...], moves: tuple[Move, ...], supplied: Shoe[Any] | None = None
    ) -> Self:
        """The round in this state, after dealing as long as the rules ask for cards of the present shoe, or of one that
        the seeds can make; the first pack they ask for may be `supplied`."""
        again = supplied is not None  # events before the shoe are in the story already
        rules, shoe, seeds, proofs, dealt = self._rules, self.shoe, self.seeds, self.proofs, self.dealt
        awaits = rules.awaits(state)
        while type(awaits) is Draw:
            if supplied is not None:
                shoe, supplied = supplied, None
            elif awaits.pack:
                if seeds is None:
                    break
                shoe, seeds, proof = _shuffled(seeds, awaits)
                proofs = (*proofs, proof)
            assert shoe is not None, "the rules ask for a pack before they ask for its cards"
            if awaits.count > shoe.left:
                raise ValueError(f"the shoe has {shoe.left} cards left, and the rules ask for {awaits.count}")
            cards, shoe = shoe.draw(awaits.count)
            step = rules.deal(state, cards)
            state, dealt, told = step.state, dealt + cards, told + step.told
            awaits = rules.awaits(state)
        story = self.story + (told[len(self.told) :] if again else told)
        opened = self.rules, self.setup
        return type(self)(*opened, state, awaits, shoe, seeds, proofs, dealt, moves, told, None, story)


RoundType = TypeVar("RoundType", bound=Round)


def _shuffled(seeds: Seeds, wanted: Draw[Any]) -> tuple[Shoe[Any], Seeds, Shuffle1Proof]:
    """The pack wanted, shuffled by the seeds; the seeds for the next one; and the proof."""
    # A shoe kept from the last round was its last shuffle: it uses no further nonce.
    used = replace(seeds, nonce=seeds.nonce - 1) if wanted.gone else seeds
    gone, shoe = used.shoe(wanted.pack).draw(len(wanted.gone))
    if gone != wanted.gone:
        raise ValueError("the shoe that goes on is not the one these seeds made")
    return shoe, replace(used, nonce=used.nonce + 1), used.proof()


def begin(rules: PlayableRules[R, A, V, B], setup: B | None = None, seeds: Seeds | None = None) -> Round[R, A, V]:
    """Open a round: from the default setup for the fewest seats unless another is given.

    Raises OptionError when the rules refuse the setup.
    """
    begun: Round[R, A, V] = opened(Round, rules, setup, seeds)  # type: ignore[arg-type]
    return begun


def opened(kind: type[RoundType], rules: AnyRules, setup: Any, seeds: Seeds | None) -> RoundType:
    """A round of this type. Raises OptionError when the rules refuse the setup."""
    setup = rules.setup(rules.seat_range[0]) if setup is None else setup
    opened = rules.opening(setup)
    if isinstance(opened, Refusal):
        raise OptionError(opened)
    opening = kind(rules, setup, opened.state, rules.awaits(opened.state), seeds=seeds)
    return opening._drawn(opened.state, opened.told, ())
