"""A batch of Hold'em tables: what a user of the engine calls."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from croupier.game.refusal import Code, OptionError, Refusal
from croupier.games.poker import CASH, HoldemCode, HoldemRules, HoldemSetup
from croupier.games.poker.rules.config import CHIPS_MAX, SEATS_MAX, SEATS_MIN
from croupier.lab.batch.arrays import ROUNDS_MAX, Engine, Legal, numbers, rules_of, spread, whole
from croupier.lab.batch.holdem import betting, random_play
from croupier.lab.batch.holdem.menu import POT_SHARES, Menu, action_names, fill_menu
from croupier.lab.batch.holdem.observation import TOLD, fill_observations, layout
from croupier.lab.batch.holdem.state import (
    CARDS,
    CODES,
    FORCED_BET_MAX,
    KINDS,
    NO_ACTION,
    NO_SUCH_SEAT,
    NOBODY,
    NOT_YOUR_TURN,
    OVER,
    PAST,
    ROUND_OVER,
    SHOWDOWN,
    Kind,
    check_played,
    new_config,
    new_tables,
)
from croupier.lab.batch.seeds import Seed, Stream, table_states
from croupier.lab.environments.pot_shares import checked_shares

_WORD: Final = (1 << 63) - 1


class HoldemTables(Engine):
    """Tables of no-limit Hold'em that are stepped at once, under the rules of `HoldemRules`: any blinds, antes, levels
    and ways with odd chips. Rules of another variant, or with a straddle, a rake and the like, raise OptionError.

    Arrays have one row a table. The arrays that methods return are the engine's own and are overwritten by the next
    call of the same method; copy what you keep. The same seed gives the same deals, whatever `threads` is.
    """

    def __init__(
        self,
        tables: int,
        seats: int = 6,
        rules: HoldemRules = CASH,
        *,
        seed: Seed = 0,
        threads: int = 1,
    ) -> None:
        super().__init__(tables, threads)
        seats = whole("seats", seats, None, None)
        if not SEATS_MIN <= seats <= SEATS_MAX:
            facts = {"low": SEATS_MIN, "high": SEATS_MAX, "seats": seats}
            raise OptionError(Refusal(Code.WRONG_SEAT_COUNT, {**facts}))
        check_played(rules_of(HoldemRules, rules))
        self.rules, self.seats = rules, seats
        self.config = new_config(rules, seats)
        self.rows = new_tables(self.tables, rules, seats)
        """With `past` the whole state, a row a table: copy both to keep a position, write both back to return to it."""
        self.past = np.zeros(self.tables, PAST)
        """The actions of the hand."""
        self._mask = np.zeros((self.tables, KINDS), np.bool_)
        self._words = self._mask.view(np.uint64).reshape(-1)
        self._refused = np.zeros(self.tables, np.uint8)
        self._menu: Menu | None = None
        self.rows["button"] = seats - 1
        self.begun = False
        self.policy = np.zeros(self.tables, np.uint64)
        self.seed(seed)

    def seed(self, seed: Seed, where: ArrayLike | None = None) -> None:
        """Restart the random numbers, those of the deals and those of random play, at every table or at those that
        `where` marks. A hand that is being played there is called off: nobody has won or lost anything."""
        chosen, rows = self.chosen(where), self.rows
        rows["chance"][chosen] = table_states(seed, self.tables, Stream.DEALS)[chosen]
        self.policy[chosen] = table_states(seed, self.tables, Stream.PLAY)[chosen]
        rows["deck"][chosen] = np.arange(CARDS)
        rows["stacks"][chosen] = rows["began"][chosen]
        rows["turn"][chosen], rows["street"][chosen] = NOBODY, OVER

    @property
    def turn(self) -> NDArray[np.int8]:
        """The seat to act; -1 where the hand is over."""
        return self.rows["turn"]

    @property
    def stacks(self) -> NDArray[np.int64]:
        """What each seat has behind."""
        return self.rows["stacks"][:, : self.seats]

    @property
    def at_showdown(self) -> NDArray[np.bool_]:
        """Where a beaten hand is asked to show or muck."""
        asked: NDArray[np.bool_] = self.rows["street"] == SHOWDOWN
        return asked

    @property
    def over(self) -> NDArray[np.bool_]:
        """Where the hand is over."""
        over: NDArray[np.bool_] = self.rows["street"] == OVER
        return over

    def reset(
        self,
        where: ArrayLike | None = None,
        *,
        stacks: ArrayLike | None = None,
        buttons: ArrayLike | None = None,
        hands: ArrayLike | None = None,
        away: ArrayLike | None = None,
        cards: ArrayLike | None = None,
    ) -> None:
        """Begin a hand at every table, or at those that `where` marks.

        What is not given is as in the hand before: the stacks that it began with, and who was away. The button moves on
        to the next seat in play, and the number of the hand, which decides the level, goes up by one. `stacks` is one
        number, one a seat, or one a table and seat. `buttons`, `hands` are one number or one a table; `away` is one
        mark a seat, or a table and seat. `cards` has a row of card numbers a table, in the order of dealing: one to
        each seat from the button's left, a second to each, then for each street a burned card and its board; what a row
        does not give is drawn. All are for all tables, and are used where `where` is true.

        Raises OptionError for a table where no hand can begin, and then no table has changed.
        """
        chosen = self.chosen(where)
        config, rows, shape = self.config, self.rows, (self.tables, self.seats)
        if all(each is None for each in (stacks, buttons, hands, away, cards)) and self.begun:
            self.each(betting.begin_next_hands, config, rows, chosen)
            return
        began = rows["began"][:, : self.seats] if stacks is None else spread("stacks", stacks, np.int64, shape)
        out: NDArray[Any] = (
            rows["away"] if away is None else spread("away", away, np.bool_, shape) @ (1 << np.arange(self.seats))
        )
        counted = rows["hand"] + 1 if hands is None else spread("hands", hands, np.int64, shape[:1])
        playing = (began != 0) & (out[:, np.newaxis] >> np.arange(self.seats) & 1 == 0)
        if buttons is None:
            # Before the first hand, the button is on its way to seat 0.
            button = _moved_on(playing, rows["button"])
        else:
            button = spread("buttons", buttons, np.int64, shape[:1])
        self._check(chosen, began, playing, button, counted, out)
        deck = None if cards is None else _decks(cards, self.tables)
        self.begun |= bool(chosen.all())
        np.copyto(rows["began"][:, : self.seats], began, where=chosen[:, np.newaxis])
        np.copyto(rows["away"], out, where=chosen)
        np.copyto(rows["hand"], counted, where=chosen)
        np.copyto(rows["button"], button, where=chosen)
        if deck is not None:
            np.copyto(rows["deck"], deck[0], where=chosen[:, np.newaxis])
        np.copyto(rows["given"], deck[1] if deck is not None else 0, where=chosen)
        self.each(betting.begin_hands, config, rows, chosen)

    def legal(self) -> Legal:
        """What the seat in turn may do at every table."""
        self.each(betting.legal_actions, self.rows, self._words, self.low, self.high)
        return Legal(self._mask, self.low, self.high)

    def menu(self, shares: Sequence[float] = POT_SHARES, *, asked: bool = False) -> Menu:
        """Numbered actions for the seat in turn at every table, in the order of `action_names(shares, asked=asked)`:
        bets and raises by a share of the pot as it is after a call, each size once, and none that is an all-in."""
        sizes = np.array(checked_shares(shares), np.float64)
        shape = (self.tables, len(action_names(sizes.tolist(), asked=asked)))
        if self._menu is None or self._menu.mask.shape != shape:
            self._menu = Menu(np.zeros(shape, np.int8), np.zeros(shape, np.int8), np.zeros(shape, np.int64))
        self.each(fill_menu, self.config, self.rows, sizes, *self._menu)
        return self._menu

    def step(
        self, kinds: ArrayLike, amounts: ArrayLike | None = None, seats: ArrayLike | None = None
    ) -> NDArray[np.uint8]:
        """Take an action at every table, by `Kind`, and -1 to leave a table alone.

        `amounts` are for BET and RAISE: what the seat will have bet on this street. Return a code for every table:
        0 where the action was taken, else why it was refused, by its place in `CODES`; nothing has changed there.
        Without `seats` it is the seat in turn that acts. `refusal` gives the facts of a refusal.
        """
        chosen = numbers("kinds", kinds, np.int8, self.tables, KINDS)
        sizes = self.amounts if amounts is None else numbers("amounts", amounts, np.int64, self.tables)
        refused = self._refused
        if seats is None:
            self._take(chosen, sizes)
            return refused
        by = numbers("seats", seats, np.int64, self.tables)
        ours = (by == self.turn) | (chosen == NO_ACTION)
        named = np.where(ours, chosen, NO_ACTION).astype(np.int8)
        before = self.over
        self._take(named, sizes)
        missing = np.where((by < 0) | (by >= self.seats), NO_SUCH_SEAT, NOT_YOUR_TURN)
        np.copyto(refused, np.where(before, ROUND_OVER, missing).astype(np.uint8), where=~ours)
        return refused

    def _take(self, kinds: NDArray[np.int8], amounts: NDArray[np.int64]) -> None:
        self.each(betting.take_actions, self.config, self.rows, self.past, kinds, amounts, self._refused)

    def observe(
        self, seats: ArrayLike | None = None, history: int = TOLD, out: NDArray[np.float32] | None = None
    ) -> NDArray[np.float32]:
        """What the seat in turn, or each of `seats`, may know of its table, as `layout(seats, history)` describes it.

        A row is zeros where there is no such seat, so where the hand is over and `seats` is not given. `history` is how
        many of the last actions are told. `out` is filled and returned; without it, a new array is.
        """
        width = layout(self.seats, history).size
        viewers = spread("seats", self.turn if seats is None else seats, np.int64, (self.tables,))
        filled = self.observation(out, width)
        self.each(fill_observations, self.config, self.rows, self.past, viewers, history, filled)
        return filled

    def payoffs(self) -> NDArray[np.int64]:
        """What each seat won or lost, in chips, where the hand is over; 0 elsewhere."""
        return np.where(self.over[:, np.newaxis], self.stacks - self.rows["began"][:, : self.seats], 0)

    def random_actions(self, legal: Legal) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
        """An action of these for every table: every offer is equally likely, and every size in its range."""
        kinds, amounts = self.kinds, self.amounts
        legal = self.offers(legal, KINDS)
        words = legal.mask.view(np.uint64).reshape(-1)
        self.each(random_play.choose_actions, self.policy, words, legal.low, legal.high, kinds, amounts)
        return kinds, amounts

    def play_random(self, hands: int) -> tuple[NDArray[np.int64], int]:
        """Play so many whole hands at random at each table, without coming back to Python.

        Every hand begins with the same stacks, and the button moves on. Return what each seat won in all, and the
        number of actions.
        """
        hands = whole("hands", hands, 1, ROUNDS_MAX)
        if not self.begun:
            self.reset()
        totals = np.zeros((self.tables, self.seats), np.int64)
        self.rows["given"] = 0
        kernel = random_play.play_hands
        return totals, self.each(kernel, self.config, self.rows, self.past, self.policy, hands, totals)

    def setup(self, table: int) -> HoldemSetup:
        """What the hand at a table began from, for the plain rules."""
        row = self.rows[self.table(table)]
        return HoldemSetup(
            stacks=tuple(row["began"][: self.seats].tolist()),
            button=int(row["button"]),
            hand=int(row["hand"]),
            sitting_out=tuple(seat for seat in range(self.seats) if row["away"] >> seat & 1),
        )

    def refusal(self, table: int, kind: int, amount: int = 0, seat: int | None = None) -> Refusal | None:
        """Why a seat may not do this at a table, with the facts that a message needs; None if it may."""
        kind, amount = whole("kind", kind, -_WORD, _WORD), whole("amount", amount, -_WORD, _WORD)
        turn = int(self.turn[self.table(table)])
        by = turn if seat is None else whole("seat", seat, None, None)
        if turn < 0:
            return Refusal(Code.ROUND_OVER)
        if not 0 <= by < self.seats:
            return Refusal(Code.NO_SUCH_SEAT, {"seat": by, "seats": self.seats})
        if by != turn:
            return Refusal(Code.NOT_YOUR_TURN, {"turn": turn})
        offered, low, high = betting.offers_at(self.rows, table)
        if 0 <= kind < KINDS and offered >> kind & 1 and (kind not in (Kind.BET, Kind.RAISE) or low <= amount <= high):
            return None
        code = CODES[betting.refusal_at(self.rows, table, kind, amount)]
        return Refusal(code, self._facts(code, table, turn))

    def _facts(self, code: str, table: int, seat: int) -> dict[str, Any]:
        row = self.rows[table]
        bet, own, stack = int(row["bet"]), int(row["bets"][seat]), int(row["stacks"][seat])
        if bet == FORCED_BET_MAX:
            bet = self.rules.level(self.rules.level_number(int(row["hand"]))).big_blind
        match code:
            case HoldemCode.CANNOT_CHECK | HoldemCode.BETTING_NOT_REOPENED:
                return {"toCall": bet - own}
            case HoldemCode.BET_ALREADY_MADE:
                return {"bet": bet}
            case HoldemCode.ONLY_ALL_IN:
                return {"stack": stack}
            case (
                HoldemCode.BET_TOO_SMALL
                | HoldemCode.BET_TOO_BIG
                | HoldemCode.RAISE_TOO_SMALL
                | HoldemCode.RAISE_TOO_BIG
            ):
                low = bet + max(int(row["raise_by"]), int(row["bet_min"]))
                return {"low": low, "high": own + stack}
        return {}

    def _check(
        self,
        chosen: NDArray[np.bool_],
        began: NDArray[np.int64],
        playing: NDArray[np.bool_],
        button: NDArray[np.int64],
        numbers: NDArray[np.int64],
        out: NDArray[Any],
    ) -> None:
        """Raise what the plain rules say about the first chosen table where no hand can begin."""
        sound = ((began >= 0) & (began <= CHIPS_MAX)).all(axis=1) & (playing.sum(axis=1) >= SEATS_MIN)
        inside = (button >= 0) & (button < self.seats)
        sound &= inside & (numbers >= 1)
        sound &= playing[np.arange(self.tables), np.where(inside, button, 0)]
        faulty = np.flatnonzero(chosen & ~sound)
        if not len(faulty):
            return
        table = int(faulty[0])
        sitting_out = tuple(seat for seat in range(self.seats) if int(out[table]) >> seat & 1)
        setup = HoldemSetup(
            tuple(began[table].tolist()), int(button[table]), int(numbers[table]), sitting_out=sitting_out
        )
        refused = self.rules.opening(setup)
        assert isinstance(refused, Refusal), "the plain rules refuse what is refused here"
        raise OptionError(Refusal(refused.code, {**refused.facts, "table": table}))


def _moved_on(playing: NDArray[np.bool_], button: NDArray[Any]) -> NDArray[np.int64]:
    """The next seat in play after each button."""
    seats = playing.shape[1]
    after = (button[:, np.newaxis].astype(np.int64) + 1 + np.arange(seats)) % seats
    first = np.take_along_axis(playing, after, axis=1).argmax(axis=1)
    moved: NDArray[np.int64] = after[np.arange(len(after)), first]
    return moved


def _decks(cards: ArrayLike, tables: int) -> tuple[NDArray[np.uint8], int]:
    """Whole decks that begin with the given cards, and how many are given."""
    given = np.asarray(cards)
    if given.dtype.kind not in "iu" or given.ndim != 2 or len(given) != tables or given.shape[1] > CARDS:
        raise ValueError(
            f"cards must be card numbers of the shape ({tables}, 0 to {CARDS}), not {given.dtype} of {given.shape}"
        )
    if given.size and (given.min() < 0 or given.max() >= CARDS):
        table = int(np.flatnonzero(((given < 0) | (given >= CARDS)).any(axis=1))[0])
        raise ValueError(f"cards of table {table} have a number that is no card: cards are numbered 0 to {CARDS - 1}")
    count = given.shape[1]
    place = np.full((tables, CARDS), CARDS, np.int64)
    np.put_along_axis(place, given.astype(np.int64), np.arange(count)[np.newaxis], axis=1)
    twice = (place < CARDS).sum(axis=1) != count
    if twice.any():
        raise ValueError(f"cards of table {int(twice.argmax())} have a card more than once")
    # A stable sort by place puts the given cards first, in their order, and the others after them.
    return np.argsort(place, axis=1, kind="stable").astype(np.uint8), count
