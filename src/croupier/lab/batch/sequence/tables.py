"""A batch of games of Sequence: what a user of the engine calls."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from croupier.game.refusal import Code as CommonCode
from croupier.game.refusal import OptionError, Refusal
from croupier.games.sequence import HOUSE
from croupier.games.sequence.environment import COPIES, SequenceEncoding
from croupier.games.sequence.rules.board import CELL_COUNT, CELLS_OF, cells_in
from croupier.games.sequence.rules.cards import PACK, CardId
from croupier.games.sequence.rules.codes import Code
from croupier.games.sequence.rules.rules import SequenceRules
from croupier.games.sequence.rules.state import SequenceSetup
from croupier.lab.batch.arrays import ROUNDS_MAX, Engine, numbers, rules_of, spread, whole
from croupier.lab.batch.seeds import Seed, Stream, table_states
from croupier.lab.batch.sequence import kernels
from croupier.lab.batch.sequence.state import (
    CODES,
    NOBODY,
    NOT_OFFERED,
    NUMBERS,
    PACK_SIZE,
    TABLE,
    Kind,
    new_config,
)

_COPIES = np.array(COPIES, np.float64)


class SequenceTables(Engine):
    """Games of Sequence that are stepped at once, under the rules of `SequenceRules`.

    Actions and observations are those of `games.sequence.environment`: an action is a number, of a cell or of a face to
    exchange, and the first card of the hand that can do it is played. `step_cards` names the card. Arrays that methods
    return are overwritten by the next call of the same method. The same seed gives the same deals on any `threads`.
    """

    def __init__(
        self, tables: int, seats: int = 2, rules: SequenceRules = HOUSE, *, seed: Seed = 0, threads: int = 1
    ) -> None:
        super().__init__(tables, threads)
        tables, seats = self.tables, whole("seats", seats, None, None)
        setup = rules_of(SequenceRules, rules).setup(seats)
        opened = rules.opening(setup)
        if isinstance(opened, Refusal):
            raise OptionError(opened)
        self.rules, self.seats, self.teams = rules, seats, setup.teams
        self.config = new_config(rules, seats, setup.teams)
        self.rows = np.zeros(tables, TABLE)
        self.rows["turn"] = self.rows["winner"] = NOBODY
        self.rows["first_seat"] = seats - 1
        self.rows["pack"] = np.arange(PACK_SIZE)
        self.layout = SequenceEncoding.layout
        self._mask = np.zeros((tables, NUMBERS), np.bool_)
        self._moves = np.zeros((tables, 3), np.int64)
        self._refused = np.zeros(tables, np.uint8)
        self.policy = np.zeros(tables, np.uint64)
        self.seed(seed)

    def seed(self, seed: Seed, where: ArrayLike | None = None) -> None:
        """Restart the random numbers, those of the deals and those of random play, at every table or at those that
        `where` marks. A game that is being played there is called off: nobody has won."""
        chosen, rows = self.chosen(where), self.rows
        rows["chance"][chosen] = table_states(seed, self.tables, Stream.DEALS)[chosen]
        self.policy[chosen] = table_states(seed, self.tables, Stream.PLAY)[chosen]
        rows["pack"][chosen] = np.arange(PACK_SIZE)
        rows["turn"][chosen] = rows["winner"][chosen] = NOBODY

    @property
    def turn(self) -> NDArray[np.int8]:
        """The seat to act; -1 where the game is over."""
        return self.rows["turn"]

    @property
    def over(self) -> NDArray[np.bool_]:
        """Where the game is over."""
        over: NDArray[np.bool_] = self.rows["turn"] == NOBODY
        return over

    def reset(
        self,
        where: ArrayLike | None = None,
        *,
        first_seats: ArrayLike | None = None,
        cards: ArrayLike | None = None,
    ) -> None:
        """Begin a game at every table, or at those that `where` marks.

        The first seat is the one after the last first seat, or as `first_seats` says. `cards` has a row of cards a
        table, by their places in `PACK`, in the order of dealing; the others are drawn.
        """
        chosen, rows = self.chosen(where), self.rows
        following = (rows["first_seat"].astype(np.int64) + 1) % self.seats
        first = following if first_seats is None else spread("first_seats", first_seats, np.int64, (self.tables,))
        wrong = first[chosen & ((first < 0) | (first >= self.seats))]
        if len(wrong):
            raise OptionError(Refusal(CommonCode.NO_SUCH_SEAT, {"seat": int(wrong[0]), "seats": self.seats}))
        given = np.zeros((self.tables, 0), np.int64) if cards is None else self._cards(cards)
        # A stable sort puts the given cards first, in their order; after a reshuffle the pack is whole again, too.
        place = np.full((self.tables, PACK_SIZE), PACK_SIZE)
        np.put_along_axis(place, given, np.arange(given.shape[1])[np.newaxis], axis=1)
        whole = np.argsort(place, axis=1, kind="stable")
        np.copyto(rows["pack"], whole.astype(np.int8), where=chosen[:, np.newaxis])
        np.copyto(rows["given"], given.shape[1], where=chosen, casting="unsafe")
        np.copyto(rows["first_seat"], first.astype(np.int8), where=chosen)
        self.each(kernels.begin_games, self.config, rows, chosen)

    def legal(self) -> NDArray[np.bool_]:
        """Which numbered actions the seat in turn may take, a row a table."""
        self.each(kernels.legal_numbers, self.config, self.rows, self._mask)
        return self._mask

    def step(self, actions: ArrayLike) -> NDArray[np.uint8]:
        """Take a numbered action at every table, and -1 to leave a table alone.

        Return 0 where it was taken; elsewhere it is not legal, and nothing has changed.
        """
        chosen = numbers("actions", actions, np.int64, self.tables)
        self.each(kernels.take_numbers, self.config, self.rows, chosen, self._refused, NOT_OFFERED)
        return self._refused

    def step_cards(
        self, kinds: ArrayLike, cards: ArrayLike, cells: ArrayLike, seats: ArrayLike | None = None
    ) -> NDArray[np.uint8]:
        """Play a card at every table: by `Kind` (-1 leaves a table alone), place in `PACK`, and cell.

        Return 0 where it was taken, else why it was refused, by its place in `CODES`; nothing has changed there.
        """
        moves = np.empty((self.tables, 3), np.int64)
        moves[:, 0] = numbers("kinds", kinds, np.int64, self.tables)
        moves[:, 1] = numbers("cards", cards, np.int64, self.tables)
        moves[:, 2] = numbers("cells", cells, np.int64, self.tables)
        by = self.rows["seat"].astype(np.int64) if seats is None else numbers("seats", seats, np.int64, self.tables)
        self.each(kernels.take_cards, self.config, self.rows, by, moves, self._refused)
        return self._refused

    def observe(self, seats: ArrayLike | None = None, out: NDArray[np.float32] | None = None) -> NDArray[np.float32]:
        """What the seat in turn, or each of `seats`, may know of its game, as `layout` describes it."""
        viewers = spread("seats", self.turn if seats is None else seats, np.int64, (self.tables,))
        filled = self.observation(out, self.layout.size)
        self.each(kernels.fill_observations, self.config, self.rows, viewers, _COPIES, filled)
        return filled

    def payoffs(self) -> NDArray[np.int64]:
        """Each seat's points where the game is over: a loser pays one, a winner gets one from each other team."""
        winner = self.rows["winner"].astype(np.int64)[:, np.newaxis]
        won = np.where(np.arange(self.seats) % self.teams == winner, self.teams - 1, -1)
        return np.where(winner == NOBODY, 0, won)

    def random_moves(self) -> NDArray[np.int64]:
        """A legal action at every table, as kind, card and cell: every card equally likely, then every cell of it."""
        self.each(kernels.choose_moves, self.config, self.rows, self.policy, self._moves)
        return self._moves

    def play_random(self, games: int) -> tuple[NDArray[np.int64], int]:
        """Play so many whole games at random at each table, without coming back to Python.

        Return the wins of each team, and the number of actions.
        """
        games = whole("games", games, 1, ROUNDS_MAX)
        wins = np.zeros((self.tables, self.teams), np.int64)
        return wins, self.each(kernels.play_games, self.config, self.rows, self.policy, games, wins)

    def setup(self, table: int) -> SequenceSetup:
        """What the game at a table began from, for the plain rules."""
        first_seat = int(self.rows["first_seat"][self.table(table)])
        return SequenceSetup(seats=self.seats, teams=self.teams, first_seat=first_seat)

    def refusal(self, table: int, code: int, kind: int, card: int, cell: int, seat: int) -> Refusal:
        """A refused action's code with the facts that a message needs, while nothing else was done at the table."""
        name = CODES[whole("code", code, 0, len(CODES) - 1)]
        facts: dict[str, Any] = {}
        card = whole("card", card, None, None)
        named = PACK[card] if 0 <= card < PACK_SIZE else CardId("")
        match name:
            case CommonCode.NO_SUCH_SEAT:
                facts = {"seat": seat, "seats": self.seats}
            case CommonCode.NOT_YOUR_TURN:
                facts = {"turn": int(self.rows["seat"][table])}
            case Code.JACK_NEEDS_OWN_ACTION:
                wild = int(self.config["kinds"][0, card]) == Kind.WILD
                facts = {"card": named, "action": "TURN_PLAY_JACK_WILD" if wild else "TURN_PLAY_JACK_REMOVE"}
            case Code.DEAD_CARD:
                facts = {"card": named, "cells": cells_in(CELLS_OF[named])}
            case Code.WRONG_CELL:
                facts = {"card": named, "cell": cell, "cells": cells_in(CELLS_OF[named])}
            case Code.NO_SUCH_CELL:
                facts = {"cell": cell, "low": 0, "high": CELL_COUNT - 1}
            case Code.CELL_TAKEN | Code.CORNER_IS_FREE | Code.CELL_JUST_CLEARED:
                facts = {"cell": cell}
            case Code.NOT_OPPONENT_CHIP | Code.CHIP_PROTECTED:
                facts = {"cell": cell}
            case CommonCode.ROUND_OVER | CommonCode.NOT_OFFERED:
                facts = {}
            case _:
                facts = {"card": named}
        return Refusal(name, facts)

    def _cards(self, cards: ArrayLike) -> NDArray[np.int64]:
        given = np.asarray(cards)
        if given.dtype.kind not in "iu" or given.ndim != 2 or len(given) != self.tables or given.shape[1] > PACK_SIZE:
            raise ValueError(
                f"cards must be places in PACK of the shape ({self.tables}, 0 to {PACK_SIZE}), not {given.shape}"
            )
        if given.size and (given.min() < 0 or given.max() >= PACK_SIZE):
            raise ValueError(f"cards must be 0 to {PACK_SIZE - 1}")
        ordered = np.sort(given, axis=1)
        twice = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
        if twice.any():
            raise ValueError(f"cards of table {int(twice.argmax())} have a card more than once")
        return given.astype(np.int64)
