"""Every invariant that is looked at when a seed is over. To add one: a function here, and a line in `check_all`."""

import re
from base64 import b64encode
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import msgspec

from croupier.dealing.findings import Finding
from croupier.server.broadcast import STEPS_KEPT_MAX
from croupier.server.room import table_name
from croupier.table.apply import CLOCK
from croupier.table.commands import DealCut, Play, PlayerBack
from croupier.table.deal_faults import DealFault
from croupier.table.deals import Cutting
from croupier.table.download import download
from croupier.table.lobby import BOT
from croupier.table.room import Room
from croupier.table.roomview import part, public
from croupier.wire.records import line, verify
from tests.simulation import casino_checks, chips, lie_checks
from tests.simulation.audit import Acknowledged, Told, decoded
from tests.simulation.database import at_once
from tests.simulation.knowing import Knowing
from tests.simulation.truth import History

if TYPE_CHECKING:
    from tests.simulation.people import Person
    from tests.simulation.scene import Scene

FAULTS_TOLD_MAX: Final = 3
CARD: Final = re.compile(rb'"((?:[2-9TJQKA][cdhs])|(?:(?:spade|heart|diamond|club)_\w+_\d))"')
HASH: Final = re.compile(rb'"[0-9a-f]{64}"')
_PLACE: Final = frozenset(("type", "requestId", "commandId", "roomCode", "expectedVersion"))
"""Fields of a request that are not part of the command."""

_encode = msgspec.json.encode


def check_all(scene: "Scene") -> None:
    """Says of every broken promise which it is, and how."""
    scene.truth.follow()
    knowing = Knowing(scene.truth.histories)
    checks = {
        "the store keeps its promises": _store(scene),
        "every acknowledged command is there exactly once": _acknowledged(scene),
        "everybody is told what the records say": _told(scene),
        "nobody learns what they may not know": _leaks(scene, knowing),
        "no secret reaches anybody": _secrets(scene, knowing),
        "the rooms in memory are what the records say": _live(scene),
        "clients find nothing wrong": _clients(scene),
        "a lie is found out": lie_checks.faults(scene),
        "nothing is bet after an alarm": lie_checks.bets(scene),
    }
    for invariant, faults in checks.items():
        _report(scene, invariant, faults)
    for history in scene.truth.histories.values():
        _report(scene, "chips are neither made nor lost", chips.faults(history))
        _report(scene, "records verify", _proofs(scene, history))
    for invariant, fault in islice(casino_checks.faults(scene), FAULTS_TOLD_MAX):
        scene.world.breaks(invariant, fault)


def _report(scene: "Scene", invariant: str, faults: Iterator[str]) -> None:
    """Tells the first faults. What cannot even be looked at is one too."""
    try:
        for fault in islice(faults, FAULTS_TOLD_MAX):
            scene.world.breaks(invariant, fault)
    except Exception as error:
        scene.world.breaks(invariant, f"this cannot be checked: {error!r}")


def _store(scene: "Scene") -> Iterator[str]:
    memory = scene.database.memory
    yield from at_once(memory.check())
    if at_once(memory.total()):
        yield f"all accounts together have {at_once(memory.total())} chips"
    by_table: dict[str, list[bytes]] = {}
    for _, _, append in scene.database.journal:
        by_table.setdefault(append.table, []).append(append.record)
    for table, written in by_table.items():
        stored = at_once(memory.records(table))
        if [entry.record for entry in stored] != written:
            yield f"the records of {table} are not those that were written"
        if [entry.version for entry in stored] != list(range(1, len(written) + 1)):
            yield f"the versions of {table} are {[entry.version for entry in stored]}"


def _acknowledged(scene: "Scene") -> Iterator[str]:
    for told in scene.audit.acknowledged.values():
        done = scene.database.done.get((told.table, told.key))
        if done is None or done[0] != told.version:
            yield f"{told.text[:200]} was acknowledged as version {told.version} of {told.table}: it is {done}"
        elif told.table in scene.truth.histories:
            yield from _is_there(told, scene.truth.histories[told.table])
    for history in scene.truth.histories.values():
        for logged, append in zip(history.logged, history.appends, strict=True):
            by_server = logged.actor == CLOCK or logged.actor.startswith(BOT) or isinstance(logged.command, PlayerBack)
            if append.command_id.partition(":")[0] != ("" if by_server else logged.actor):
                what = f"version {append.version} of {history.table}"
                yield f"{what} by {logged.actor} is the command {append.command_id!r}"


