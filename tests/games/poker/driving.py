"""Playing hands in tests: the deck is written down, the seats act by name of what they do."""

import random
from collections.abc import Mapping

from croupier.cards import Card, cards
from croupier.game.game import Draw, Over, Step, Turn
from croupier.game.refusal import Refusal
from croupier.games.poker import (
    AllIn,
    Bet,
    Call,
    Check,
    Fold,
    Hand,
    HoldemAction,
    HoldemRules,
    HoldemSetup,
    Mode,
    Muck,
    Raise,
    Show,
)
from croupier.games.poker.rules.events import HoldemEvent, Pot

CASH = HoldemRules(mode=Mode.CASH)


class Table:
    """One hand, played step by step. Cards are dealt as written; what is not written is any other card."""

    def __init__(
        self,
        setup: HoldemSetup,
        hole: Mapping[int, str] | None = None,
        board: str = "",
        rules: HoldemRules = CASH,
    ) -> None:
        self.rules = rules
        self.hole = {seat: cards(text) for seat, text in (hole or {}).items()}
        self.board = list(cards(board))
        written = {card for held in self.hole.values() for card in held} | set(self.board)
        self.spare = [card for card in rules.pack_cards if card not in written]
        self.events: list[HoldemEvent] = []
        step = rules.opening(setup)
        assert isinstance(step, Step), step
        self._take(step)

    @property
    def turn(self) -> int | None:
        waiting = self.rules.awaits(self.state)
        return waiting.seats[0] if isinstance(waiting, Turn) else None

    @property
    def is_over(self) -> bool:
        return isinstance(self.rules.awaits(self.state), Over)

    @property
    def menu(self) -> dict[str, tuple[int, int]]:
        """The offers to the seat in turn: the action's name, with its range."""
        assert self.turn is not None
        offers = self.rules.menu(self.state, self.turn)
        return {type(offer.action).__name__: (offer.low, offer.high) for offer in offers}

    def attempt(self, seat: int, action: HoldemAction) -> Step[Hand, HoldemEvent] | Refusal:
        return self.rules.act(self.state, seat, action)

    def act(self, seat: int, action: HoldemAction) -> "Table":
        step = self.attempt(seat, action)
        assert isinstance(step, Step), f"seat {seat} {action}: {step}"
        self._take(step)
        return self

    def fold(self, *seats: int) -> "Table":
        for seat in seats:
            self.act(seat, Fold())
        return self

    def check(self, *seats: int) -> "Table":
        for seat in seats:
            self.act(seat, Check())
        return self

    def call(self, *seats: int) -> "Table":
        for seat in seats:
            self.act(seat, Call())
        return self

    def all_in(self, *seats: int) -> "Table":
        for seat in seats:
            self.act(seat, AllIn())
        return self

    def bet(self, seat: int, amount: int) -> "Table":
        return self.act(seat, Bet(amount))

    def raise_to(self, seat: int, to: int) -> "Table":
        return self.act(seat, Raise(to))

    def show(self, seat: int) -> "Table":
        return self.act(seat, Show())

    def muck(self, seat: int) -> "Table":
        return self.act(seat, Muck())

    def leave(self, seat: int) -> "Table":
        step = self.rules.leave(self.state, seat)
        assert isinstance(step, Step), step
        self._take(step)
        return self

    def told(self, kind: type[HoldemEvent]) -> list[HoldemEvent]:
        return [event for event in self.events if isinstance(event, kind)]

    def _take(self, step: Step[Hand, HoldemEvent]) -> None:
        self.state: Hand = step.state
        self.events += [told.event for told in step.told]
        while isinstance(waiting := self.rules.awaits(self.state), Draw):
            dealt = self._board(waiting.places) if self.state.hole else self._hole()
            step = self.rules.deal(self.state, dealt)
            self.state = step.state
            self.events += [told.event for told in step.told]

    def _hole(self) -> tuple[Card, ...]:
        count = self.rules.hole_cards
        held = {seat: self.hole.get(seat) or [self.spare.pop() for _ in range(count)] for seat in self.state.order}
        return tuple(held[seat][number] for number in range(count) for seat in self.state.order)

    def _board(self, places: tuple[str, ...]) -> tuple[Card, ...]:
        # The burned cards are some of the spare ones.
        return tuple(
            [(self.spare if place.startswith("burn") else self.board or self.spare).pop(0) for place in places]
        )


def stacks(*chips: int, button: int = 0, hand: int = 1) -> HoldemSetup:
    return HoldemSetup(stacks=chips, button=button, hand=hand)


def random_action(rules: HoldemRules, state: Hand, seat: int, chance: random.Random) -> HoldemAction:
    """Any offer; where an amount is open, mostly a small one, so that hands last. Folds for free are rare."""
    offers = rules.menu(state, seat)
    weights = [_weight(offer.action, state.bet > state.bets[seat]) for offer in offers]
    offer = chance.choices(offers, weights)[0]
    if not offer.field:
        return offer.action
    span = offer.high - offer.low
    return offer.choose(
        offer.low + (chance.randint(0, span) if chance.random() < 0.3 else chance.randint(0, span // 8))
    )


def _weight(action: HoldemAction, faces_bet: bool) -> float:
    match action:
        case Fold():
            return 1.5 if faces_bet else 0.05
        case AllIn():
            return 0.6
        case Bet() | Raise():
            return 1.5
        case _:
            return 3.0


def thrown_together(hand: Hand, formed: tuple[Pot, ...]) -> tuple[int, ...] | None:
    """Our final stacks, had pots with the same possible winners been split as one, as PokerKit does.

    None where that cannot be said: a low for one pot only, or a board that nothing was left for.
    """
    stacks = list(hand.stacks)
    winners = {seat for award in hand.awards for seat in award.winners}
    together: dict[tuple[int, ...], int] = {}
    won: dict[tuple[tuple[int, ...], int, bool], tuple[int, ...]] = {}
    for award in hand.awards:
        for seat, share in zip(award.winners, award.shares, strict=True):
            stacks[seat] -= share
        possible = tuple(seat for seat in formed[award.pot].seats if seat in winners) if formed else award.winners
        together[possible] = together.get(possible, 0) + award.amount
        won[possible, award.board, award.low] = award.winners
    boards = 1 + len(hand.other_boards) if len(hand.live) > 1 else 1
    with_low = {award.board for award in hand.awards if award.low}
    for possible, amount in together.items():
        for board in range(boards):
            for_board = amount // boards + (amount % boards if board == 0 else 0)
            lows = 1 + (board in with_low)
            for low in range(lows):
                part = for_board // lows + (for_board % lows if low == 0 else 0)
                if not part:
                    continue
                if (possible, board, low == 1) not in won:
                    return None
                share, odd = divmod(part, len(won[possible, board, low == 1]))
                for number, seat in enumerate(won[possible, board, low == 1]):
                    stacks[seat] += share + (odd if number == 0 else 0)
    return tuple(stacks)
