"""Plays a hand history through the engine, action by action.

Where a record leaves open what the engine asks, it is read as people mean it: a player who is passed over while
checking is free has checked; hole cards that are not given are unknown; a hand that is never shown is mucked, unless
its cards are given and win. A check by a player with nobody left to play against, whom the engine does not ask, is
taken as said. Everything else that the rules do not allow is a fault, with the place of the action in the list.
"""

from decimal import Decimal
from typing import Final, assert_never

import msgspec

from croupier.cards import Card
from croupier.game.game import Draw, Over, Step, offered
from croupier.game.refusal import Code, Refusal
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
from croupier.games.poker.histories.phh.notation import (
    DECIMALS_MAX,
    BettingTo,
    BoardDealing,
    CheckingOrCalling,
    Folding,
    HoleDealing,
    PhhAction,
    PhhCode,
    PhhHand,
    Remark,
    Showing,
    parse,
)
from croupier.games.poker.rules.config import CHIPS_MAX
from croupier.games.poker.rules.events import HoldemEvent, Street
from croupier.games.poker.rules.setup import ForcedBets
from croupier.games.poker.rules.state import NOBODY
from croupier.table.round import Move, Round

CENTS: Final = 2
"""A hand with any fraction is played in at least so many decimals, because that is what its chips are worth."""
_RULES: Final = HoldemRules(mode=Mode.CASH)
_AMOUNTS: Final = frozenset({"low", "high", "toCall", "bet", "stack"})
_UNKNOWN_STACK: Final = CHIPS_MAX // 100


class Fault(msgspec.Struct, frozen=True):
    """What is wrong, and at which action (from 1; 0: before the first)."""

    action: int
    text: str
    refusal: Refusal


class Outcome(msgspec.Struct, frozen=True):
    """What a hand came to. `stacks` are None for a player whose stack is not known.

    A record may stop before the hand is over: then `is_over` is false and the stacks are what lies behind now. `played`
    is the hand as a round, in chips of the smallest amount that the file can write; None where it stops for cards.
    """

    stacks: tuple[Decimal | None, ...] = ()
    payouts: tuple[Decimal, ...] = ()
    is_over: bool = False
    fault: Fault | None = None
    played: Round | None = None


def replay(hand: PhhHand) -> Outcome:
    """Plays every action of the hand."""
    actions = []
    for number, text in enumerate(hand.actions, start=1):
        action = parse(text)
        if isinstance(action, Refusal):
            return Outcome(fault=Fault(number, text, action))
        actions.append(action)
    decimals = _decimals(hand, actions)
    if decimals > DECIMALS_MAX:
        refusal = Refusal(PhhCode.PHH_TOO_MANY_DECIMALS, {"decimals": decimals, "allowed": DECIMALS_MAX})
        return Outcome(fault=Fault(0, "", refusal))
    chips = Decimal(10) ** decimals
    cards = _Cards(hand, actions)
    if cards.fault is not None:
        return Outcome(fault=cards.fault)
    opened = _RULES.opening(_setup(hand, chips))
    if isinstance(opened, Refusal):
        return Outcome(fault=Fault(0, "", opened))
    return _Replay(hand, opened.state, cards, chips).run(actions)


def _decimals(hand: PhhHand, actions: list[PhhAction]) -> int:
    """How many decimals a chip of this hand has."""
    amounts = [*hand.stacks, *hand.antes, *hand.blinds, hand.bet_min, hand.opening_bet]
    amounts += [action.amount for action in actions if isinstance(action, BettingTo)]
    exponents = [amount.normalize().as_tuple().exponent for amount in amounts if amount.is_finite()]
    places = [-exponent for exponent in exponents if isinstance(exponent, int)]
    most = max(0, *places)
    return max(most, CENTS) if most else 0


def _setup(hand: PhhHand, chips: Decimal) -> HoldemSetup:
    """The hand's beginning: player 1 sits left of the button, the last player on it. Heads-up the forced bets are
    written the other way round. The format takes any first raise of a street, however short, to reopen the betting."""
    stacks = tuple(int(stack * chips) if stack.is_finite() else _UNKNOWN_STACK for stack in hand.stacks)
    turned = -1 if len(stacks) == 2 else 1
    antes = tuple(int(ante * chips) for ante in hand.antes[::turned])
    posts = tuple(int(blind * chips) for blind in hand.blinds[::turned])
    posted = [
        min(abs(post), max(stack - ante, 0)) * (1 if post > 0 else -1)
        for post, ante, stack in zip(posts, antes, stacks, strict=True)
    ]
    last_to_act = max(range(len(posted)), key=lambda player: (max(posted[player], 0), player))
    forced = ForcedBets(
        blinds=tuple(abs(post) for post in posts),
        antes=antes,
        antes_dead=not hand.antes_trimmed,
        bet_min=int(hand.bet_min * chips),
        reopening_min=0,
        opening_bet=int(hand.opening_bet * chips),
        first=(last_to_act + 1) % len(stacks),
    )
    return HoldemSetup(stacks=stacks, button=len(stacks) - 1, forced=forced)


