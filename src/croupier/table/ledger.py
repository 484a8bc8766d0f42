"""The ledger of a session: who won what from whom, over all its finished rounds.

A round's losses go to its winners in proportion to their winnings. Where the sum is not zero, as at blackjack, the
house pays or takes the rest.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from croupier.table.room import Room

HOUSE: Final = ""
"""The one party that is no member of the room."""


class Account(msgspec.Struct, frozen=True):
    """A member's winnings and losses."""

    name: str
    rounds: int
    net: int
    won_from: dict[str, int]
    """By member, or `HOUSE`: winnings above 0, losses below."""


def session_ledger(finished: Iterable[Room]) -> dict[str, Account]:
    """The accounts by member, from the room at the end of each round, in the order in which people came."""
    names: dict[str, str] = {}
    rounds: dict[str, int] = {}
    won: dict[str, dict[str, int]] = {}
    for room in finished:
        assert room.round is not None
        seated = [room.seated(seat) for seat in range(room.seats)]
        nets = {
            member.id: net for member, net in zip(seated, room.round.payouts or (), strict=False) if member is not None
        }
        for member in seated:
            if member is not None and member.id in nets:
                names[member.id] = member.name
                rounds[member.id] = rounds.get(member.id, 0) + 1
        for loser, winner, chips in transfers({**nets, HOUSE: -sum(nets.values())}):
            for one, other, sign in ((winner, loser, 1), (loser, winner, -1)):
                account = won.setdefault(one, {})
                account[other] = account.get(other, 0) + sign * chips
    return {
        member: Account(name, rounds[member], sum(won.get(member, {}).values()), won.get(member, {}))
        for member, name in names.items()
    }


def transfers(nets: dict[str, int]) -> list[tuple[str, str, int]]:
    """Payments (from, to, chips) that make these results, whose sum is 0: every loser pays each winner in proportion to
    what that winner is still owed."""
    needs = {party: net for party, net in nets.items() if net > 0}
    found = []
    for loser, net in nets.items():
        if net >= 0:
            continue
        parts = shares(-net, list(needs.values()))
        found += [(loser, winner, part) for winner, part in zip(needs, parts, strict=True) if part]
        needs = {winner: need - part for (winner, need), part in zip(needs.items(), parts, strict=True)}
    return found


def shares(amount: int, needs: Sequence[int]) -> list[int]:
    """The amount in whole parts, in proportion to the needs, of which no part is more."""
    total, parts, need_so_far, given = sum(needs), [], 0, 0
    for need in needs:
        need_so_far += need
        upto = amount * need_so_far // total
        parts.append(upto - given)
        given = upto
    return parts
