"""How `tests/fixtures/format_2` was made: evenings of rooms whose log entries are of format 2, with what came of them.

It was run once, by the last version that wrote this format. To run it again is to forget what it is for.
"""

import gzip
import json
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from croupier.table import commands as c
from croupier.table.apply import CLOCK
from croupier.table.download import download
from croupier.table.log import START, chained
from croupier.table.room import Room
from croupier.wire.log import write_entry
from croupier.wire.records import line
from tests.table.evenings import CODE, Evening, evening

FILE = Path(__file__).parents[1] / "fixtures" / "format_2" / "evenings.json.gz"
EVENINGS = (("holdem", "cash", 4, 8), ("holdem", "tournament", 4, 6), ("blackjack", "trainer", 3, 8))
EVENINGS += (("sequence", "house", 4, 1),)


def facts(room: Room) -> Any:
    """What a version must make of a step that an older one has done."""
    members = [(each.id, each.name, each.seat, each.away, each.missed, each.bank_ms) for each in room.members]
    played = room.round
    return [
        *(room.version, room.game_version, str(room.phase), room.host, room.hand, room.deals, list(room.turn)),
        *(room.deadline_ms, room.next_at_ms, room.turn_since_ms, list(room.booked), members),
        *(None if played is None else [str(card) for card in played.dealt], [list(map(str, room.banned))]),
        *([(each.seat, each.kind, each.chips) for each in room.changes],),
    ]


def digest_of(steps: Iterable[Room]) -> str:
    """A digest over the facts of all steps."""
    told = sha256()
    for room in steps:
        told.update(json.dumps(facts(room), separators=(",", ":")).encode())
    return told.hexdigest()


def records_digest(steps: Iterable[Room], person: str) -> str:
    """A digest over the records as this person may have them."""
    return sha256("\n".join(line(each) for each in download(steps, person)).encode()).hexdigest()


def _trouble(played: Evening, random: Random) -> None:
    """Leavings, removals, pauses and sleep in the middle of turns."""
    played.play(played.rounds + 1)
    for _ in range(200):
        room = played.room
        if room.phase.value != "playing":
            break
        match random.randrange(8):
            case 0:
                played.do(f"p{random.randrange(1, 6)}", c.RoomLeave())
            case 1:
                played.do(room.host, c.HostKick(f"p{random.randrange(1, 6)}"))
            case 2:
                played.do(room.host, c.HostPause())
                played.now_ms += 700
                played.do(room.host, c.HostResume())
            case 3:
                played.do(CLOCK, c.Sleep(played.now_ms))
                played.now_ms += 900
                played.do(CLOCK, c.Wake())
            case 4:
                bots = [member.id for member in room.members if member.bot]
                if bots and random.random() < 0.3:
                    played.do(room.host, c.HostRemoveBot(bots[0]))
                else:
                    played.do(room.host, c.HostAddBot("random"))
            case _:
                played.now_ms += random.randrange(4000)
                played._advance()


def make() -> dict[str, Any]:
    made: dict[str, Any] = {}
    for number, (game, preset, people, rounds) in enumerate(EVENINGS):
        played = evening(f"format 2, {number}", game, preset, people=people, rounds=rounds, mischief=0.15, bots=1)
        _trouble(played, Random(number))
        head, lines = START, []
        for place, logged in enumerate(played.log):
            entry = write_entry(msgspec.structs.replace(logged, before=head.hex() if place else ""))
            head = chained(head, entry)
            lines.append(entry.decode())
        made[f"{game} {preset}"] = {
            "code": CODE,
            "log": lines,
            "secrets": {name: secret.hex() for name, secret in played.secrets.items()},
            "digest": digest_of(played.steps),
            "records": {who: records_digest(played.steps, who) for who in ("", "p0", "p1", "p2")},
        }
    return made


if __name__ == "__main__":
    FILE.write_bytes(gzip.compress(json.dumps(make()).encode(), mtime=0))