def _is_there(told: Acknowledged, history: History) -> Iterator[str]:
    """The record of that version is that person's very command."""
    if told.version > len(history.logged):
        yield f"{told.text[:200]} was acknowledged as version {told.version} of {history.table}: it has none such"
        return
    logged = history.logged[told.version - 1]
    asked = decoded(told.text)
    there = msgspec.to_builtins(logged.command.action if isinstance(logged.command, Play) else logged.command)
    differs = {name for name, value in asked.items() if name not in _PLACE and value and there.get(name) != value}
    if logged.actor != told.person or there["type"] != asked["type"] or differs - {"options", "rules"}:
        yield f"{told.text[:200]} was acknowledged as version {told.version}, where {_encode(logged)[:200]!r} stands"


def _states(scene: "Scene") -> Iterator[tuple[Told, Room]]:
    for told in scene.audit.states:
        history = scene.truth.histories.get(told.table)
        if history is not None and told.version <= len(history.rooms):
            yield told, history.at(told.version)


def _told(scene: "Scene") -> Iterator[str]:
    """What was sent begins with the very bytes that the replayed room gives this viewer."""
    expected: dict[tuple[str, int, int | None], bytes] = {}
    for told, room in _states(scene):
        viewer = room.viewer(told.person)
        key = told.table, told.version, viewer
        begins = expected.get(key)
        if begins is None:
            begins = b'{"type":"ROOM_STATE","public":%b,"you":%b' % (_encode(public(room)), _encode(part(room, viewer)))
            expected[key] = begins
        if not told.text.startswith(begins):
            got, want = decoded(told.text), decoded(begins + b"}")
            if (got["public"], got["you"]) != (want["public"], want["you"]):
                yield f"{told.node} sent {told.person} version {told.version}: {_difference(got, want)}"
        if told.person in room.banned:
            yield f"{told.node} sent version {told.version} to {told.person}, who was sent away"


def _difference(got: Any, want: Any, path: str = "$") -> str:
    if isinstance(got, dict) and isinstance(want, dict):
        for name in want:
            if got.get(name) != want[name]:
                return _difference(got.get(name), want[name], f"{path}.{name}")
    return f"{path} is {str(got)[:200]} and should be {str(want)[:200]}"


def _cards(text: bytes, start: int = 0) -> set[str]:
    return {card.decode() for card in CARD.findall(text, start)}


def _leaks(scene: "Scene", knowing: Knowing) -> Iterator[str]:
    """Cards in a state are cards that this person may see at that version, by the cards on the table alone."""
    for told, room in _states(scene):
        seen = _cards(told.text, told.text.find(b'"you":'))
        known = knowing.cards(told.table, told.version, told.person)
        if seen <= known:
            continue
        if told.text.endswith(b'"whole":true}'):
            # With the state come the events of a while, perhaps of earlier rounds.
            frame = decoded(told.text)
            before = range(max(1, told.version - STEPS_KEPT_MAX), told.version)
            earlier = set().union(*(knowing.cards(told.table, version, told.person) for version in before))
            seen = _cards(_encode([frame["you"], frame["openings"]])) | (_cards(_encode(frame["events"])) - earlier)
        if seen - known:
            what = sorted(seen - known)
            yield f"{told.node} showed {told.person} {what} in version {told.version} of {room.rules.game}"


def _secrets(scene: "Scene", knowing: Knowing) -> Iterator[str]:
    """No seed, no salt of a card that a person never saw, no token of somebody else's, in any byte they got."""
    heard: dict[str, list[bytes]] = {person: list(frames) for person, frames in scene.audit.others.items()}
    for told in scene.audit.states:
        heard.setdefault(told.person, []).append(told.text)
    secrets: dict[bytes, str] = {}
    for table in scene.truth.histories:
        for name, secret in at_once(scene.database.memory.secrets(table)).items():
            if secret in secrets:
                yield f"{table} {name} has the secret of {secrets[secret]}"
            secrets[secret] = f"{table} {name}"
    hidden = {**secrets, **{bytes.fromhex(secret): name for secret, name in _hidden_packs(scene)}}
    salts = dict(_salts(scene))
    for person, frames in heard.items():
        everything = b"\n".join(frames)
        for secret, name in hidden.items():
            if secret.hex().encode() in everything or b64encode(secret) in everything:
                yield f"{person} got the secret of {name}"
        for salt in salts.keys() & HASH.findall(everything):
            table, hand, card = salts[salt]
            if card not in knowing.cards_of_round(table, hand, person):
                yield f"{person} got the salt of {card} in round {hand} of {table}"
        for owner in scene.people:
            if owner.token and person not in owner.ids and owner.token.encode() in everything:
                yield f"{person} got the token of {owner.name}"
    yield from _early(scene)


def _hidden_packs(scene: "Scene") -> Iterator[tuple[str, str]]:
    """The secrets of packs that were never to be opened whole, and of deals that were not decided yet."""
    for table, history in scene.truth.histories.items():
        for room in history.rooms:
            if room.packs and not (room.rules.opens_all and room.hand < history.last.hand):
                opened = room.rules.opens_all and _is_over(history.last)
                yield from ((pack.secret(), f"{table} in round {room.hand}") for pack in room.packs if not opened)
        cutting = history.last.cutting
        if isinstance(cutting, Cutting):
            yield from ((secret, f"{table}, not cut yet") for secret in cutting.deal.secrets())


