"""What must hold of clients at a node that lies."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from croupier.game.registry import GAMES
from tests.simulation.audit import decoded
from tests.simulation.world import EPOCH_MS

if TYPE_CHECKING:
    from tests.simulation.people import Person
    from tests.simulation.scene import Scene


def was_lied_to(scene: "Scene", person: "Person") -> bool:
    return scene.liar is not None and any(heard.person in person.ids for heard in scene.liar.lied_to)


def faults(scene: "Scene") -> Iterator[str]:
    """Whoever was lied to has raised the right alarm, and no other before it."""
    if scene.liar is None:
        return
    for heard in scene.liar.victims:
        codes = [code for _, code in scene.alarms_of(heard.program)]
        if not codes or codes[0] not in scene.liar.lie.codes:
            yield f"{heard.program} heard {scene.liar.lie.name}, and its alarms are {codes}"


def bets(scene: "Scene") -> Iterator[str]:
    """Nobody who has raised an alarm, and not gone on, cuts a deal or puts in chips."""
    if scene.liar is None:
        return
    for heard in scene.liar.victims:
        since_ms = min((at_ms for at_ms, _ in scene.alarms_of(heard.program)), default=None)
        for at, program, text in scene.audit.moves:
            late = since_ms is not None and EPOCH_MS + 1000 * at > since_ms + 1
            if late and program == heard.program and _stakes(scene, text):
                yield f"{program} sent {text[:120]} after its alarm"


def _stakes(scene: "Scene", text: str) -> bool:
    asked = decoded(text)
    if asked["type"] == "DEAL_CUT":
        return True
    assert scene.table is not None
    fields = {name: value for name, value in asked.items() if name not in ("requestId", "commandId", "roomCode")}
    fields.pop("expectedVersion", None)
    return bool(msgspec.convert(fields, GAMES[scene.table.game].action).stakes)
