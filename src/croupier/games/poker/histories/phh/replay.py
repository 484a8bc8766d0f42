"""Plays a hand history through the engine, action by action.

Where a record leaves open what the engine asks, it is read as people mean it: a player who is passed over while
checking is free has checked; hole cards that are not given are unknown; a hand that is never shown is mucked, unless
its cards are given and win. A player who says nothing of a hand before the run-out and shows it later has shown it;
where nobody shows, the hands that are given count. A check by a player with nobody left to play against, whom the
engine does not ask, is taken as said. Everything else that the rules do not allow is a fault, with the place of the
action in the list.

What the players took is what the record says (`result`): the house took the rest of the pots. The cards decide where
the record does not say it.
"""

from decimal import Decimal
from operator import sub
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
    HoldemSetup,
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
    with_dead_posts,
)
from croupier.games.poker.histories.phh.result import recorded_winnings, same_winners
from croupier.games.poker.rules.config import CHIPS_MAX
from croupier.games.poker.rules.events import BetReturned, HoldemEvent, Street
from croupier.games.poker.rules.setup import ForcedBets
from croupier.games.poker.rules.state import NOBODY
from croupier.table.round import Move, Round

CENTS: Final = 2
"""A hand with any fraction is played in at least so many decimals, because that is what its chips are worth."""
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
    is the hand as a round, in chips of the smallest amount that the file can write; None where it stops for cards. It
    stops at the showdown where unknown hands won. `decimals` of an amount make one chip.
    """

    stacks: tuple[Decimal | None, ...] = ()
    payouts: tuple[Decimal, ...] = ()
    is_over: bool = False
    fault: Fault | None = None
    played: Round | None = None
    decimals: int = 0
    winnings: tuple[Decimal, ...] = ()
    """What each player took from the pots."""
    raked: tuple[Decimal, ...] = ()
    """What the house kept of what each player won by the cards; nothing where the record has other winners."""
    rake: Decimal = Decimal(0)
    agrees: bool | None = None
    """Whether the record's own result is what the cards say; None where it has none."""


def replay(hand: PhhHand) -> Outcome:
    """Plays every action of the hand.

    Some records write a dead small blind like a live one: it is taken for dead where only then the result fits.
    """
    outcome = _played(hand)
    if outcome.agrees is not False or (other := with_dead_posts(hand)) is None:
        return outcome
    again = _played(other)
    return again if again.agrees else outcome


def _played(hand: PhhHand) -> Outcome:
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
    opened = hand.rules.opening(_setup(hand, chips))
    if isinstance(opened, Refusal):
        return Outcome(fault=Fault(0, "", opened))
    return _Replay(hand, opened.state, cards, decimals).run(actions)


def _decimals(hand: PhhHand, actions: list[PhhAction]) -> int:
    """How many decimals a chip of this hand has."""
    amounts = [*hand.stacks, *hand.antes, *hand.blinds, *hand.seven_deuce, hand.bet_min, hand.opening_bet]
    amounts += [action.amount for action in actions if isinstance(action, BettingTo)]
    places = [_places(amount) for amount in amounts]
    # What the players took may be finer than what they bet: rake is.
    stated = map(_places, (*(hand.winnings or ()), *(hand.finishing_stacks or ())))
    places += [decimals for decimals in stated if decimals <= CENTS]
    most = max(0, *places)
    return max(most, CENTS) if most else 0


def _places(amount: Decimal) -> int:
    """How many decimals an amount has, without zeros at its end."""
    exponent = amount.normalize().as_tuple().exponent
    return -exponent if isinstance(exponent, int) else 0


