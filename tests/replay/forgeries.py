"""Records of honest tables, and what a forger makes of them: for checks in two languages to judge alike."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

from msgspec.structs import replace

from croupier.dealing import canonical
from croupier.games.blackjack import CASINO, TRAINER
from croupier.table.record import record
from croupier.wire.records import line
from tests.table.evenings import Evening, evening
from tests.table.rounds import cut, seeded
from tests.table.test_casino_log import given_up, visit

Lines: TypeAlias = list[str]
KEPT = Path(__file__).parents[1] / "fixtures/release_1/records"
EVENINGS = [("poker", "cash", 3, 4), ("poker", "holdem", 3, 3), ("blackjack", "trainer", 3, 4)]
EVENINGS += [("sequence", "house", 4, 1)]


class File(NamedTuple):
    """The records of a table, and the log of somebody who was there, if there is one."""

    name: str
    records: Lines
    log: Lines | None = None


def honest(seeds: range) -> Iterator[File]:
    """Evenings at every game, with everybody's view and log."""
    for seed in seeds:
        for game, preset, people, rounds in EVENINGS:
            played = evening(seed, game, preset, people=people, rounds=rounds, mischief=0.08)
            name = f"{game} {preset} {seed}"
            yield File(f"{name}, spectator", played.records())
            for who in list(played.people)[:2]:
                yield File(f"{name}, {who}", played.records(who), played.people[who].log())


HOME_GAME: Final = {
    **{"straddle": True, "bomb_every": 5, "bomb_ante": 30, "run_times": 3, "rabbit": True, "winner_shows": True},
    **{"rake_permille": 50, "rake_cap": 7, "dead_button": True},
}
HOME_GAMES: Final = (
    ("cash", {**HOME_GAME, "seven_deuce": 10}),
    ("omaha6", HOME_GAME),
    ("double-board-omaha", {**HOME_GAME, "run_times": 1}),
    ("omaha-hilo", HOME_GAME),
    ("short-deck", {**HOME_GAME, "straddle": False, "dead_button": False}),
)


def home_games(seed: int, games: Sequence[tuple[str, Any]], rounds: int) -> Iterator[tuple[Evening, list[File]]]:
    """Evenings with every option of poker, each with the records and logs of those who were there."""
    for preset, rules in games:
        played = evening(seed, "poker", preset, people=4, rounds=rounds, mischief=0.06, rules=rules)
        seen = [File(f"{preset} {seed}, spectator", played.records())]
        seen += [
            File(f"{preset} {seed}, {who}", played.records(who), person.log())
            for who, person in list(played.people.items())[:2]
        ]
        yield played, seen


def kept() -> Iterator[File]:
    """What the first release wrote: `cut-1`, and the casino's `shuffle-1`; and forgeries of it."""
    for file in sorted(KEPT.glob("*.jsonl")):
        yield File(file.name, file.read_text(encoding="utf-8").splitlines())


def house() -> Iterator[File]:
    """Rounds against the house by rules of today, and rounds by `cut-1`."""
    for name, rules in (("casino", CASINO), ("trainer", replace(TRAINER, decks=1, penetration=0.6))):
        yield File(name, [line(record(played)) for played in seeded(rules, rounds=6)])
    shared = replace(CASINO, seats_max=3)
    cuts = (cut(shared, (99, 99, 99), number) for number in (1, 2))
    yield File("cut-1", [line(record(played, (proof,))) for played, proof in cuts])


def casino() -> Iterator[File]:
    """A visit to the casino with the player's own log: before the last seed was revealed, and after it."""
    early, early_log, late, late_log = visit()
    yield File("casino, early", early, early_log)
    yield File("casino, late", late, late_log)
    yield File("casino, late records and early log", late, early_log)


def rounds_given_up() -> File:
    """The records of a casino that says of every round that it was given up, with the log of its player."""
    *_, records, log = visit()
    return File("casino, rounds given up", list(map(given_up, records)), log)


def rewritten(seed: int) -> File:
    """An evening with other cards from the same promises and cuts, and the log of somebody who was at the first."""
    game, preset, people, rounds = EVENINGS[seed % len(EVENINGS)]
    first, second = (
        evening(f"again {seed}", game, preset, people=people, rounds=rounds, mischief=0, masters=masters)
        for masters in (0, 1)
    )
    return File(f"rewritten {seed}", second.records("p0"), first.people["p0"].log())


def chips_from_nowhere(seed: int) -> File:
    """A server that gives a seat chips between two hands, and writes them into all that follows."""
    table: Evening = evening(seed, "poker", "cash", rounds=2, mischief=0, blind=True)
    setup = table.room.setup
    table.room = replace(table.room, setup=replace(setup, stacks=(setup.stacks[0] + 500, *setup.stacks[1:])))
    table.play(4)
    return File(f"chips from nowhere {seed}", table.records("p0"), table.people["p0"].log())


