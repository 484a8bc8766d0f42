"""Random rules, setups and attempts of blackjack."""

from random import Random
from typing import Any

from croupier.cards import packs
from croupier.game.game import AnyRules
from croupier.games.blackjack import GAME
from tests.replay.rounds import Json, Table


def _options(rng: Random) -> Json:
    made = _seated(rng) if rng.random() < 0.2 else _house(rng)
    if rng.random() < 0.1:
        made[rng.choice(list(made))] = rng.choice((-1, 0, 1, None, "no", "one", 0.5, 300, True, [], "2:0"))
    for option in list(made):
        if rng.random() < 0.05:
            del made[option]
    return made


def _house(rng: Random) -> Json:
    """The house deals: every option that players have heard of."""
    hands_max, peek, soft = rng.randint(1, 4), rng.random() < 0.5, rng.random() < 0.3
    pays = rng.choice(("3:2", "6:5", "1:1", "2:1", "7:3", "none"))
    return {
        "edition": rng.choice((1, 2)),
        "decks": rng.choice((1, 1, 2, 6, 8)),
        "ace": "best" if pays != "none" or soft else rng.choice(("best", "one")),
        "dealer_hits_soft_17": soft,
        "dealer_stands_on": 17 if soft else rng.choice((17, 17, 16, 18, 21)),
        "peek": peek,
        "original_bets_only": not peek and rng.random() < 0.5,
        "blackjack_pays": pays,
        "double": rng.choice(("any", "9-11", "no")),
        "double_after_split": rng.random() < 0.5,
        "hands_max": hands_max,
        "hit_split_aces": hands_max > 1 and rng.random() < 0.5,
        "resplit_aces": hands_max > 2 and rng.random() < 0.5,
        "insurance": pays != "none" and rng.random() < 0.7,
        "surrender": rng.choice(("no", "late", "early")),
        "penetration": rng.choice((0, 0.3, 0.75, 0.95)),
        "bet_min": rng.choice((1, 1, 10)),
        "bet_max": rng.choice((10, 15, 100)),
        "seats_min": 1,
        "seats_max": rng.choice((1, 2, 7)),
    }


def _seated(rng: Random) -> Json:
    """A person deals, and nobody bets."""
    soft = rng.random() < 0.3
    return {
        "decks": rng.choice((1, 1, 4)),
        "ace": "best" if soft else "one",
        "dealer_hits_soft_17": soft,
        "dealer_seat": True,
        "peek": False,
        "blackjack_pays": "none",
        "double": "no",
        "hands_max": 1,
        "insurance": False,
        "bet_min": 0,
        "bet_max": 0,
        "seats_min": rng.choice((1, 2)),
        "seats_max": rng.choice((4, 12, 30)),
    }


def _setup(rng: Random, rules: Any) -> Json:
    seats = rng.randint(rules.seats_min, min(rules.seats_max, rng.choice((3, 30))) + (rng.random() < 0.05))
    made: Json = {"purses": [rng.choice((0, 5, 15, 17, 20, 30, 40, 1000)) for _ in range(seats)]}
    if rules.dealer_seat or rng.random() < 0.03:
        made["dealer"] = rng.randrange(seats + (rng.random() < 0.05))
    if (rules.penetration and rng.random() < 0.7) or rng.random() < 0.03:
        # Often so many that the shoe runs out in this round.
        left = rng.choice((3, 10, 15, 20, 30))
        shoe = packs(rules.decks + (rng.random() < 0.03))
        made["gone"] = [str(card) for card in rng.sample(shoe, max(len(shoe) - left, 0))]
    if rng.random() < 0.03:
        made[rng.choice(list(made))] = rng.choice((-1, None, [-1], ["As", "Xx"], "0"))
    return made


def _action(rng: Random, rules: AnyRules, state: Any) -> Json:
    kinds = ("HIT", "STAND", "DOUBLE", "DOUBLE", "SPLIT", "SPLIT", "INSURANCE", "SURRENDER", "SIT_OUT", "FOLD")
    kind = rng.choice(kinds)
    made: Json = {"type": f"BLACKJACK_{kind}"}
    if rng.random() < 0.3:
        made = {"type": "PLACE_BET", "amount": rng.choice((-1, 0, 1, 9, 10, 11, 15, 16, 17, 18, 100, 101, None, 1.5))}
    if kind == "INSURANCE" and rng.random() < 0.7:
        made["take"] = rng.choice((True, True, False, None, 1))
    return made


TABLE = Table(GAME, _options, _setup, _action)