def _setup(hand: PhhHand, chips: Decimal) -> HoldemSetup:
    """The hand's beginning: player 1 sits left of the button, the last player on it. Heads-up the forced bets are
    written the other way round. The format takes any first raise of a street, however short, to reopen the betting. In
    fixed-limit the record decides how many raises there are, and what is made of a short all-in."""
    stacks = tuple(int(stack * chips) if stack.is_finite() else _UNKNOWN_STACK for stack in hand.stacks)
    turned = -1 if len(stacks) == 2 else 1
    dead = tuple(int(part * chips) for part in hand.dead_posts[::turned])
    paid = tuple(int(ante * chips) for ante in hand.antes[::turned])
    antes = tuple(ante - part for ante, part in zip(paid, dead or (0,) * len(paid), strict=True))
    posts = tuple(int(blind * chips) for blind in hand.blinds[::turned])
    posted = [
        min(abs(post), max(stack - ante, 0)) * (1 if post > 0 else -1)
        for post, ante, stack in zip(posts, paid, stacks, strict=True)
    ]
    last_to_act = max(range(len(posted)), key=lambda player: (max(posted[player], 0), player))
    bet_min = int(hand.bet_min * chips)
    forced = ForcedBets(
        blinds=tuple(abs(post) for post in posts),
        antes=antes,
        antes_dead=not (hand.antes_trimmed or dead),
        bet_min=bet_min,
        reopening_min=0,
        opening_bet=int(hand.opening_bet * chips),
        first=(last_to_act + 1) % len(stacks),
        straddle=int(hand.straddle * chips),
        dead=dead or msgspec.UNSET,
    )
    return HoldemSetup(stacks=stacks, button=len(stacks) - 1, forced=forced)


def _written(hand: PhhHand) -> tuple[str, ...]:
    """The actions as their file has them."""
    return hand.sources or hand.actions


def _scaled(amounts: tuple[Decimal, ...] | None, chips: Decimal) -> list[Decimal] | None:
    return None if amounts is None else [amount * chips for amount in amounts]


class _Cards:
    """The hole cards of each player, from all that the record tells anywhere, and which hands are shown or mucked."""

    def __init__(self, hand: PhhHand, actions: list[PhhAction]) -> None:
        self.fault: Fault | None = None
        self.count = hand.rules.hole_cards
        self.dealt: dict[int, list[Card | None]] = {}
        self.shows: dict[int, tuple[Card | None, ...]] = {}
        self.mucks: set[int] = set()
        for number, (text, action) in enumerate(zip(_written(hand), actions, strict=True), start=1):
            refusal = self._note(action, len(hand.stacks))
            if refusal is not None:
                self.fault = Fault(number, text, refusal)
                return
        self._decide(hand, actions)
        self.fault = self._repeated(hand, actions)

    def _decide(self, hand: PhhHand, actions: list[PhhAction]) -> None:
        """The players who mucked in the end: not those who showed later or took chips. Nobody where all gave up."""
        won = {player for player, amount in enumerate(hand.winnings or ()) if amount}
        self.mucks -= self.shows.keys() | won
        folded = {action.player for action in actions if isinstance(action, Folding)}
        live = set(range(len(hand.stacks))) - folded
        if live <= self.mucks:
            self.mucks -= {player for player in live if None not in self.dealt.get(player, [None])}

    def hole(self, player: int) -> tuple[Card | None, ...]:
        """The cards to deal; a hand that the record mucks stays unknown, because it cannot win."""
        unknown = (None,) * self.count
        if player in self.mucks:
            return unknown
        cards = self.shows.get(player) or tuple(self.dealt.get(player, ()))
        return (*cards, *unknown)[: self.count]

    def _note(self, action: PhhAction, players: int) -> Refusal | None:
        if isinstance(action, BoardDealing | Remark):
            return None
        player = action.player
        if player >= players:
            return Refusal(PhhCode.PHH_NO_SUCH_PLAYER, {"player": player + 1, "players": players})
        if isinstance(action, HoleDealing):
            cards = self.dealt.setdefault(player, [])
            cards += action.cards
            if len(cards) > self.count:
                return Refusal(PhhCode.PHH_TOO_MANY_CARDS, {"cards": len(cards), "allowed": self.count})
        if isinstance(action, Showing):
            if len(action.cards) > self.count:
                return Refusal(PhhCode.PHH_TOO_MANY_CARDS, {"cards": len(action.cards), "allowed": self.count})
            if len(action.cards) == self.count and None not in action.cards:
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
                if card not in hand.rules.pack_cards:
                    return Fault(number, text, Refusal(PhhCode.PHH_BAD_CARDS, {"cards": str(card)}))
                if card in seen:
                    return Fault(number, text, Refusal(PhhCode.PHH_REPEATED_CARD, {"card": str(card)}))
                seen[card] = place
        return None


