"""Hands written as PHH: those of the engine from the events that somebody heard, those of a file as the file has them.

A file tells no more than its reader may know.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from croupier.cards import Card
from croupier.games.poker.histories.phh.notation import (
    DEAD_POSTS,
    OPENING_BET,
    SEVEN_DEUCE,
    STRADDLE,
    HoleDealing,
    PhhHand,
    Showing,
    parse,
)
from croupier.games.poker.histories.phh.toml_text import toml_table
from croupier.games.poker.histories.phh.variants import OWN_RULES, RULES, code_of
from croupier.games.poker.rules.config import Betting
from croupier.games.poker.rules.events import (
    Acted,
    BetReturned,
    HandOver,
    HandStarted,
    HoldemEvent,
    HoleCards,
    Move,
    Mucked,
    Post,
    Posted,
    PotAwarded,
    RunAgreed,
    SevenDeuce,
    Shown,
    StreetDealt,
)
from croupier.games.poker.rules.rules import HoldemRules
from croupier.shown_text import harmless

_IN_TURN: Final = {Post.SMALL_BLIND, Post.BIG_BLIND, Post.STRADDLE}


def write(events: Iterable[HoldemEvent], players: Sequence[str] = (), rules: HoldemRules = RULES["NT"]) -> str:
    """The hand as a `.phh` file. `players` are names by seat.

    A spectator's events give the unseen hands as `????`. Forced bets are written as they were posted. PHH lets a big
    blind that is short lower the price of a call; where the full price was paid, that call is written as the raise
    which it is there, with a minimum bet that allows it (a limit stays what it is), and a field of our own has the
    price. A bomb pot has antes and no blinds. What a straddle makes of the least raise, which antes are dead small
    blinds, and what was paid for a seven and a deuce are fields of our own.
    """
    told = list(events)
    started = next(event for event in told if isinstance(event, HandStarted))
    seats = started.seats
    number = {seat: f"p{place}" for place, seat in enumerate(seats, start=1)}
    dead = _posts(told, {Post.DEAD}, seats)
    antes = [sum(paid) for paid in zip(_posts(told, {Post.ANTE, Post.BOMB}, seats), dead, strict=True)]
    in_turn, missed = _posts(told, _IN_TURN, seats), _posts(told, {Post.MISSED}, seats)
    # A blind that was posted out of turn is negative.
    blinds = [blind - late for blind, late in zip(in_turn, missed, strict=True)]
    # A straddle has its price also where dead blinds left its seat nothing to post.
    straddles = any(_posts(told, {Post.STRADDLE}, seats)) or (rules.straddle and len(seats) > 2 and not started.bomb)
    straddle = 2 * started.big_blind if straddles else 0
    price = 0 if started.bomb else straddle or started.big_blind
    highest = max(*in_turn, *missed)
    short = price - highest
    # An ante from one seat for the whole table is dead money; antes of all seats count towards the pots.
    trimmed = sum(1 for ante in antes if ante) > 1
    over = next((event for event in told if isinstance(event, HandOver)), None)
    turned = -1 if len(seats) == 2 else 1
    code, own = code_of(rules)
    runs = [event.times for event in told if isinstance(event, RunAgreed)]
    own |= {"run_times": runs[0]} if runs else {}
    own |= {"straddle": True} if straddle else {}
    bets = {"min_bet": short if short > 0 and not straddle else started.big_blind}
    if rules.betting is Betting.FIXED_LIMIT:
        bets = {"small_bet": started.big_blind, "big_bet": 2 * started.big_blind}
    fields: dict[str, Any] = {
        "variant": code,
        "ante_trimming_status": trimmed,
        "antes": antes[::turned],
        "blinds_or_straddles": blinds[::turned],
        **bets,
        "starting_stacks": [started.stacks[seat] for seat in seats],
        "actions": list(_actions(told, number, highest, "??" * rules.hole_cards)),
        "hand": started.hand,
        "seats": [seat + 1 for seat in seats],
        "seat_count": len(started.stacks),
    }
    if own:
        fields[OWN_RULES] = own
    if short > 0:
        fields[OPENING_BET] = price
    if straddle and rules.betting is not Betting.FIXED_LIMIT:
        fields[STRADDLE] = straddle
    if any(dead):
        fields[DEAD_POSTS] = dead[::turned]
    if any(paid := bonuses(told)):
        fields[SEVEN_DEUCE] = [paid[seat] for seat in seats]
    if started.level:
        fields["level"] = started.level
    if players:
        fields["players"] = [harmless(players[seat]) for seat in seats]
    if over is not None:
        fields["finishing_stacks"] = [over.stacks[seat] for seat in seats]
    return toml_table(fields)


def bonuses(told: Sequence[HoldemEvent]) -> list[int]:
    """What each seat got from the others after the hand, for a seven and a deuce; negative for who paid."""
    stacks = list(next(event.stacks for event in told if isinstance(event, HandStarted)))
    over = next((event for event in told if isinstance(event, HandOver)), None)
    if over is None or not any(isinstance(event, SevenDeuce) for event in told):
        return [0] * len(stacks)
    for event in told:
        if isinstance(event, Posted | Acted):
            stacks[event.seat] -= event.amount
        elif isinstance(event, BetReturned):
            stacks[event.seat] += event.amount
        elif isinstance(event, PotAwarded):
            for seat, share in zip(event.winners, event.shares, strict=True):
                stacks[seat] += share
    return [after - before for after, before in zip(over.stacks, stacks, strict=True)]


def rewrite(hand: PhhHand, viewer: int | None = None) -> str:
    """A hand of a file as a `.phh` file with all its fields; for a viewer, without the cards that were not shown."""
    actions = list(hand.actions)
    if viewer is not None:
        shown = {_shower(action) for action in actions} | {viewer}
        actions = [_hidden(action, shown) for action in actions]
    return toml_table({**hand.fields, "actions": actions})


def _shower(text: str) -> int | None:
    """The player who shows all cards with this action."""
    action = parse(text)
    return action.player if isinstance(action, Showing) and action.cards and None not in action.cards else None


def _hidden(text: str, shown: set[int | None]) -> str:
    """The action, without the cards that it deals to somebody who did not show them."""
    action = parse(text)
    if isinstance(action, HoleDealing) and action.player not in shown:
        return f"d dh p{action.player + 1} {'??' * len(action.cards)}"
    return text


def _posts(told: list[HoldemEvent], posts: set[Post], seats: tuple[int, ...]) -> list[int]:
    posted = {event.seat: event.amount for event in told if isinstance(event, Posted) and event.post in posts}
    return [posted.get(seat, 0) for seat in seats]


def _actions(told: list[HoldemEvent], number: dict[int, str], bet: int, unknown: str) -> Iterable[str]:
    runs = any(isinstance(event, RunAgreed) for event in told)
    hole = {event.seat: event.cards for event in told if isinstance(event, HoleCards | Shown)}
    for seat, player in number.items():
        yield f"d dh {player} {_text(hole[seat]) if seat in hole else unknown}"
    for event in told:
        match event:
            case Acted(seat=seat, move=Move.FOLD):
                yield f"{number[seat]} f"
            case Acted(seat=seat, to=to) if to > bet:
                bet = to
                yield f"{number[seat]} cbr {to}"
            case Acted(seat=seat):
                yield f"{number[seat]} cc"
            case StreetDealt(cards=cards) if runs:
                bet = 0
                yield f"d db {_text(cards)}"
            case StreetDealt(cards=cards, board=0):
                bet = 0
                both = (each.cards for each in told if isinstance(each, StreetDealt) and each.street is event.street)
                yield f"d db {''.join(map(_text, both))}"
            case Shown(seat=seat, cards=cards):
                yield f"{number[seat]} sm {_text(cards)}"
            case Mucked(seat=seat):
                yield f"{number[seat]} sm"
            case _:
                pass


def _text(cards: tuple[Card, ...]) -> str:
    return "".join(str(card) for card in cards)
