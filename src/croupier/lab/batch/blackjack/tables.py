"""A batch of blackjack tables: what a user of the engine calls."""

from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from croupier.game.refusal import Code, OptionError, Refusal
from croupier.games.blackjack.rules.codes import BlackjackCode
from croupier.games.blackjack.rules.presets import CASINO
from croupier.games.blackjack.rules.rules import CUSTOMARY_PURSE, BlackjackRules
from croupier.games.blackjack.rules.state import BlackjackSetup
from croupier.lab.batch.arrays import ROUNDS_MAX, Engine, Legal, numbers, rules_of, spread, whole
from croupier.lab.batch.blackjack import kernels
from croupier.lab.batch.blackjack.state import (
    CODES,
    HANDS,
    KINDS,
    NOBODY,
    OVER,
    SEATS,
    TABLE,
    new_config,
)
from croupier.lab.batch.seeds import Seed, Stream, table_states
from croupier.lab.environments.parts import Layout, Part, described

_NOBODY_NAMED: Final = np.zeros(0, np.int64)
PURSE_MAX: Final = 10**14


class BlackjackTables(Engine):
    """Tables of blackjack that are stepped at once, under the rules of `BlackjackRules`; each has a shoe of its own.

    At tables of several seats it is the first seat that must decide whose turn it is. Arrays that methods return are
    overwritten by the next call of the same method. The same seed gives the same cards, whatever `threads` is.
    """

    def __init__(
        self, tables: int, seats: int = 1, rules: BlackjackRules = CASINO, *, seed: Seed = 0, threads: int = 1
    ) -> None:
        super().__init__(tables, threads)
        tables, seats = self.tables, whole("seats", seats, None, None)
        rules = rules_of(BlackjackRules, rules)
        low, high = rules.seat_range[0], min(rules.seat_range[1], SEATS)
        if not low <= seats <= high:
            raise OptionError(Refusal(Code.WRONG_SEAT_COUNT, {"seats": seats, "low": low, "high": high}))
        self.rules, self.seats = rules, seats
        self.config = new_config(rules, seats)
        self.rows = np.zeros(tables, TABLE)
        self.rows["began"][:, :seats] = 0 if rules.dealer_seat else CUSTOMARY_PURSE
        self.rows["dealer_at"] = 0 if rules.dealer_seat else NOBODY
        self.rows["turn"], self.rows["phase"] = NOBODY, OVER
        self._mask = np.zeros((tables, KINDS), np.bool_)
        self._refused = np.zeros(tables, np.uint8)
        self.policy = np.zeros(tables, np.uint64)
        self.seed(seed)

    def seed(self, seed: Seed, where: ArrayLike | None = None) -> None:
        """Restart the random numbers, those of the deals and those of random play, with new shoes, at every table or
        at those that `where` marks. A round that is being played there is called off: nobody has won or lost."""
        chosen, rows, cards = self.chosen(where), self.rows, 52 * self.rules.decks
        rows["chance"][chosen] = table_states(seed, self.tables, Stream.DEALS)[chosen]
        self.policy[chosen] = table_states(seed, self.tables, Stream.PLAY)[chosen]
        rows["shoe"][chosen, :cards] = np.arange(cards) % 52
        for name, value in (("gone", 0), ("dealt", 0), ("reshuffled", False), ("result", 0)):
            rows[name][chosen] = value
        rows["turn"][chosen], rows["phase"][chosen] = NOBODY, OVER

    @property
    def turn(self) -> NDArray[np.int8]:
        """The seat to act; -1 where the round is over."""
        return self.rows["turn"]

    @property
    def over(self) -> NDArray[np.bool_]:
        """Where the round is over."""
        over: NDArray[np.bool_] = self.rows["phase"] == OVER
        return over

    def reset(
        self, where: ArrayLike | None = None, *, purses: ArrayLike | None = None, cards: ArrayLike | None = None
    ) -> None:
        """Begin a round at every table, or at those that `where` marks, with the shoe as the last round left it.

        `purses` are what the seats could stake: one number, one a seat, or one a table and seat; else they are as in
        the round before. `cards` has a row of card numbers a table, the next ones of its shoe; the others are drawn.
        A shoe with too few cards for the first deal is shuffled then, and the given ones with it.
        """
        chosen = self.chosen(where)
        if purses is not None:
            given = spread("purses", purses, np.int64, (self.tables, self.seats))
            wrong = (given < 0) | (given > PURSE_MAX)
            if wrong[chosen].any():
                raise OptionError(Refusal(BlackjackCode.BAD_SETUP, {"field": "purses"}))
            np.copyto(self.rows["began"][:, : self.seats], given, where=chosen[:, np.newaxis])
        if cards is None:
            self.each(kernels.begin_rounds, self.config, self.rows, chosen)
            return
        wanted = np.ascontiguousarray(cards)
        if wanted.dtype.kind not in "iu" or wanted.ndim != 2 or len(wanted) != self.tables:
            raise ValueError(f"cards must be card numbers, a row a table, not {wanted.dtype} of {wanted.shape}")
        before = self.rows.copy()
        missing = kernels.begin_given(self.config, self.rows, chosen, wanted.astype(np.int64), 0, self.tables)
        if missing >= 0:
            self.rows[:] = before
            raise ValueError(f"the shoe of table {missing} has not all the cards that are given")

    def legal(self) -> Legal:
        """What the seat in turn may do at every table."""
        self.each(kernels.legal_actions, self.config, self.rows, self._mask, self.low, self.high)
        return Legal(self._mask, self.low, self.high)

    def step(
        self, kinds: ArrayLike, amounts: ArrayLike | None = None, seats: ArrayLike | None = None
    ) -> NDArray[np.uint8]:
        """Take an action at every table, by `Kind`, and -1 to leave a table alone; `amounts` are for BET.

        Return 0 where the action was taken, else why it was refused, by its place in `CODES`; nothing has changed
        there. Without `seats` it is the seat in turn that acts.
        """
        chosen = numbers("kinds", kinds, np.int8, self.tables, KINDS)
        sizes = self.amounts if amounts is None else numbers("amounts", amounts, np.int64, self.tables)
        by = _NOBODY_NAMED if seats is None else numbers("seats", seats, np.int64, self.tables)
        self.each(kernels.take_actions, self.config, self.rows, chosen, sizes, by, self._refused)
        return self._refused

    def observe(self, seats: ArrayLike | None = None, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """What the seat in turn, or each of `seats`, may know of its table, as `layout()` describes it."""
        viewers = spread("seats", self.turn if seats is None else seats, np.int64, (self.tables,))
        filled = self.observation(out, layout().size)
        self.each(kernels.fill_observations, self.config, self.rows, viewers, filled)
        return filled

    def payoffs(self) -> NDArray[np.int64]:
        """What each seat won or lost, in chips or, in a game without bets, in points; 0 where the round goes on."""
        return np.where(self.over[:, np.newaxis], self.rows["result"][:, : self.seats], 0)

    def random_actions(self, legal: Legal) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
        """An action of these for every table: every offer is equally likely, and every bet in its range."""
        kernel, legal = kernels.choose_actions, self.offers(legal, KINDS)
        self.each(kernel, self.policy, legal.mask, legal.low, legal.high, self.kinds, self.amounts)
        return self.kinds, self.amounts

    def play_random(self, rounds: int) -> tuple[NDArray[np.int64], int]:
        """Play so many whole rounds at random at each table, without coming back to Python.

        Return what each seat won in all, and the number of actions.
        """
        rounds = whole("rounds", rounds, 1, ROUNDS_MAX)
        totals = np.zeros((self.tables, self.seats), np.int64)
        return totals, self.each(kernels.play_rounds, self.config, self.rows, self.policy, rounds, totals)

    def setup(self, table: int) -> BlackjackSetup:
        """What the round at a table began from, for the plain rules."""
        from croupier.cards import PACK

        row = self.rows[self.table(table)]
        dealer = int(row["dealer_at"])
        gone = tuple(PACK[number] for number in row["shoe"][: row["gone"]])
        return BlackjackSetup(tuple(row["began"][: self.seats].tolist()), dealer if dealer >= 0 else None, gone)

    def refusal(self, table: int, code: int, kind: int, amount: int = 0, seat: int | None = None) -> Refusal:
        """A refused action's code with the facts that a message needs, while nothing else was done at the table."""
        row, rules = self.rows[self.table(table)], self.rules
        by = int(row["turn"]) if seat is None else whole("seat", seat, None, None)
        name = CODES[whole("code", code, 0, len(CODES) - 1)]
        facts: dict[str, Any] = {}
        match name:
            case Code.NO_SUCH_SEAT:
                facts = {"seat": by, "seats": self.seats}
            case BlackjackCode.PLACE_A_BET_FIRST:
                facts = {"low": rules.bet_min, "high": rules.bet_max}
            case BlackjackCode.BET_OUT_OF_RANGE:
                facts = {"amount": amount, "low": rules.bet_min, "high": rules.bet_max}
            case BlackjackCode.INSUFFICIENT_FUNDS:
                place = by * HANDS + (0 if row["undecided"] else int(row["hand"]))
                needed = amount if kind == 0 else int(row["hand_bet"][place])
                facts = {"needed": needed, "available": int(row["purse"][by])}
            case BlackjackCode.DECIDE_INSURANCE_FIRST:
                facts = {"insurance": int(row["bet"][by]) // 2}
            case BlackjackCode.CANNOT_DOUBLE:
                facts = {"double": rules.double}
            case BlackjackCode.CANNOT_SPLIT:
                facts = {"hands": rules.hands_max}
            case BlackjackCode.CANNOT_SURRENDER:
                facts = {"surrender": rules.surrender}
        return Refusal(name, facts)


def layout() -> Layout:
    """The parts of an observation. Amounts are shares of the purse that the round began with."""
    from croupier.lab.batch.blackjack.state import Kind

    return Layout(
        (
            Part("phase", 5, "betting, playing, over; must decide before the dealer looks; has the turn"),
            Part(
                "dealer", kernels.VALUES + 2, "the up card by its points from 1, the open total out of 32, has an ace"
            ),
            Part("chips", 3, "purse, bet, insurance"),
            Part(
                "hands",
                8 * HANDS,
                "for each hand of the viewer: is there, hard total out of 32, has an ace, cards out of 16, is a pair, "
                "bet, has the turn, doubled",
            ),
            Part("shoe", kernels.VALUES, "for each value from 1, the share of its cards that may still come"),
        ),
        tuple(kind.name.lower() for kind in Kind),
    )


def describe(observation: NDArray[np.float32]) -> str:
    """An observation as readable text: its parts, and what is not 0 in them."""
    return described(layout(), observation.tolist())
