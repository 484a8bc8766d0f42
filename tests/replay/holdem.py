"""Random rules, setups and attempts of Hold'em."""

from random import Random
from typing import Any

import msgspec

from croupier.cards import PACK
from croupier.game.game import AnyRules
from croupier.games.poker import GAME
from croupier.games.poker.rules.evaluate import rank
from tests.replay.rounds import Json, Table


def _options(rng: Random) -> Json:
    big = rng.choice((1, 2, 10, 25))
    made: Json = {
        "mode": "tournament",
        "stack_chips": rng.choice((30, 100, 1000, 1037)),
        "small_blind": rng.choice((0, big // 2, big)),
        "big_blind": big,
        "ante": rng.choice((0, 0, 1, 3, 40)),
    }
    if rng.random() < 0.5:
        made["mode"] = "cash"
        made["top_up_to_chips"] = rng.choice((None, 1200, 5000))
    else:
        made["hands_per_level"] = rng.choice((None, None, 1, 2, 3))
        if rng.random() < 0.3:
            made["levels"] = [_level(rng) for _ in range(rng.randint(1, 3))]
            made["ante"] = 0
    if rng.random() < 0.3 and (made["ante"] or "levels" in made):
        made["ante_from"] = "big_blind"
    if rng.random() < 0.1:
        made[rng.choice(list(made))] = rng.choice((-1, 0, None, "no", 3, 10**15, True, [], "cash", "big_blind"))
    for option in list(made):
        if rng.random() < 0.1:
            del made[option]
    return made


def _level(rng: Random) -> Json:
    big = rng.choice((2, 10, 40))
    level = {"small_blind": rng.choice((big // 2, big, big + 1 if rng.random() < 0.1 else 0)), "big_blind": big}
    return level if rng.random() < 0.5 else {**level, "ante": rng.choice((0, 1, 5))}


def _setup(rng: Random, rules: AnyRules) -> Json:
    seats = rng.choice((1, 11)) if rng.random() < 0.03 else rng.randint(2, 10)
    stacks = [rng.choice((0, rng.randint(1, 40), rng.randint(1, 400), 200)) for _ in range(seats)]
    away = sorted({rng.randrange(seats) for _ in range(rng.choice((0, 0, 1, 2)))})
    playing = [seat for seat, stack in enumerate(stacks) if stack and seat not in away]
    made: Json = {
        "stacks": stacks,
        "button": rng.choice(playing) if playing and rng.random() < 0.95 else rng.randint(-1, seats),
        "hand": rng.choice((1, 9, 10, 11, 25, 1000)),
        "sittingOut": away,
    }
    if rng.random() < 0.3:
        made["statistics"] = [{"hands": 7, "won": rng.randint(0, 7)} for _ in stacks]
        made["places"] = [0 if stack else rng.randint(1, seats) for stack in stacks]
    if rng.random() < 0.3:
        made["forced"] = _forced(rng, seats, playing)
    if rng.random() < 0.05:
        made[rng.choice(list(made))] = rng.choice((-1, None, [1], [-5, 10], 0))
    return made


def _forced(rng: Random, seats: int, playing: list[int]) -> Json:
    """Blinds and antes as some other house has them: straddles, dead antes, any all-in reopens."""
    betters = playing or [0]
    made: Json = {
        "blinds": [rng.choice((0, 5, 10, 20)) if seat in playing else 0 for seat in range(seats)],
        "antes": [rng.choice((0, 2)) if seat in playing else 0 for seat in range(seats)],
        "antesDead": rng.random() < 0.5,
        "betMin": rng.choice((5, 10)),
        "reopeningMin": rng.choice((0, 10)),
        "openingBet": rng.choice((0, 10, 20)),
        "first": rng.choice(betters),
    }
    if rng.random() < 0.1:
        made[rng.choice(("betMin", "reopeningMin", "openingBet", "first"))] = rng.choice((-1, 0, 1, 9, 10**14 + 1))
    if rng.random() < 0.1:
        made[rng.choice(("blinds", "antes"))][rng.randrange(seats)] = rng.choice((1, -1))
    return made


def _action(rng: Random, rules: AnyRules, state: Any) -> Json:
    kind = rng.choice(("FOLD", "CHECK", "CALL", "BET", "RAISE", "RAISE", "RAISE", "ALL_IN", "SHOW", "MUCK", "STRADDLE"))
    made: Json = {"type": f"HOLDEM_{kind}"}
    field = {"BET": "amount", "RAISE": "to"}.get(kind)
    if field:
        # Just outside of what is offered; where nothing is, what a full raise would come to.
        ranges = [(offer.low, offer.high) for offer in state.offers if offer.field]
        low, high = ranges[0] if ranges else (state.bet + max(state.raise_by, 1), max(state.stacks))
        made[field] = rng.choice((low, low - 1, high, high + 1, 0, -3, rng.randint(0, 2000)))
    if rng.random() < 0.05:
        made["amount"] = rng.choice((None, 1.5, "10", 3))
    return made


TABLE = Table(GAME, _options, _setup, _action)


def hand_case(rng: Random, count: int) -> Json:
    """Hands of five to seven cards and their ranks; every rank there is comes from a few cards that are often alike."""
    hands = []
    for _ in range(count):
        suits = rng.choice(("cdhs", "cdhs", "cd"))
        cards = rng.sample([card for card in PACK if card.suit in suits], rng.choice((5, 6, 7, 7)))
        hands.append((" ".join(msgspec.to_builtins(cards)), rank(cards)))
    return {"kind": "hands", "name": "hands", "hands": hands}
