"""Random hands, replayed in PokerKit, give the same stacks. PokerKit shares no code and no author with us.

Where its conventions differ on purpose, the mirror translates and nothing more:

- PokerKit lets a short big blind lower the price of a call. The rules here ask for the full big blind, so the first
  such call is PokerKit's raise; for that its minimum bet is one chip. Where even that is too small a raise for it, the
  hand cannot be mirrored and is given up.
- PokerKit gives a turn to a lone player who has nothing to call; it checks there.
- PokerKit throws pots with the same possible winners together before it splits them; the rules here split each pot
  by itself, which can move odd chips. The mirror repeats our awards on pots thrown together.
- With equal blinds heads-up PokerKit lets the wrong one act first, so those are left out.
- After short all-ins that together reopened the betting, PokerKit closes it again with the next short one.
- PokerKit caps the raises of fixed-limit between two players as well; the rules here do not, and such a raise becomes
  a call. It does not count the big blind as the first bet: it allows a raise more than we ever make.
- PokerKit's pot and fixed limits count from the chips that a short big blind posted. There nobody is that short.
- PokerKit has a low in every pot if any hand has one. A hand in which only some pots have a low is given up.
- PokerKit has the seat after the last live bet act first, though that be a missed blind: none is the button's.
- PokerKit counts raises from what a short straddle posted: nobody is that short.
- PokerKit gives all odd chips of a part to its first winner: so do the rules here by option.
- PokerKit has no bomb pots: there all post antes, no blinds, and everybody checks before the flop.
"""

import random
import warnings
from functools import lru_cache
from typing import Any

import pokerkit
import pytest
from msgspec.structs import replace
from pokerkit import Automation, BettingStructure, Deck
from pokerkit.games import Holdem

from croupier.game.game import Draw, Over, Step, Turn
from croupier.games.poker import (
    GAME,
    AllIn,
    AnteFrom,
    Bet,
    Betting,
    BlindsFrom,
    Call,
    Check,
    Fold,
    HoldemAction,
    HoldemRules,
    HoldemSetup,
    Mode,
    OddChips,
    Pack,
    Raise,
    Split,
    Used,
)
from croupier.games.poker.rules.actions import RunIt
from croupier.games.poker.rules.events import Pot, PotsFormed
from croupier.games.poker.rules.setup import MISSED_BIG
from croupier.games.poker.rules.state import Hand
from tests.games.poker.driving import random_action, thrown_together

CHUNK = 200
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


PRESETS = {
    name: replace(rules, odd_chips=OddChips.FIRST, mode=Mode.CASH, hands_per_level=None)
    for name, rules in GAME.presets.items()
    if name != "cash"
}
"""Every variant; a tournament's hand is a cash game's."""
PRESETS |= {
    f"{name}, run out, bomb pots": replace(PRESETS[name], run_times=3, bomb_every=2, bomb_ante=20)
    for name in ("holdem", "omaha-hilo")
}
PRESETS |= {f"{name}, straddled": replace(PRESETS[name], straddle=True) for name in ("holdem", "limit-holdem", "omaha")}
LIMITS = {
    Betting.NO_LIMIT: (BettingStructure.NO_LIMIT, None),
    Betting.POT_LIMIT: (BettingStructure.POT_LIMIT, None),
    Betting.FIXED_LIMIT: (BettingStructure.FIXED_LIMIT, 4),
}


def remembering(hand_type: Any) -> Any:
    """The same hands, each looked up once: PokerKit asks for them at every step of a showdown, which takes most of
    the time."""

    class Remembering(hand_type):  # type: ignore[misc]
        @classmethod
        def from_game(cls, hole_cards: Any, board_cards: Any = ()) -> Any:
            return found(frozenset(hole_cards), frozenset(board_cards))

    @lru_cache(maxsize=1000)
    def found(hole_cards: frozenset[Any], board_cards: frozenset[Any]) -> Any:
        try:
            return hand_type.from_game(hole_cards, board_cards)
        except ValueError:
            return None

    Remembering.from_game_or_none = Remembering.from_game
    return Remembering


HANDS = {
    hand_type: remembering(hand_type)
    for hand_type in (
        pokerkit.StandardHighHand,
        pokerkit.ShortDeckHoldemHand,
        pokerkit.OmahaHoldemHand,
        pokerkit.OmahaEightOrBetterLowHand,
    )
}