def _early(scene: "Scene") -> Iterator[str]:
    """Until a deal is decided nobody learns its packs, or what others gave to its cut; a pack is opened at the end."""
    for told, room in _states(scene):
        if isinstance(room.cutting, Cutting):
            values = (*room.cutting.deal.secrets(), *(cut.value for cut in room.cutting.cuts))
            if any(value.encode() in told.text for value in values):
                yield f"{told.person} was told in version {told.version} of {told.table} what a cut must not depend on"
        if room.packs and not _is_over(room) and any(pack.secret().encode() in told.text for pack in room.packs):
            yield f"{told.person} was told in version {told.version} of {told.table} the pack that is played"


def _is_over(room: Room) -> bool:
    return room.round is None or room.round.over


def _salts(scene: "Scene") -> Iterator[tuple[bytes, tuple[str, int, str]]]:
    """The salt of every card of every pack that is played, with its table, round and name."""
    for table, history in scene.truth.histories.items():
        packs = {pack: room.hand for room in history.rooms for pack in room.packs}
        for pack, hand in packs.items():
            for position in range(pack.size):
                opening = pack.pack.opened(0, position).opening()
                yield f'"{opening.salt}"'.encode(), (table, hand, opening.card)


def _live(scene: "Scene") -> Iterator[str]:
    for node in scene.nodes:
        for actor in node.lobby._rooms.values():
            history = scene.truth.histories.get(f"room:{actor.room.code}")
            if history is None or actor.room.version > len(history.rooms):
                yield f"{node.place.name} has version {actor.room.version} of {actor.room.code}, which is not stored"
            elif _whole(actor.room) != _whole(history.at(actor.room.version)):
                yield f"{node.place.name} has another version {actor.room.version} of {actor.room.code} than the store"


def _whole(room: Room) -> bytes:
    """Everything about a room that can be told apart, secrets and all."""
    rest = (room.members, room.changes, room.booked, room.banned, room.since, room.paid, room.voids, room.agreed)
    times = (room.turn_since_ms, room.next_at_ms, room.paused_at_ms)
    packs = [(pack.seal, pack.cut, pack.permutation, pack.secret()) for pack in room.packs]
    deals = [(deal.number, deal.closing, deal.outcome.seal) for deal in room.dealt]
    cutting = None
    if isinstance(room.cutting, Cutting):
        cutting = (room.cutting.deal.secrets(), room.cutting.cuts, room.cutting.missing, room.cutting.deadline_ms)
    views, dealt = [], []
    if room.round is not None:
        views = [part(room, seat) for seat in range(room.round.rules.seats(room.round.state))]
        dealt = [str(card) for card in room.round.dealt]
    return _encode((public(room), views, dealt, packs, deals, cutting, rest, times))


def _clients(scene: "Scene") -> Iterator[str]:
    """An honest room alarms nobody, but for what the player did on another device, or what the line has lost."""
    for person in scene.people:
        for room in () if lie_checks.was_lied_to(scene, person) else person.rooms():
            for found in room.checker.findings:
                if found.code not in person.expected or not _is_explained(scene, person, room.code, found):
                    yield f"{person.name}: {found}"


def _is_explained(scene: "Scene", person: "Person", code: str, found: Finding) -> bool:
    """Whether a cut that did not count was indeed lost: it was not stored before the deal was void."""
    if found.code != DealFault.MISSING_THOUGH_CUT:
        return True
    history = scene.truth.histories[table_name(code)]
    for room, logged in zip(history.rooms, history.logged, strict=True):
        if any(deal.number == found.facts["deal"] for deal in room.dealt):
            return True
        command = logged.command
        if isinstance(command, DealCut) and command.deal == found.facts["deal"] and logged.actor in person.ids:
            return False
    return False


def _proofs(scene: "Scene", history: History) -> Iterator[str]:
    """The finished rounds as somebody who was there may download them, held to what their client has written down."""
    # What was promised on another device is not in this one's log.
    good = [each for each in scene.people if len(each.vaults) == 1 and not lie_checks.was_lied_to(scene, each)]
    people: list[Person | None] = [*good] or [None]
    person = scene.world.stream(f"records of {history.code}").choice(people)
    rooms = person.rooms() if person is not None else []
    seen = [room for room in rooms if room.code == history.code and room.state]
    log = None if person is None or not seen else person.vaults[0].lines(seen[-1].guard.log_name)
    verdict = verify(map(line, download(history.rooms, seen[-1].checker.me if seen else "")), log)
    yield from (f"{history.table} line {number}: {finding}" for number, finding in verdict.findings)