IMPOSSIBLE = [(-1, "sat_in", 0), (0, "sat_in", 5), (0, "bought", -5), (9, "left", 0)]
IMPOSSIBLE += [(0, "reshuffled", 0), (0, "taken", 1)]


def impossible_ends() -> Iterator[File]:
    """Files of a cash table whose last line tells of changes, after the last deal, that no room makes."""
    table = evening(1, "poker", "cash", rounds=3, mischief=0)
    records, log = table.records("p0"), table.people["p0"].log()
    *rounds, last = records
    for seat, kind, chips in IMPOSSIBLE:
        end = json.loads(last)
        closing = json.loads(end["closing"])
        closing["changes"] = [*closing["changes"], {"seat": seat, "kind": kind, "chips": chips}]
        end["closing"] = canonical.write(closing)
        yield File(f"impossible end {kind}", [*rounds, json.dumps(end)], log)


def forged(files: list[File], seeds: range) -> Iterator[File]:
    """So many forgeries of these files, of all kinds in turn."""
    makers = list(FORGERIES.items())
    for seed in seeds:
        random = Random(seed)
        kind, make = makers[seed % len(makers)]
        file = random.choice(files)
        other = random.choice(files)
        records, log = make(random, list(file.records), file.log, other)
        yield File(f"{kind} {seed}: {file.name}", records, log)


Forger: TypeAlias = Callable[[Random, Lines, Lines | None, File], tuple[Lines, Lines | None]]


def _edit(random: Random, lines: Lines, change: Callable[[Any], None], want: Callable[[Any], bool]) -> None:
    """Changes one line that can be changed so, if there is any."""
    able = [number for number, text in enumerate(lines) if want(json.loads(text))]
    if able:
        number = random.choice(able)
        entry = json.loads(lines[number])
        change(entry)
        lines[number] = json.dumps(entry, separators=(",", ":"), ensure_ascii=False)


def _card(random: Random, records: Lines, log: Lines | None, _: File) -> tuple[Lines, Lines | None]:
    def change(entry: Any) -> None:
        place = random.randrange(len(entry["cards"]))
        entry["cards"][place] = random.choice([*entry["cards"], None, "2c", "As", "spade_a_1"])

    _edit(random, records, change, lambda entry: bool(entry.get("cards")))
    return records, log


def _payout(random: Random, records: Lines, log: Lines | None, _: File) -> tuple[Lines, Lines | None]:
    def change(entry: Any) -> None:
        place = random.randrange(len(entry["payouts"]))
        entry["payouts"][place] = random.choice((999_999, -entry["payouts"][place] - 1, 10**30))

    _edit(random, records, change, lambda entry: bool(entry.get("payouts")))
    return records, log


def _setup(random: Random, records: Lines, log: Lines | None, _: File) -> tuple[Lines, Lines | None]:
    _edit(random, records, lambda entry: _twist(random, entry["setup"]), lambda entry: "setup" in entry)
    return records, log


def _rules(random: Random, records: Lines, log: Lines | None, _: File) -> tuple[Lines, Lines | None]:
    _edit(random, records, lambda entry: _twist(random, entry["rules"]), lambda entry: "rules" in entry)
    return records, log


def _move(random: Random, records: Lines, log: Lines | None, _: File) -> tuple[Lines, Lines | None]:
    def change(entry: Any) -> None:
        moves = entry["moves"]
        place = random.randrange(len(moves))
        match random.randrange(4):
            case 0:
                del moves[place]
            case 1:
                moves.insert(place, random.choice(moves))
            case 2:
                moves[place]["action"] = random.choice((None, "absent", {"type": "HOLDEM_FOLD"}, {"type": "X"}, 5))
            case _:
                _twist(random, moves[place])

    _edit(random, records, change, lambda entry: bool(entry.get("moves")))
    return records, log