def game_of(rules: HoldemRules) -> Any:
    """The same variant as PokerKit has it."""
    high: Any = pokerkit.OmahaHoldemHand if rules.used is Used.TWO else pokerkit.StandardHighHand
    high = HANDS[pokerkit.ShortDeckHoldemHand if rules.pack is Pack.SHORT else high]
    structure, raises = LIMITS[rules.betting]
    parts = {
        "deck": Deck.SHORT_DECK_HOLDEM if rules.pack is Pack.SHORT else Deck.STANDARD,
        "hand_types": (high, HANDS[pokerkit.OmahaEightOrBetterLowHand]) if rules.pot is Split.HIGH_LOW else (high,),
        "hole_dealing_count": rules.hole_cards,
        "betting_structure": structure,
        "max_completion_betting_or_raising_count": raises,
    }
    return type("Variant", (Holdem,), parts)


def random_table(preset: HoldemRules, chance: random.Random) -> tuple[HoldemRules, HoldemSetup]:
    """Two to ten players with uneven stacks, many of them short, sometimes with antes."""
    seats = chance.randint(2, preset.seats_max)
    stacks = tuple(chance.choice((chance.randint(1, 40), chance.randint(20, 200), 1000)) for _ in range(seats))
    ante = chance.choice((0, 0, 1, 3))
    ante_from = AnteFrom.BIG_BLIND if ante and chance.random() < 0.5 else AnteFrom.EACH
    small, big = chance.choice(((5, 10), (1, 2), (3, 7), (10, 10) if seats > 2 else (0, 4)))
    rules = replace(
        preset,
        small_blind=0 if preset.blinds_from is BlindsFrom.BUTTON else small,
        big_blind=big,
        ante=ante * (1 + (ante_from is AnteFrom.BIG_BLIND)),
        ante_from=ante_from,
    )
    if rules.straddle:
        # PokerKit counts every raise from what a short straddle posted.
        stacks = tuple(max(stack, rules.ante + 2 * big) for stack in stacks)
    if rules.betting is not Betting.NO_LIMIT:
        stacks = tuple(max(stack, rules.ante + big) for stack in stacks)
    button = chance.randrange(seats)
    missed = [MISSED_BIG if chance.random() < 0.25 and seat != button else 0 for seat in range(seats)]
    owed: Any = {"missed": tuple(missed)} if rules.missed_blinds and any(missed) else {}
    return rules, HoldemSetup(stacks=stacks, button=button, hand=chance.choice((1, 2)), **owed)


class Mirror:
    """The same hand in PokerKit, whose players are numbered from the button's left."""

    def __init__(self, rules: HoldemRules, hand: Hand) -> None:
        self.players = {seat: player for player, seat in enumerate(hand.order)}
        count = len(hand.order)
        antes = [hand.forced.antes[seat] for seat in hand.order]
        blinds = [hand.forced.blinds[seat] for seat in hand.order]
        if hand.forced.bomb:
            antes, blinds = blinds, antes
        if count == 2:  # PokerKit assigns them the other way round heads-up
            antes.reverse()
            blinds.reverse()
        blinds = [
            -blind if seat in (hand.forced.returning or ()) else blind
            for blind, seat in zip(blinds, self.posters(hand), strict=True)
        ]
        self.short_blind = max(hand.bets) < hand.forced.opening_bet
        bet = 1 if self.short_blind else rules.big_blind
        game = game_of(rules)(
            AUTOMATIONS,
            not hand.forced.antes_dead,
            antes,
            blinds,
            bet,
            2 * bet if rules.betting is Betting.FIXED_LIMIT else bet,
            mode=pokerkit.Mode.CASH_GAME,
            starting_board_count=rules.boards,
        )
        self.boards = rules.boards
        self.state: Any = game([hand.setup.stacks[seat] for seat in hand.order], count)

    def posters(self, hand: Hand) -> tuple[int, ...]:
        """The seats in the order in which PokerKit is told of blinds."""
        return hand.order[::-1] if len(hand.order) == 2 else hand.order

    def deal_hole(self, texts: list[str]) -> None:
        count = len(self.players)
        for player in range(count):
            self.state.deal_hole("".join(texts[player::count]))

    def deal_board(self, texts: list[str], runs: int) -> None:
        self._check_the_lone()
        while self.state.can_select_runout_count():
            self.state.select_runout_count(runs)
        cards = len(texts) // self.boards
        for board in range(self.boards):
            self.state.deal_board("".join(texts[board * cards : (board + 1) * cards]))

    def act(self, hand: Hand, seat: int, action: HoldemAction) -> None:
        assert self.state.actor_index == self.players[seat], "it is the same player's turn"
        if isinstance(action, Fold):
            self.state.fold()
        elif (to := _bet_after(hand, seat, action)) > max(self.state.bets) and not self._is_lone(seat):
            self.state.complete_bet_or_raise_to(to)
        else:
            self.state.check_or_call()

    def refuses(self, hand: Hand, seat: int, action: HoldemAction) -> bool:
        """Whether this is a raise that PokerKit's conventions, and only those, do not allow."""
        to = _bet_after(hand, seat, action)
        if to <= hand.bet or self.state.can_complete_bet_or_raise_to(to):
            return False
        all_in = sum(1 for other in hand.live if hand.bets[other] and not hand.stacks[other])
        uncapped = not hand.is_capped and hand.raises >= 4
        assert self.short_blind or all_in >= 3 or uncapped, "PokerKit refuses a raise that our menu offers"
        return True

    def cannot_follow(self, hand: Hand, seat: int, action: HoldemAction) -> bool:
        """Whether this is the call of a short blind's full price, and PokerKit asks more for a raise."""
        to = _bet_after(hand, seat, action)
        raising_there = max(self.state.bets) < to <= hand.bet and not self._is_lone(seat)
        return self.short_blind and raising_there and not self.state.can_complete_bet_or_raise_to(to)

    def _is_lone(self, seat: int) -> bool:
        """Whether everybody else is all-in or out: then a call is never more than what is there."""
        others = [player for player in self.players.values() if player != self.players[seat]]
        return not any(self.state.statuses[player] and self.state.stacks[player] for player in others)

    def stacks(self, hand: Hand) -> tuple[int, ...]:
        self._check_the_lone()
        assert not self.state.status, "the hand is over there too"
        by_seat = list(hand.setup.stacks)
        for seat, player in self.players.items():
            by_seat[seat] = self.state.stacks[player]
        return tuple(by_seat)

    def _check_the_lone(self) -> None:
        while self.state.actor_index is not None:
            assert self.state.checking_or_calling_amount == 0
            self.state.check_or_call()


