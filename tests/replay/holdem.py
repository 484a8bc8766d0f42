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
    if rng.random() < 0.8:
        made["edition"] = rng.choice((4, 5, 5, 5))
    if rng.random() < 0.6:
        made |= _variant(rng)
    if rng.random() < 0.6:
        made |= _at_the_table(rng, made)
    if rng.random() < 0.1:
        made[rng.choice(list(made))] = rng.choice((-1, 0, None, "no", 3, 10**15, True, [], "cash", "big_blind"))
    for option in list(made):
        if rng.random() < 0.1:
            del made[option]
    return made


def _variant(rng: Random) -> Json:
    """The columns of a variant, each by itself."""
    made: Json = {
        "hole_cards": rng.choice((2, 2, 3, 4, 5, 6)),
        "used": rng.choice(("any", "two")),
        "betting": rng.choice(("no_limit", "pot_limit", "fixed_limit")),
        "pot": rng.choice(("high", "high_low", "two_boards")),
        "pack": "short" if rng.random() < 0.3 else "full",
    }
    if rng.random() < 0.2:
        made |= {"blinds_from": "button", "small_blind": rng.choice((0, 0, 0, 1))}
    return made


def _at_the_table(rng: Random, made: Json) -> Json:
    """What home games ask for, mostly such that it goes with the rest."""
    bomb = rng.choice((0, 0, 1, 2))
    cash = made["mode"] == "cash"
    rake = rng.choice((0, 50, 200)) if cash or rng.random() < 0.05 else 0
    plain = made.get("hole_cards", 2) == 2 and made.get("pack") != "short"
    two_blinds = made.get("blinds_from") != "button" or rng.random() < 0.02
    newest = {
        "dead_button": rng.random() < 0.4 and two_blinds,
        "missed_blinds": rng.random() < 0.6 and two_blinds and (cash or rng.random() < 0.02),
    }
    return {
        **(newest if made.get("edition") == 5 else {}),
        "straddle": rng.random() < 0.5 and made.get("blinds_from") != "button",
        "bomb_every": bomb,
        "bomb_ante": rng.choice((5, 30)) if bomb or rng.random() < 0.5 else 0,
        "run_times": rng.choice((1, 2, 3)) if made.get("pot") != "two_boards" or rng.random() < 0.05 else 1,
        "rabbit": rng.random() < 0.5,
        "winner_shows": rng.random() < 0.5,
        "rake_permille": rake,
        "rake_cap": rng.choice((0, 3)) if rake else 0,
        "seven_deuce": rng.choice((0, 7)) if plain or rng.random() < 0.05 else 0,
    }


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
    made |= _returning(rng, rules, seats, away)
    if rng.random() < 0.05:
        made[rng.choice(list(made))] = rng.choice((-1, None, [1], [-5, 10], 0))
    return made


def _returning(rng: Random, rules: AnyRules, seats: int, away: list[int]) -> Json:
    """A dead button, missed blinds, a bomb pot that was asked for; mostly where the rules have it."""
    made: Json = {}
    odd = rng.random() < 0.03
    if (rules.dead_button or odd) and rng.random() < 0.7:
        made["small"] = rng.randrange(seats)
    missed = [rng.choice((0, 0, 1, 2, 3)) for _ in range(seats)]
    if (rules.missed_blinds or odd) and any(missed) and rng.random() < 0.7:
        made["missed"] = missed
    waiting = [seat for seat in away if rng.random() < 0.7]
    if (rules.missed_blinds or odd) and waiting:
        made["waiting"] = waiting
    if (rules.bomb_ante or odd) and rng.random() < 0.2:
        made["bomb"] = True
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