class _Replay:
    """A hand on its way through the engine."""

    def __init__(self, hand: PhhHand, state: Hand, cards: _Cards, decimals: int) -> None:
        self.hand, self.state, self.cards, self.decimals = hand, state, cards, decimals
        self.rules = hand.rules
        self.chips = Decimal(10) ** decimals
        self.returned: dict[int, int] = {}
        """What of a bet nobody could call, by player."""
        self.is_open = False
        """Whether a hand that nobody saw won by the record, which the engine cannot know."""
        self.board: list[Card] = []
        self.dealt: list[Card | None] = []
        self.moves: list[Move] = []

    def run(self, actions: list[PhhAction]) -> Outcome:
        self._deal()
        for number, (text, action) in enumerate(zip(_written(self.hand), actions, strict=True), start=1):
            refusal = self._do(action)
            if refusal is not None:
                return Outcome(fault=Fault(number, text, refusal))
            self._deal()
        if self.board:
            allowed = 5 * self.rules.boards
            refusal = Refusal(PhhCode.PHH_TOO_MANY_CARDS, {"cards": allowed + len(self.board), "allowed": allowed})
            return Outcome(fault=Fault(len(actions), self.hand.actions[-1], refusal))
        return self._outcome()

    def _outcome(self) -> Outcome:
        awaits, setup = self.rules.awaits(self.state), self.state.setup
        played = Round(self.rules, setup, self.state, awaits, dealt=tuple(self.dealt), moves=tuple(self.moves))
        shown = None if isinstance(awaits, Draw) else played
        if not (isinstance(awaits, Over) or self.is_open):
            return self._told([Decimal(0)] * len(setup.stacks), is_over=False, played=shown)
        by_cards = self._by_cards()
        readings = self._recorded()
        recorded = next((each for each in readings if same_winners(by_cards, each, self._pots())), None)
        recorded = recorded or next(iter(readings), None)
        if by_cards is None and recorded is None:
            return Outcome(fault=Fault(len(self.hand.actions), "", Refusal(PhhCode.PHH_WINNER_UNKNOWN)))
        has_result = self.hand.finishing_stacks is not None or any(self.hand.winnings or ())
        if recorded is None:
            assert by_cards is not None
            return self._told(by_cards, is_over=True, played=shown, agrees=False if has_result else None)
        agrees = same_winners(by_cards, recorded, self._pots())
        outcome = self._told(recorded, is_over=True, played=shown, agrees=agrees)
        if by_cards is None or not agrees:
            return outcome
        raked = [max(due - taken, Decimal(0)) for due, taken in zip(by_cards, recorded, strict=True)]
        return msgspec.structs.replace(outcome, raked=tuple(self._amount(kept) for kept in raked))

    def _told(self, won: list[Decimal], *, is_over: bool, played: Round | None, agrees: bool | None = None) -> Outcome:
        """The outcome with these chips won."""
        behind, began = self._behind(), self.state.setup.stacks
        bonus = self._bonus() if is_over else [Decimal(0)] * len(began)
        after = [chips + own + extra for chips, own, extra in zip(behind, won, bonus, strict=True)]
        pot = self._pot() if is_over else Decimal(0)
        return Outcome(
            stacks=tuple(
                self._amount(now) if written.is_finite() else None
                for now, written in zip(after, self.hand.stacks, strict=True)
            ),
            payouts=tuple(self._amount(now - before) for now, before in zip(after, began, strict=True)),
            is_over=is_over,
            played=played,
            decimals=self.decimals,
            winnings=tuple(self._amount(own) for own in won),
            rake=self._amount(pot - sum(won)) if is_over else Decimal(0),
            agrees=agrees,
        )

    def _amount(self, chips: Decimal) -> Decimal:
        """Chips as the file writes amounts."""
        amount = chips / self.chips
        return amount.to_integral_value() if amount == amount.to_integral_value() else amount

    def _behind(self) -> list[Decimal]:
        """What each player has outside the pots."""
        behind = [Decimal(stack) for stack in self.state.stacks]
        for award in self.state.awards:
            for seat, share in zip(award.winners, award.shares, strict=True):
                behind[seat] -= share
        return behind

    def _pot(self) -> Decimal:
        return sum(self.state.setup.stacks) - sum(self._behind(), Decimal(0))

    def _bonus(self) -> list[Decimal]:
        """What each player got, or paid, after the hand for a seven and a deuce."""
        return [part * self.chips for part in self.hand.seven_deuce] or [Decimal(0)] * len(self.state.stacks)

    def _pots(self) -> int:
        return max(len(self.state.awards), 1)

    def _by_cards(self) -> list[Decimal] | None:
        """What the engine gave out; None where it had to guess."""
        if self.is_open or self._winner_is_a_guess():
            return None
        return [now - behind for now, behind in zip(self.state.stacks, self._behind(), strict=True)]

    def _recorded(self) -> list[list[Decimal]]:
        """What each player took by the record, in chips, in every reading that can be."""
        finishing = _scaled(self.hand.finishing_stacks, self.chips)
        readings = recorded_winnings(
            behind=self._behind(),
            pot=self._pot(),
            returned=self.returned,
            finishing=None if finishing is None else list(map(sub, finishing, self._bonus())),
            winnings=_scaled(self.hand.winnings, self.chips),
        )
        return list(readings)

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
        waiting = self.rules.awaits(self.state)
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
        if isinstance(self.rules.awaits(self.state), Draw):
            return Refusal(PhhCode.PHH_BOARD_MISSING)
        step = self.rules.act(self.state, player, action)
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
        for told in step.told:
            if isinstance(told.event, BetReturned):
                self.returned[told.event.seat] = told.event.amount
        while self.state.is_run_vote:
            # The record has as many boards as were agreed on.
            seat, (offer,) = self.state.turn, self.state.offers
            agreed = offer.choose(min(self.rules.run_times, offer.high))
            voted = self.rules.act(self.state, seat, agreed)
            assert isinstance(voted, Step), "the menu offers it"
            self.moves.append(Move(seat, agreed))
            self.state = voted.state
        while self.state.street is Street.SHOWDOWN and self.state.turn != NOBODY:
            seat = self.state.turn
            won = any(taken[seat] for taken in self._recorded()[:1])
            if won and not offered(self.state.offers, Show()):
                self.is_open = True
                return
            shows = seat in self.cards.shows and offered(self.state.offers, Show())
            action = Show() if shows else Muck()
            decided = self.rules.act(self.state, seat, action)
            assert isinstance(decided, Step), "a beaten hand may be shown or mucked"
            self.moves.append(Move(seat, action))
            self.state = decided.state

    def _deal(self) -> None:
        """Gives the engine the cards it waits for, as far as the record has come."""
        while isinstance(waiting := self.rules.awaits(self.state), Draw):
            if not self.state.hole:
                hole = [self.cards.hole(seat) for seat in self.state.order]
                cards: tuple[Card | None, ...] = tuple(
                    own[number] for number in range(self.cards.count) for own in hole
                )
            elif len(self.board) >= waiting.count - 1:
                cards = (None, *self.board[: waiting.count - 1])
                del self.board[: waiting.count - 1]
            else:
                return
            self.dealt += cards
            self._take(self.rules.deal(self.state, cards))

    def _winner_is_a_guess(self) -> bool:
        """Whether a pot went to an unknown hand though another unknown one was not given up in the record."""
        if not isinstance(self.rules.awaits(self.state), Over) or len(self.state.live) < 2:
            return False
        unseen = [seat for seat in self.state.live if seat not in self.state.shown and seat not in self.cards.mucks]
        for award in self.state.awards:
            if not award.cards and (award.winners[0] in self.cards.mucks or len(unseen) > 1):
                return True
        return False
