"""Hands written as Open Hand History, from the events that somebody heard: no more than the reader may know."""

import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from croupier.cards import Card
from croupier.games.poker.histories.phh.notation import OPENING_BET, SEVEN_DEUCE
from croupier.games.poker.histories.phh.variants import RULES
from croupier.games.poker.histories.phh.writer import bonuses
from croupier.games.poker.histories.source import NO_SOURCE, Source
from croupier.games.poker.rules.config import Betting, Pack, Split, Used
from croupier.games.poker.rules.events import (
    Acted,
    HandStarted,
    HoldemEvent,
    HoleCards,
    Move,
    Mucked,
    Post,
    Posted,
    PotAwarded,
    RakeTaken,
    RunAgreed,
    Shown,
    StreetDealt,
)
from croupier.games.poker.rules.rules import HoldemRules
from croupier.shown_text import harmless

BET_TYPES: Final = {Betting.NO_LIMIT: "NL", Betting.POT_LIMIT: "PL", Betting.FIXED_LIMIT: "FL"}
SPEC_VERSION: Final = "1.4.6"
INTERNAL_VERSION: Final = "1.0.0"
LATER_BOARDS: Final = "_later_boards"
_LIVE: Final = {Post.SMALL_BLIND, Post.BIG_BLIND, Post.STRADDLE, Post.MISSED}
_POSTS: Final = {
    Post.ANTE: "Post Ante",
    Post.SMALL_BLIND: "Post SB",
    Post.BIG_BLIND: "Post BB",
    Post.STRADDLE: "Straddle",
    Post.BOMB: "Post Ante",
    Post.MISSED: "Post Extra Blind",
    Post.DEAD: "Post Dead",
}
_MOVES: Final = {
    Move.FOLD: "Fold",
    Move.CHECK: "Check",
    Move.CALL: "Call",
    Move.BET: "Bet",
    Move.RAISE: "Raise",
}


def write(
    events: Sequence[HoldemEvent],
    players: Sequence[str] = (),
    *,
    source: Source = NO_SOURCE,
    raked: Mapping[int, int] | None = None,
    hero: int | None = None,
    rules: HoldemRules = RULES["NT"],
) -> str:
    """The hand as one line of JSON. `players` are names by seat; `raked` are the chips that the house kept, by the seat
    that won them. The id of a player is the seat, from 0."""
    started = next(event for event in events if isinstance(event, HandStarted))
    seats = sorted(started.seats)
    antes = [event.amount for event in events if isinstance(event, Posted) and event.post is Post.ANTE]
    number = source.seats.__getitem__ if source.seats else lambda seat: seat + 1
    small, big = source.blinds or (started.small_blind, started.big_blind)
    hand: dict[str, Any] = {
        "spec_version": SPEC_VERSION,
        "site_name": harmless(source.site) or "Croupier",
        "network_name": harmless(source.site) or "Croupier",
        "internal_version": INTERNAL_VERSION,
        "tournament": bool(started.level or source.event),
        **({"tournament_info": {"name": harmless(source.event)}} if source.event else {}),
        "game_number": harmless(source.number) or str(started.hand),
        "start_date_utc": source.when_utc.strftime("%Y-%m-%dT%H:%M:%SZ") if source.when_utc else "",
        "table_name": harmless(source.table) or "Croupier",
        "game_type": game_type(rules),
        "bet_limit": {"bet_type": BET_TYPES[rules.betting], "bet_cap": 0},
        "table_size": max(source.seat_count, len(started.stacks)),
        "currency": harmless(source.currency),
        "dealer_seat": number(started.button),
        "small_blind_amount": _number(source, small),
        "big_blind_amount": _number(source, big),
        "ante_amount": _number(source, max(antes, default=0)),
    }
    if hero is not None:
        hand["hero_player_id"] = hero
    hand["players"] = [
        {
            "id": seat,
            "seat": number(seat),
            "name": harmless(players[seat] if seat < len(players) else "") or f"Player{seat + 1}",
            "starting_stack": _number(source, started.stacks[seat]),
        }
        for seat in seats
    ]
    hand["rounds"] = _rounds(events, source, rules)
    hand["pots"] = _pots(events, source, raked or {})
    hand |= _own_fields(events, source, rules)
    return json.dumps({"ohh": hand}, ensure_ascii=False)


def game_type(rules: HoldemRules) -> str:
    """What the format calls a variant. Five and six cards are named as trackers do; other rules of ours have names that
    they do not know."""
    if rules.used is Used.ANY:
        return "ShortDeck" if rules.pack is Pack.SHORT else "Holdem"
    cards = "" if rules.hole_cards == 4 else str(rules.hole_cards)
    return f"Omaha{cards}" + {Split.HIGH: "", Split.HIGH_LOW: "HiLo", Split.TWO_BOARDS: "TwoBoards"}[rules.pot]