def _missing(random: Random, records: Lines, log: Lines | None, _: File) -> tuple[Lines, Lines | None]:
    """The first hand, the last, one between, or the last line of the file."""
    for place in random.choice(((0,), (-1,), (len(records) // 2,), (-2, -1), (0, 0))):
        if records:
            del records[max(place, -len(records))]
    return records, log


def _again(random: Random, records: Lines, log: Lines | None, _: File) -> tuple[Lines, Lines | None]:
    """A line twice, or two that changed places."""
    one, other = random.randrange(len(records)), random.randrange(len(records))
    if random.random() < 0.5:
        records.insert(one, records[other])
    else:
        records[one], records[other] = records[other], records[one]
    return records, log


def _spliced(random: Random, records: Lines, log: Lines | None, other: File) -> tuple[Lines, Lines | None]:
    """A line of another table, or another table's deal in this one's record."""
    stolen = random.choice(other.records)
    if random.random() < 0.5:
        records[random.randrange(len(records))] = stolen
    else:
        proofs = json.loads(stolen).get("proofs")
        if proofs:
            _edit(random, records, lambda entry: entry.update(proofs=proofs), lambda entry: bool(entry.get("proofs")))
    return records, log


def _void(random: Random, records: Lines, log: Lines | None, _: File) -> tuple[Lines, Lines | None]:
    """A void deal is left out, put among the proofs, or shown twice."""

    def change(entry: Any) -> None:
        void = entry["voids"].pop(random.randrange(len(entry["voids"])))
        match random.randrange(3):
            case 0 if "proofs" in entry:
                entry["proofs"].insert(0, void)
            case 1:
                entry["voids"] += [void, void]

    _edit(random, records, change, lambda entry: bool(entry.get("voids")))
    return records, log


def _proof(random: Random, records: Lines, log: Lines | None, _: File) -> tuple[Lines, Lines | None]:
    """Some value of a proof or of a void deal, also inside of its texts."""

    def change(entry: Any) -> None:
        _twist(random, random.choice([*entry.get("proofs", ()), *entry.get("voids", ())]))

    _edit(random, records, change, lambda entry: bool(entry.get("proofs") or entry.get("voids")))
    return records, log


def _cut(random: Random, records: Lines, log: Lines | None, _: File) -> tuple[Lines, Lines | None]:
    """Cuts, secrets, openings or roots of one deal change places, or go away."""

    def change(entry: Any) -> None:
        proof = random.choice([*entry["proofs"], *entry.get("voids", ())])
        names = [name for name in ("cuts", "secrets", "openings", "roots", "contributions") if proof.get(name)]
        rows = proof[random.choice(names)] if names else []
        if len(rows) > 1 and random.random() < 0.6:
            rows[0], rows[-1] = rows[-1], rows[0]
        elif rows:
            rows.pop(random.randrange(len(rows)))

    _edit(random, records, change, lambda entry: bool(entry.get("proofs")))
    return records, log


def _anything(random: Random, records: Lines, log: Lines | None, _: File) -> tuple[Lines, Lines | None]:
    _edit(random, records, lambda entry: _twist(random, entry), lambda entry: True)
    return records, log


def _truncated(random: Random, records: Lines, log: Lines | None, _: File) -> tuple[Lines, Lines | None]:
    place = random.randrange(len(records))
    records[place] = records[place][: random.randrange(1, len(records[place]))]
    return records, log


def _log(random: Random, records: Lines, log: Lines | None, other: File) -> tuple[Lines, Lines | None]:
    """Another's log, one that was changed, or one of which lines are missing."""
    log = list(log or other.log or ["{}"])
    match random.randrange(4):
        case 0:
            log = list(other.log or [])
        case 1:
            del log[random.randrange(len(log))]
        case 2:
            place = random.randrange(len(log))
            log[place] = log[place][: random.randrange(1, len(log[place]))]
        case _:
            _edit(random, log, lambda entry: _twist(random, entry), lambda entry: True)
    return records, log


FORGERIES: dict[str, Forger] = {
    "card": _card,
    "payout": _payout,
    "setup": _setup,
    "rules": _rules,
    "move": _move,
    "missing": _missing,
    "again": _again,
    "spliced": _spliced,
    "void": _void,
    "proof": _proof,
    "cut": _cut,
    "anything": _anything,
    "truncated": _truncated,
    "log": _log,
}

_TEXTS = ("rules", "setup", "pack", "closing")
"""Fields that hold JSON as text."""


def _twist(random: Random, value: Any) -> None:
    """Changes one value somewhere inside."""
    path = random.choice(list(_leaves(value)) or [()])
    if not path:
        return
    *inside, last = path
    for part in inside:
        value = value[part]
    old = value[last]
    if isinstance(old, str) and last in _TEXTS and old.startswith(("{", "[")):
        inner = json.loads(old)
        _twist(random, inner)
        value[last] = json.dumps(inner, separators=(",", ":"), ensure_ascii=False)
    elif random.random() < 0.1 and isinstance(value, dict):
        del value[last]
    else:
        value[last] = _other(random, old)


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    rows: Any = ()
    if isinstance(value, dict):
        rows = value.items()
    elif isinstance(value, list):
        rows = enumerate(value)
    for name, inner in rows:
        if isinstance(inner, dict | list) and inner:
            yield from _leaves(inner, (*path, name))
        else:
            yield (*path, name)


def _other(random: Random, old: Any) -> Any:
    """Something else of the same type, or of another."""
    if random.random() < 0.2:
        return random.choice((None, True, -1, 0, 1, 1.5, 2**40, "", "x", [], {}, [None], "\u00e9", "absent"))
    if isinstance(old, bool):
        return not old
    if isinstance(old, int):
        return old + random.choice((1, -1, 10, -old, 1000))
    if isinstance(old, str) and len(old) == 64:
        return ("0" if old[0] != "0" else "1") + old[1:]
    return f"{old}x"