def _bet_after(hand: Hand, seat: int, action: HoldemAction) -> int:
    """What the seat has bet on this street after the action."""
    whole = hand.bets[seat] + hand.stacks[seat]
    match action:
        case Call():
            return min(whole, hand.bet)
        case Bet(amount=to) | Raise(to=to):
            return to
        case AllIn():
            return whole
        case _:
            return hand.bets[seat]


def play_both(preset: HoldemRules, chance: random.Random) -> bool:
    """Plays a hand in both engines and compares. False when it had to be given up."""
    rules, setup = random_table(preset, chance)
    step = rules.opening(setup)
    assert isinstance(step, Step)
    hand = step.state
    mirror = Mirror(rules, hand)
    pack = chance.sample(rules.pack_cards, len(rules.pack_cards))
    formed: tuple[Pot, ...] = ()
    while not isinstance(waiting := rules.awaits(hand), Over):
        if isinstance(waiting, Draw):
            drawn = [pack.pop() for _ in range(waiting.count)]
            texts = [str(card) for card in drawn]
            if hand.hole:
                mirror.deal_board(texts[1:], hand.runs)
            else:
                mirror.deal_hole(texts)
            hand = rules.deal(hand, tuple(drawn)).state
            continue
        assert isinstance(waiting, Turn)
        seat = waiting.seats[0]
        action = random_action(rules, hand, seat, chance)
        if hand.is_run_vote:
            action = RunIt(chance.randint(1 + (chance.random() < 0.9), hand.offers[0].high))
        elif hand.street != "SHOWDOWN":
            if mirror.refuses(hand, seat, action):
                action = Call() if hand.bet > hand.bets[seat] else Check()
            if mirror.cannot_follow(hand, seat, action):
                return False
            mirror.act(hand, seat, action)
        after = rules.act(hand, seat, action)
        assert isinstance(after, Step)
        hand = after.state
        formed = next((told.event.pots for told in after.told if isinstance(told.event, PotsFormed)), formed)
    ours = thrown_together(hand, formed)
    if ours is None:
        return False
    assert ours == mirror.stacks(hand)
    return True


def play_chunk(preset: str, number: int, hands: int) -> None:
    given_up = 0
    for index in range(hands):
        seed = f"{preset}:{number}:{index}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PokerKit warns of folds where checking is free
            try:
                given_up += not play_both(PRESETS[preset], random.Random(seed))
            except Exception as error:
                raise AssertionError(f"hand of seed {seed!r}: {error}") from error
    assert given_up <= hands // 5


@pytest.mark.parametrize("preset", PRESETS)
def test_random_hands_of_every_variant_end_with_the_same_stacks_in_pokerkit(preset: str) -> None:
    play_chunk(preset, 0, CHUNK)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(100, 120))
@pytest.mark.parametrize("preset", PRESETS)
def test_twenty_thousand_random_hands_of_every_variant_end_with_the_same_stacks(preset: str, number: int) -> None:
    play_chunk(preset, number, 1000)