class _Cards:
    """Who holds what, from all that the record tells anywhere, and who shows or mucks."""

    def __init__(self, hand: PhhHand, actions: list[PhhAction]) -> None:
        self.fault: Fault | None = None
        self.dealt: dict[int, list[Card | None]] = {}
        self.shows: dict[int, tuple[Card | None, ...]] = {}
        self.mucks: set[int] = set()
        for number, (text, action) in enumerate(zip(hand.actions, actions, strict=True), start=1):
            refusal = self._note(action, len(hand.stacks))
            if refusal is not None:
                self.fault = Fault(number, text, refusal)
                return
        self.fault = self._repeated(hand, actions)

    def hole(self, player: int) -> tuple[Card | None, Card | None]:
        """The two cards to deal; a hand that the record mucks stays unknown, because it cannot win."""
        if player in self.mucks:
            return (None, None)
        cards = self.shows.get(player) or tuple(self.dealt.get(player, ()))
        first, second, *_ = (*cards, None, None)
        return (first, second)

    def _note(self, action: PhhAction, players: int) -> Refusal | None:
        if isinstance(action, BoardDealing | Remark):
            return None
        player = action.player
        if player >= players:
            return Refusal(PhhCode.PHH_NO_SUCH_PLAYER, {"player": player + 1, "players": players})
        if isinstance(action, HoleDealing):
            cards = self.dealt.setdefault(player, [])
            cards += action.cards
            if len(cards) > 2:
                return Refusal(PhhCode.PHH_TOO_MANY_CARDS, {"cards": len(cards), "allowed": 2})
        if isinstance(action, Showing):
            if len(action.cards) > 2:
                return Refusal(PhhCode.PHH_TOO_MANY_CARDS, {"cards": len(action.cards), "allowed": 2})
            if len(action.cards) == 2 and None not in action.cards:
                self.shows[player] = action.cards
            elif not action.dealt:
                self.mucks.add(player)
        return None

    def _repeated(self, hand: PhhHand, actions: list[PhhAction]) -> Fault | None:
        """The first card that is in two places."""
        seen: dict[Card, int] = {}
        board = -1
        for number, (text, action) in enumerate(zip(hand.actions, actions, strict=True), start=1):
            if not isinstance(action, HoleDealing | BoardDealing | Showing):
                continue
            place = board if isinstance(action, BoardDealing) else action.player
            for card in action.cards:
                known_again = isinstance(action, Showing) and seen.get(card) == place if card else True
                if card is None or known_again:
                    continue
                if card in seen:
                    return Fault(number, text, Refusal(PhhCode.PHH_REPEATED_CARD, {"card": str(card)}))
                seen[card] = place
        return None


