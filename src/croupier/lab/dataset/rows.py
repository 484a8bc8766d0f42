"""A played round as rows of the three tables. Amounts are whole units, as the round has them."""

from datetime import datetime
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, TypeAlias

import msgspec

from croupier.game.game import AnyRules
from croupier.game.options import written
from croupier.lab.poker import hand_facts
from croupier.table.round import ABSENT, Move, Round
from croupier.table.round_steps import steps

Row: TypeAlias = dict[str, Any]
LEFT: Final = "LEFT"


class Origin(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a round besides the play. A field that is None becomes null in the dataset."""

    file: str
    place: int
    name: str | None = None
    players: tuple[str, ...] = ()
    """Names by seat; an empty one is unknown."""
    units_per_chip: int = 1
    verified: bool | None = None
    agrees: bool | None = None
    payouts: tuple[int, ...] | None = None
    """The payouts, where the file states them and the round alone does not tell them."""
    rake: int | None = None
    finished: bool | None = None
    """Whether it was played to its end, where the round alone does not tell it."""
    unknown_stacks: frozenset[int] = frozenset()
    site: str | None = None
    table_name: str | None = None
    currency: str | None = None
    played_at: datetime | None = None
    time_zone: str | None = None


class Rows(msgspec.Struct, frozen=True):
    """The rows of one round. Columns that are missing in a row are null."""

    hand: Row
    actions: list[Row]
    results: list[Row]


def rows_of(played: Round[Any, Any, Any], origin: Origin) -> Rows:
    """The rows of a round."""
    every = steps(played)
    finished = played.over if origin.finished is None else origin.finished
    payouts = origin.payouts if origin.payouts is not None else played.payouts if played.over else None
    hand: Row = {
        "file": origin.file,
        "place": origin.place,
        "name": origin.name,
        "game": played.rules.game,
        "edition": played.rules.edition,
        "rules": _rules_text(played.rules),
        "seats": played.rules.seats(played.state),
        "units_per_chip": origin.units_per_chip,
        "moves": len(played.moves),
        "cards": [None if card is None else str(card) for card in played.dealt],
        "finished": finished,
        "verified": origin.verified,
        "agrees": origin.agrees,
        "site": origin.site,
        "table_name": origin.table_name,
        "currency": origin.currency,
        "played_at": origin.played_at,
        "time_zone": origin.time_zone,
    }
    actions = _actions(every)
    results = _results(played, origin, payouts if finished else None)
    if hand_facts.is_poker(played):
        hand |= hand_facts.of_hand(played, every[0].told, origin.rake)
        for action, (before, after) in zip(actions, _steps_of_moves(every), strict=True):
            if after is not None:
                seat = action["seat"]
                action.update(hand_facts.of_action(before.state, seat, after.told, origin.unknown_stacks))
        for result in results:
            result.update(hand_facts.of_seat(played.state, result["seat"]))
    return Rows(hand, actions, results)


@lru_cache(maxsize=256)
def _rules_text(rules: AnyRules) -> str:
    return msgspec.json.encode(written(rules)).decode()


def _steps_of_moves(every: tuple[Round, ...]) -> list[tuple[Round, Round | None]]:
    """For every move the round before it and after it; None after for a seat that was left out of the deal."""
    found: list[tuple[Round, Round | None]] = [(every[0], None) for _ in every[0].moves]
    for before, after in pairwise(every):
        excluded = len(after.moves) - len(before.moves) - 1
        found += [(before, after), *[(after, None)] * excluded]
    return found


def _actions(every: tuple[Round, ...]) -> list[Row]:
    moves: tuple[Move, ...] = every[-1].moves
    return [
        {"number": number, "seat": move.seat, "action": _tag(move.action), "detail": _detail(move.action)}
        for number, move in enumerate(moves, start=1)
    ]


def _tag(action: Any) -> str:
    if action is None:
        return LEFT
    return ABSENT.upper() if action == ABSENT else str(type(action).__struct_config__.tag)


def _detail(action: Any) -> str | None:
    if not isinstance(action, msgspec.Struct) or not action.__struct_fields__:
        return None
    plain = msgspec.to_builtins(action)
    plain.pop(type(action).__struct_config__.tag_field, None)
    return msgspec.json.encode(plain).decode()


def _results(played: Round[Any, Any, Any], origin: Origin, payouts: tuple[int, ...] | None) -> list[Row]:
    stacks = played.rules.stacks(played.setup)
    shown = played.view().seats
    return [
        {
            "seat": seat,
            "player": (origin.players[seat] or None) if seat < len(origin.players) else None,
            "stack": stacks[seat] if stacks and seat not in origin.unknown_stacks else None,
            "payout": None if payouts is None else payouts[seat],
            "cards": [str(card) for card in shown[seat].cards],
        }
        for seat in range(len(shown))
    ]