def _own_fields(events: Sequence[HoldemEvent], source: Source, rules: HoldemRules) -> dict[str, Any]:
    """What the format has no field for: the price of a call where every blind that should set it was short, the later
    boards of a hand run more than once, street by street, and what was paid for a seven and a deuce."""
    own: dict[str, Any] = {}
    if price := _price(events, rules):
        own[OPENING_BET] = _number(source, price)
    runs = [event.times for event in events if isinstance(event, RunAgreed)]
    if runs and runs[0] > 1:
        later = [event for event in events if isinstance(event, StreetDealt) and event.board]
        own[LATER_BOARDS] = [
            [[str(card) for card in event.cards] for event in later if event.board == board]
            for board in range(1, runs[0])
        ]
    if any(paid := bonuses(events)):
        seats = next(event.seats for event in events if isinstance(event, HandStarted))
        own[SEVEN_DEUCE] = [_number(source, paid[seat]) for seat in sorted(seats)]
    return own


def _price(events: Sequence[HoldemEvent], rules: HoldemRules) -> int:
    """The price of a call before the flop where the posts are short of it; 0 where they say it, or where a player has
    called for less, as a record of another place may have it."""
    started = next(event for event in events if isinstance(event, HandStarted))
    if started.bomb:
        return 0
    straddles = rules.straddle and len(started.seats) > 2
    price = started.big_blind * (2 if straddles else 1)
    highest = max((event.amount for event in events if isinstance(event, Posted) and event.post in _LIVE), default=0)
    first = next((event for event in events if isinstance(event, Acted) and event.move is not Move.FOLD), None)
    paid_less = isinstance(first, Acted) and first.move is Move.CALL and first.to < price and not first.all_in
    return 0 if highest >= price or paid_less else price


def _number(source: Source, chips: int) -> int | float:
    """Chips as a number of JSON. It has few digits, so it is written as it is meant."""
    amount = source.money(chips)
    return int(amount) if amount == amount.to_integral_value() else float(amount)


def _rounds(events: Sequence[HoldemEvent], source: Source, rules: HoldemRules) -> list[dict[str, Any]]:
    rounds: list[dict[str, Any]] = [{"id": 0, "street": "Preflop", "cards": [], "actions": []}]
    number = 0

    def add(seat: int, action: str, chips: int = 0, *, all_in: bool = False, cards: tuple[Card, ...] = ()) -> None:
        nonlocal number
        number += 1
        told: dict[str, Any] = {"action_number": number, "player_id": seat, "action": action}
        told |= {"amount": _number(source, chips), "is_allin": all_in}
        rounds[-1]["actions"].append(told | ({"cards": [str(card) for card in cards]} if cards else {}))

    def begin(street: str, cards: tuple[Card, ...] = ()) -> None:
        if rounds[-1]["street"] != street:
            rounds.append({"id": len(rounds), "street": street, "cards": [str(c) for c in cards], "actions": []})

    closing: list[Shown | Mucked] = []
    for event in events:
        match event:
            case Posted(seat=seat, post=post, amount=amount, all_in=all_in):
                add(seat, _POSTS[post], amount, all_in=all_in)
            case HoleCards(seat=seat, cards=cards):
                add(seat, "Dealt Cards", cards=cards)
            case Acted(seat=seat, move=move, amount=amount, to=to, all_in=all_in):
                add(seat, _MOVES[move], to if move in {Move.BET, Move.RAISE} else amount, all_in=all_in)
            case StreetDealt(board=board) if board and rules.boards == 1:
                pass  # The format has one run-out; the others are a field of our own.
            case StreetDealt(street=street, cards=cards):
                begin(street.capitalize(), cards)
                if event.board:
                    rounds[-1]["cards"] += [str(card) for card in cards]
            case Shown() | Mucked():
                closing.append(event)
            case _:
                pass
    if closing:
        begin("Showdown")
    for turned in closing:
        if isinstance(turned, Shown):
            add(turned.seat, "Shows Cards", cards=turned.cards)
        else:
            add(turned.seat, "Mucks Cards")
    return rounds


def _pots(events: Sequence[HoldemEvent], source: Source, raked: Mapping[int, int]) -> list[dict[str, Any]]:
    left, pots = dict(raked), []
    taken = {event.pot: event.amount for event in events if isinstance(event, RakeTaken)}
    for event in events:
        if not isinstance(event, PotAwarded):
            continue
        wins, before = [], taken.pop(event.pot, 0)
        rake = before
        for seat, share in zip(event.winners, event.shares, strict=True):
            kept = min(left.get(seat, 0), share)
            left[seat] = left.get(seat, 0) - kept
            rake += kept
            wins.append({"player_id": seat, "win_amount": _number(source, share - kept)})
        amounts = {"amount": _number(source, event.amount + before), "rake": _number(source, rake)}
        pots.append({"number": event.pot, **amounts, "player_wins": wins})
    return pots


def chips_of(amounts: Sequence[Decimal], decimals: int) -> dict[int, int]:
    """Amounts by seat as chips, without those that are nothing."""
    return {seat: int(amount * 10**decimals) for seat, amount in enumerate(amounts) if amount}