class _Replay:
    """A hand on its way through the engine."""

    def __init__(self, hand: PhhHand, state: Hand, cards: _Cards, chips: Decimal) -> None:
        self.hand, self.state, self.cards, self.chips = hand, state, cards, chips
        self.board: list[Card] = []
        self.dealt: list[Card | None] = []
        self.moves: list[Move] = []

    def run(self, actions: list[PhhAction]) -> Outcome:
        self._deal()
        for number, (text, action) in enumerate(zip(self.hand.actions, actions, strict=True), start=1):
            refusal = self._do(action)
            if refusal is not None:
                return Outcome(fault=Fault(number, text, refusal))
            self._deal()
        if self.board:
            refusal = Refusal(PhhCode.PHH_TOO_MANY_CARDS, {"cards": 5 + len(self.board), "allowed": 5})
            return Outcome(fault=Fault(len(actions), self.hand.actions[-1], refusal))
        if self._winner_is_a_guess():
            return Outcome(fault=Fault(len(actions), "", Refusal(PhhCode.PHH_WINNER_UNKNOWN)))
        return self._outcome()

    def _outcome(self) -> Outcome:
        behind = zip(self.hand.stacks, self.state.stacks, self.state.setup.stacks, strict=True)
        stacks, payouts = [], []
        for written, now, began in behind:
            payouts.append((now - began) / self.chips)
            stacks.append(Decimal(now) / self.chips if written.is_finite() else None)
        awaits, setup = _RULES.awaits(self.state), self.state.setup
        played = Round(_RULES, setup, self.state, awaits, dealt=tuple(self.dealt), moves=tuple(self.moves))
        is_over = isinstance(awaits, Over)
        return Outcome(tuple(stacks), tuple(payouts), is_over, played=None if isinstance(awaits, Draw) else played)

    def _do(self, action: PhhAction) -> Refusal | None:
        match action:
            case HoleDealing() | Remark():
                return None
            case BoardDealing(cards=cards):
                return self._turn_cards(cards)
            case Showing(player=player):
                shown = player in self.state.live
                return None if shown else Refusal(PhhCode.PHH_NOT_IN_HAND, {"player": player + 1})
            case Folding(player=player):
                self._pass_to(player)
                return self._act(player, Fold())
            case CheckingOrCalling(player=player):
                if self._is_needless(player):
                    return None
                self._pass_to(player)
                free = self.state.bet == self.state.bets[player]
                return self._act(player, Check() if free else Call())
            case BettingTo(player=player, amount=amount):
                self._pass_to(player)
                return self._act(player, self._bet(player, int(amount * self.chips)))
            case _:
                assert_never(action)

    def _bet(self, player: int, to: int) -> HoldemAction:
        if to == self.state.bets[player] + self.state.stacks[player]:
            return AllIn()
        if self.hand.opening_bet and to == self.state.bet > self.state.bets[player]:
            # The full price of a call where the big blind was short.
            return Call()
        return Raise(to) if self.state.bet else Bet(to)

    def _turn_cards(self, cards: tuple[Card, ...]) -> Refusal | None:
        self.board += cards
        while self._can_check():
            self._act(self.state.turn, Check())
        waiting = _RULES.awaits(self.state)
        if isinstance(waiting, Draw):
            return None
        if isinstance(waiting, Over):
            return Refusal(Code.ROUND_OVER)
        return Refusal(PhhCode.PHH_BOARD_TOO_EARLY, {"player": self.state.turn + 1})

    def _pass_to(self, player: int) -> None:
        """Players before this one who are passed over while checking is free have checked."""
        if player not in self.state.live:
            return
        while self.state.turn != player and self._can_check():
            self._act(self.state.turn, Check())

    def _can_check(self) -> bool:
        state = self.state
        betting = state.turn != NOBODY and state.street is not Street.SHOWDOWN
        return betting and state.bet == state.bets[state.turn]

    def _is_needless(self, player: int) -> bool:
        """Whether this is the check of the only player with chips left, whom the engine does not ask."""
        state = self.state
        return state.turn == NOBODY and len(state.able) < 2 and player in state.live and state.stacks[player] > 0

    def _act(self, player: int, action: HoldemAction) -> Refusal | None:
        if isinstance(_RULES.awaits(self.state), Draw):
            return Refusal(PhhCode.PHH_BOARD_MISSING)
        step = _RULES.act(self.state, player, action)
        if isinstance(step, Refusal):
            return self._in_file_units(step)
        self.moves.append(Move(player, action))
        self._take(step)
        return None

    def _in_file_units(self, refusal: Refusal) -> Refusal:
        """The refusal with its amounts as the file writes amounts."""
        facts = dict(refusal.facts)
        for name in _AMOUNTS & facts.keys():
            amount = facts[name]
            assert isinstance(amount, int)
            facts[name] = str(Decimal(amount) / self.chips)
        return Refusal(refusal.code, facts)

    def _take(self, step: Step[Hand, HoldemEvent]) -> None:
        self.state = step.state
        while self.state.street is Street.SHOWDOWN and self.state.turn != NOBODY:
            seat = self.state.turn
            shows = seat in self.cards.shows and offered(self.state.offers, Show())
            action = Show() if shows else Muck()
            decided = _RULES.act(self.state, seat, action)
            assert isinstance(decided, Step), "a beaten hand may be shown or mucked"
            self.moves.append(Move(seat, action))
            self.state = decided.state

    def _deal(self) -> None:
        """Gives the engine the cards it waits for, as far as the record has come."""
        while isinstance(waiting := _RULES.awaits(self.state), Draw):
            if not self.state.hole:
                hole = [self.cards.hole(seat) for seat in self.state.order]
                cards: tuple[Card | None, ...] = tuple(two[number] for number in (0, 1) for two in hole)
            elif len(self.board) >= waiting.count - 1:
                cards = (None, *self.board[: waiting.count - 1])
                del self.board[: waiting.count - 1]
            else:
                return
            self.dealt += cards
            self._take(_RULES.deal(self.state, cards))

    def _winner_is_a_guess(self) -> bool:
        """Whether a pot went to an unknown hand though another unknown one was not given up in the record."""
        if not isinstance(_RULES.awaits(self.state), Over) or len(self.state.live) < 2:
            return False
        unseen = [seat for seat in self.state.live if seat not in self.state.shown and seat not in self.cards.mucks]
        for award in self.state.awards:
            if award.category is None and (award.winners[0] in self.cards.mucks or len(unseen) > 1):
                return True
        return False
