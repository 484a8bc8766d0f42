"""Records that were forged: by one change anywhere, by a server that knows every cut, and by hands left out or put in.

A record alone shows only that it agrees with itself, so a forgery that recomputes everything is found with the log of
somebody who was there, and only with it.
"""

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.dealing.proof import Cut2Proof, read_proof
from croupier.game.registry import GAMES
from croupier.games.poker import HoldemRules, HoldemSetup
from croupier.table.record import Record, TableEnd
from croupier.wire.records import verify
from tests.table.evenings import Evening, evening

Lines = list[str]
Path = tuple[str | int, ...]
TABLES = {
    "cash": ("poker", "cash", 3, 3),
    "tournament": ("poker", "holdem", 3, 3),
    "trainer": ("blackjack", "trainer", 3, 3),
    "sequence": ("sequence", "house", 2, 1),
}
TEXTS = ("rules", "setup", "pack", "closing")
"""Fields of a deal that hold JSON as a text."""


@cache
def played(table: str, seed: object = 0, masters: object = 0) -> Evening:
    """An evening with void deals, absences and purchases."""
    game, preset, people, rounds = TABLES[table]
    return evening(f"forged {seed}", game, preset, people=people, rounds=rounds, mischief=0.07, masters=masters)


def honest(table: str, seed: object = 0) -> tuple[Lines, Lines]:
    """The records of a player and their own log."""
    found = played(table, seed)
    return found.records("p0"), found.people["p0"].log()


def codes(records: Lines, log: Lines | None = None) -> list[str]:
    return [found.code for _, found in verify(records, log).findings]


def notices(records: Lines, log: Lines | None = None) -> list[str]:
    return [found.code for _, found in verify(records, log).notices]


# What a file claims. These are the only changes that are no change of it:
# - a field that is left out and has its customary value: `voids`, `format`, `chip`, `missing`, `openings`, and those
#   options of `rules` and fields of `setup` that have one
# - the order of `openings`, each of which has its k, and of `voids`, each of which has its number
# And the `moves` of a round without a deal, as long as nobody's chips change: nothing is chained to them, so that only
# the log of somebody who was there tells. And the `setup` of such a round before the first deal of a table where people
# come and go: what they bought until then stands nowhere, which the verdict says. And the `changes` of the last line,
# if a room can make them: nothing was dealt after them that they would be chained to.
def claims(records: Lines) -> list[Any] | None:
    """What the lines say, read by their types; None for a file that cannot be read."""
    try:
        return [_claim(text) for text in records]
    except (msgspec.DecodeError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _claim(text: str) -> Any:
    plain = json.loads(text, object_pairs_hook=_once)
    if plain.get("format") == "croupier-table-1":
        end = msgspec.json.decode(text, type=TableEnd)
        return end.room, end.deals, end.closing, _voids(end.voids)
    record = msgspec.json.decode(text, type=Record)
    game = GAMES[record.game]
    moves = [(move.seat, move.action) for move in record.moves]
    return (
        *(record.format, record.chip, record.game, record.edition, record.cards, record.payouts, moves),
        *(_full(record.rules, game.rules), _full(record.setup, game.setup), _voids(record.voids)),
        [_deal(part) for part in record.proofs],
    )


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) != len(pairs):
        raise ValueError("a name twice")
    return dict(pairs)


def _full(plain: Any, kind: Any) -> Any:
    """A value with everything that was left out, and the places of what the type does not know, however deep."""
    read = json.loads(msgspec.json.encode(msgspec.convert(plain, kind)))
    return read, sorted(set(paths(plain)) - set(paths(read)), key=str)


def _deal(part: Any) -> Any:
    proof = read_proof(part)
    if not isinstance(proof, Cut2Proof):
        raise TypeError("no deal")
    return replace(proof, openings=tuple(sorted(proof.openings, key=lambda opening: opening.k)))


def _voids(parts: tuple[Any, ...]) -> Any:
    return sorted(map(_deal, parts), key=lambda deal: deal.context.deal)


def paths(value: Any, path: Path = ()) -> Iterator[Path]:
    """Every place in a value, also inside of the texts that are hashed."""
    yield path
    if isinstance(value, str) and path[-1] in TEXTS and value.startswith(("{", "[")):
        value = json.loads(value)
    rows = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in rows:
        yield from paths(inner, (*path, name))


def changed(value: Any, path: Path, change: Callable[[Any], Any]) -> Any:
    """A copy of a value in which one place is changed."""
    if not path:
        return change(value)
    if isinstance(value, str):
        return json.dumps(changed(json.loads(value), path, change), separators=(",", ":"), ensure_ascii=False)
    name, *rest = path
    inner = changed(value[name], tuple(rest), change)
    if isinstance(value, dict):
        return {**value, name: inner}
    return [*value[:name], inner, *value[int(name) + 1 :]]


def others(value: Any) -> list[Any]:
    """What may stand in the place of a value: like it, or not at all."""
    match value:
        case bool():
            return [not value, None, 1]
        case int():
            return [value + 1, value - 1, -value - 1, 2**60, None, str(value)]
        case str() if len(value) == 64:
            return [f"{'0' if value[0] != '0' else '1'}{value[1:]}", value.upper() + "A", value[:-1], "0" * 64, None]
        case str():
            return [f"{value}x", "", "2c" if value != "2c" else "3d", None, 7]
        case list():
            return [value[1:], value[:-1], [*value, *value[-1:]], value[::-1], [*value, None], None]
        case dict():
            fewer = [{key: kept for key, kept in value.items() if key != name} for name in value]
            return [*fewer, {**value, "more": 1}, None, []]
        case _:
            return [0, "As", [], {}]


@pytest.mark.parametrize("table", TABLES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_single_change_of_a_record_is_found_or_says_the_same(table: str, data: st.DataObject) -> None:
    records, log = honest(table)
    line = data.draw(st.integers(0, len(records) - 1), label="line")
    entry = json.loads(records[line])
    depth = data.draw(st.sampled_from(sorted({len(path) for path in paths(entry)})))
    path = data.draw(st.sampled_from([path for path in paths(entry) if len(path) == depth]), label="path")

    def change(value: Any) -> Any:
        return data.draw(st.sampled_from([other for other in others(value) if other != value]), label="now")

    forged = [*records[:line], json.dumps(changed(entry, path, change)), *records[line + 1 :]]
    assert claims(records) is not None
    if claims(forged) == claims(records):
        assert codes(forged) == []
    elif path[:1] == ("moves",) and not entry["proofs"]:
        assert codes(forged, log), f"line {line + 1} {path} was changed and nothing was found"
    elif path[:1] == ("setup",) and not entry["proofs"] and not codes(forged):
        assert not any(json.loads(text)["proofs"] for text in records[:line])
        assert "FIRST_SETUP_UNKNOWN" in notices(forged)
    elif path[:2] != ("closing", "changes") or line < len(records) - 1:
        assert codes(forged), f"line {line + 1} {path} was changed and nothing was found"
        assert codes(forged, log)


@pytest.mark.parametrize("table", TABLES)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_a_name_that_stands_twice_is_found(table: str, data: st.DataObject) -> None:
    records, _ = honest(table)
    entry = json.loads(records[0])
    name = data.draw(st.sampled_from(sorted(entry)))
    doubled = f'{{"{name}":{json.dumps(entry[name])},{records[0][1:]}'
    assert json.loads(doubled) == entry
    assert "RECORD_MALFORMED" in codes([doubled, *records[1:]])


@pytest.mark.parametrize("table", TABLES)
def test_lines_that_are_left_out_shown_twice_or_out_of_order_are_found(table: str) -> None:
    records, log = honest(table)
    dealt = [number for number, text in enumerate(records) if json.loads(text).get("proofs")]
    for line in [*dealt, len(records) - 1]:
        fewer = [*records[:line], *records[line + 1 :]]
        assert codes(fewer), f"line {line + 1} was left out"
        assert codes(fewer, log)
        assert codes([*records[: line + 1], *records[line:]]), f"line {line + 1} came twice"
    for line in dealt[:-1]:
        mixed = [*records[:line], records[line + 1], records[line], *records[line + 2 :]]
        assert codes(mixed), f"lines {line + 1} and {line + 2} changed places"


@pytest.mark.parametrize("table", TABLES)
def test_a_file_that_is_cut_off_anywhere_is_found(table: str) -> None:
    records, log = honest(table)
    for count in range(len(records)):
        assert codes(records[:count]), f"only {count} lines are left"
        assert codes(records[:count], log)
    whole = "\n".join(records)
    for share in range(1, 20):
        assert codes(whole[: len(whole) * share // 20].splitlines())


@pytest.mark.parametrize("table", TABLES)
def test_a_hand_of_another_table_is_found(table: str) -> None:
    records, log = honest(table)
    other, _ = honest(table, seed="other")
    stolen = next(text for text in other if json.loads(text).get("proofs"))
    for line, text in enumerate(records[:-1]):
        if json.loads(text).get("proofs"):
            spliced = [*records[:line], stolen, *records[line + 1 :]]
            assert "ROOM_DIFFERS" in codes(spliced)
            assert "ROOM_DIFFERS" in codes(spliced, log)
    assert "ROOM_DIFFERS" in codes([*records[:-1], other[-1]])


@pytest.mark.parametrize("more", [500, -500])
def test_chips_that_come_or_go_between_two_hands_are_found(more: int) -> None:
    """The server writes the other stack into all that follows: contexts, roots and closings fit."""
    table = evening(f"chips {more}", "poker", "cash", rounds=2, mischief=0, blind=True)
    setup = table.room.setup
    seat = max(range(3), key=lambda seat: setup.stacks[seat])
    stacks = [stack + more * (place == seat) for place, stack in enumerate(setup.stacks)]
    table.room = replace(table.room, setup=replace(setup, stacks=tuple(stacks)))
    table.play(4)
    assert codes(table.records("p0")) == ["SETUP_UNEXPLAINED"]


def test_everybody_starts_with_what_the_rules_say(monkeypatch: pytest.MonkeyPatch) -> None:
    honest_setup = HoldemRules.setup

    def richer(self: HoldemRules, seats: int) -> HoldemSetup:
        setup = honest_setup(self, seats)
        return replace(setup, stacks=(setup.stacks[0] + 7, *setup.stacks[1:]))

    with monkeypatch.context() as patch:
        patch.setattr(HoldemRules, "setup", richer)
        table = evening("rich", "poker", "cash", rounds=2, mischief=0, blind=True)
    assert codes(table.records("p0")) == ["SETUP_UNEXPLAINED"]


@pytest.mark.parametrize("field", ["hand", "button", "stacks"])
def test_another_setup_of_a_hand_is_found(field: str) -> None:
    records, _ = honest("cash")
    line = next(number for number, text in enumerate(records) if json.loads(text).get("proofs"))
    entry = json.loads(records[line])
    value = entry["setup"].get(field, 0)
    entry["setup"][field] = [value[0] + 1, *value[1:]] if field == "stacks" else value + 1
    assert "DEAL_DIFFERS" in codes([*records[:line], json.dumps(entry), *records[line + 1 :]])


def test_results_are_computed_from_the_moves() -> None:
    records, _ = honest("tournament")
    line = next(number for number, text in enumerate(records) if any(json.loads(text)["payouts"]))
    entry = json.loads(records[line])
    entry["payouts"] = [-amount for amount in entry["payouts"]]
    assert "PAYOUT_MISMATCH" in codes([*records[:line], json.dumps(entry), *records[line + 1 :]])


def with_void() -> tuple[str, Lines, Lines, int]:
    """A table in whose records a void deal stands, and the line."""
    for table in TABLES:
        for seed in range(4):
            records, log = honest(table, seed)
            for line, text in enumerate(records):
                if json.loads(text)["voids"]:
                    return table, records, log, line
    raise AssertionError("no deal was void")


def test_a_void_deal_that_is_removed_is_found() -> None:
    _, records, log, line = with_void()
    entry = json.loads(records[line])
    entry["voids"] = entry["voids"][1:]
    forged = [*records[:line], json.dumps(entry), *records[line + 1 :]]
    assert "DEALS_MISSING" in codes(forged)
    assert codes(forged, log)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("seed", range(2))
def test_a_record_forged_from_known_cuts_agrees_with_itself_but_not_with_a_log(table: str, seed: int) -> None:
    """The same room, the same promises and cuts, other cards."""
    records, log = honest(table, seed)
    forged = played(table, seed, masters="others").records("p0")
    first, second = (json.loads(next(text for text in lines if '"proofs":[{' in text)) for lines in (records, forged))
    assert first["proofs"][0]["context"]["room"] == second["proofs"][0]["context"]["room"]
    assert codes(forged) == []
    assert "RECORD_ALONE" in notices(forged)
    found = verify(forged, log).findings
    assert {"LOG_DEAL_DIFFERS"} <= {each.code for _, each in found}
    assert all(line > 0 for line, _ in found)
    # Everybody else's log finds it, too.
    for person in played(table, seed).people.values():
        if any('"DEAL_FIXED"' in line for line in person.log()):
            assert codes(forged, person.log()), person.name


@pytest.mark.parametrize("table", TABLES)
def test_hands_left_out_at_the_end_are_found_with_a_log(table: str) -> None:
    """The last line is written anew, as the room had it earlier: the file agrees with itself."""
    evening_played = played(table)
    _, log = honest(table)
    over = [place for place, room in enumerate(evening_played.steps) if room.round is not None and room.round.over]
    hands = [evening_played.steps[place].hand for place in over]
    shorter = Evening.__new__(Evening)
    shorter.steps = evening_played.steps[: over[0] + 1] if len(set(hands)) > 1 else evening_played.steps[: over[0]]
    records = shorter.records("p0")
    assert codes(records) == []
    assert codes(records, log), "a hand that was seen to end is not in the record"


def test_a_hand_that_still_runs_is_no_finding() -> None:
    table = Evening("running", "poker", "cash", seats=6, mischief=0)
    assert table.join("p1") is None
    table.start()
    table.play(2)
    table.play(3, actions=0) if table.rounds >= 3 else table._advance()
    records = table.records("p0")
    assert codes(records, table.people["p0"].log()) == []
