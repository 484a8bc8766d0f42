"""`croupier verify RECORD --mine LOG` for the casino: the record is held to what the player's client wrote down."""

import asyncio
import json
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from croupier.cli import app
from croupier.clients.casino import CasinoSession
from croupier.clients.connection import Client, RefusedError
from croupier.clients.environment import Environment
from croupier.clients.vault import MemoryVault
from croupier.dealing.shuffle1_log import BetSent, CardsSeen, NeverDealt
from croupier.wire.own_logs import read_casino_lines
from croupier.wire.records import verify
from tests.server.live import live
from tests.table.evenings import evening
from tests.table.test_verify import _leaves

Lines = list[str]


async def play_on(session: CasinoSession) -> None:
    """Whatever the menu offers first of what is unusual, then hits up to 14."""
    while session.state["status"] == "playing":
        hand = session.state["playerHands"][session.state["activeHandIndex"]]
        if session.state["canInsure"]:
            await session.act("BLACKJACK_INSURANCE", take=True)
        elif hand["canSplit"]:
            await session.act("BLACKJACK_SPLIT")
        elif hand["canDouble"] and hand["bestValue"] in (10, 11):
            await session.act("BLACKJACK_DOUBLE")
        elif hand["canHit"] and hand["bestValue"] < 14:
            await session.act("BLACKJACK_HIT")
        else:
            await session.act("BLACKJACK_STAND")


async def _visit() -> tuple[Lines, Lines, Lines, Lines]:
    vault = MemoryVault()
    ann: dict[str, Any] = {"nickname": "Ann", "environment": Environment(vault=vault)}
    async with live() as server, Client(server.url, **ann) as client:
        session = await CasinoSession.enter(client)
        for number in range(12):
            await session.bet(10 + number / 4, "a seed of my own" if number in (3, 5) else None)
            await play_on(session)
            if number == 6:
                with pytest.raises(RefusedError):
                    await session.bet(0.01)
                await session.rotate()
        early = await server.server.casino.records(client.player_id), session.log
        await session.rotate()
        return *early, await server.server.casino.records(client.player_id), session.log


@cache
def visit() -> tuple[Lines, Lines, Lines, Lines]:
    """Records and log before the last reveal, and after it."""
    return asyncio.run(_visit())


def honest() -> tuple[Lines, Lines]:
    _, _, records, log = visit()
    return records, log


def codes(records: Lines, log: Lines | None = None) -> list[str]:
    return [found.code for _, found in verify(records, log).findings]


def notices(records: Lines, log: Lines) -> dict[str, Any]:
    return {found.code: found.facts for _, found in verify(records, log).notices}


def changed(text: str, **values: Any) -> str:
    return json.dumps(json.loads(text) | values)


def test_an_honest_record_agrees_with_the_log_of_its_player() -> None:
    records, log = honest()
    verdict = verify(records, log)
    assert verdict.findings == ()
    assert verdict.checked.log_lines == len(log)
    # The bet that was refused stands as what it was, with the cards it would have got.
    (never,) = [line for _, line in read_casino_lines(log) if isinstance(line, NeverDealt)]
    assert (never.amount, len(never.cards)) == (0.01, 4)
    assert notices(records, log) == {"LOG_NEVER_DEALT": {"count": 1}}


def test_rounds_whose_seed_is_not_revealed_count_as_unproven() -> None:
    records, log, _, later = visit()
    assert codes(records, log) == ["SEED_NOT_REVEALED"] * 5
    said = notices(records, log)
    assert said["ROUNDS_UNPROVEN"] == said["LOG_ROUNDS_UNPROVEN"] == {"count": 5}
    # A record from before the reveal agrees with a log that goes on.
    assert set(codes(records, later)) == {"SEED_NOT_REVEALED"}
    assert "LOG_ROUNDS_UNPROVEN" not in notices(records, later)


def test_a_log_that_goes_on_has_rounds_that_the_record_lacks() -> None:
    _, _, records, log = visit()
    for line in range(len(records)):
        fewer = [*records[:line], *records[line + 1 :]]
        assert "LOG_ROUND_MISSING" in codes(fewer, log), f"round {line + 1} was left out"
    assert codes(records[:5], log).count("LOG_ROUND_MISSING") == len(records) - 5


def test_a_round_that_still_runs_is_not_in_the_record() -> None:
    records, log = honest()
    last = max(number for number, line in read_casino_lines(log) if isinstance(line, CardsSeen))
    running = changed(log[last - 1], over=False, payout=None)
    seen = [text for text in log[: last - 1] if json.loads(text).get("roundId") != json.loads(running)["roundId"]]
    assert notices(records[:-1], [*seen, running])["LOG_ROUND_RUNS"] == {"round": len(records)}
    assert "LOG_ROUND_MISSING" not in codes(records[:-1], [*seen, running])


def given_up(record: str) -> str:
    """A round as if it had been given up once its cards were seen: bet, and never finished."""
    entry = json.loads(record)
    return changed(record, moves=entry["moves"][:1], cards=entry["cards"][:4], payouts=None)


@pytest.mark.parametrize("ended", [True, False])
def test_a_round_that_was_seen_and_is_recorded_as_given_up_is_found(ended: bool) -> None:
    records, log = honest()
    number = next(number for number, text in enumerate(records) if len(json.loads(text)["moves"]) > 1)
    forged = [*records[:number], given_up(records[number]), *records[number + 1 :]]
    if not ended:
        draw = json.loads(records[number])["proofs"][0]["clientSeed"]
        over = [text for text in log if '"CARDS"' in text and draw in text and json.loads(text)["over"]]
        log = [text for text in log if text not in over]
    found = verify(forged, log).findings
    assert ("LOG_ROUND_ABANDONED", {"round": number + 1}) in [(each.code, each.facts) for _, each in found]
    assert codes(forged) == [], "the record alone agrees with itself"


@settings(max_examples=80, deadline=None)
@given(data=st.data())
def test_any_change_of_the_record_is_found_with_the_log(data: st.DataObject) -> None:
    """But for options of `rules` other than `decks`, which no round of the log tells."""
    records, log = honest()
    line = data.draw(st.integers(0, len(records) - 1))
    entry = json.loads(records[line])
    path = data.draw(st.sampled_from([path for path in _leaves(entry) if path[0] != "rules" or path[1] == "decks"]))
    inside = entry
    for part in path[:-1]:
        inside = inside[part]
    old = inside[path[-1]]
    new = {bool: not old, int: old + 1 if isinstance(old, int) else 0, str: f"{old}x"}.get(type(old), "As")
    inside[path[-1]] = new
    assert codes([*records[:line], json.dumps(entry), *records[line + 1 :]], log), f"{path}: {old} became {new}"


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_any_change_of_what_a_round_was_is_a_difference_to_the_log(data: st.DataObject) -> None:
    records, log = honest()
    seen = [number for number, line in read_casino_lines(log) if isinstance(line, CardsSeen) and line.over]
    number = data.draw(st.sampled_from(seen)) - 1
    entry = json.loads(log[number])
    field = data.draw(
        st.sampled_from(["cards", "staked", "payout", "balance", "serverSeedHash", "clientSeed", "nonce"])
    )
    other = {"cards": ["2c" if entry["cards"][0] != "2c" else "3c", *entry["cards"][1:]], "serverSeedHash": "0" * 64}
    value = other.get(field, f"{entry[field]}x" if field == "clientSeed" else entry.get(field, 0))
    entry[field] = value + 1 if isinstance(value, int | float) else value
    assert codes(records, [*log[:number], json.dumps(entry), *log[number + 1 :]])


def test_a_bet_of_another_amount_is_found() -> None:
    records, log = honest()
    number = next(number for number, line in read_casino_lines(log) if isinstance(line, BetSent)) - 1
    entry = json.loads(log[number])
    found = verify(records, [*log[:number], changed(log[number], amount=entry["amount"] + 1), *log[number + 1 :]])
    (line, finding), *_ = found.findings
    assert (line, finding.code, finding.facts["field"]) == (number + 1, "LOG_ROUND_DIFFERS", "amount")


def test_a_refused_bet_that_stands_in_the_record_is_found() -> None:
    records, log = honest()
    lines = list(read_casino_lines(log))
    bet = next(line for _, line in lines if isinstance(line, BetSent))
    refused = json.dumps({"type": "REFUSED", "atMs": 1, "commandId": bet.command_id, "code": "BET_OUT_OF_RANGE"})
    unseen = [log[number - 1] for number, line in lines if not isinstance(line, CardsSeen) or line.draw != bet.draw]
    assert codes(records, [*unseen, refused]) == ["LOG_REFUSED_BET_DEALT"]


def test_a_commitment_that_was_not_the_one_announced_is_found() -> None:
    records, log = honest()
    swapped = [changed(text, nextServerSeedHash="0" * 64) if '"COMMITMENT"' in text else text for text in log]
    assert "LOG_SEED_DIFFERS" in codes(records, swapped)


def test_rounds_of_another_device_are_said_not_found() -> None:
    records, log = honest()
    first = next(line for _, line in read_casino_lines(log) if isinstance(line, BetSent)).draw
    kept = [
        log[number - 1]
        for number, line in read_casino_lines(log)
        if not isinstance(line, BetSent | CardsSeen) or line.draw != first
    ]
    assert codes(records, kept) == []
    assert notices(records, kept)["LOG_LACKS_ROUNDS"] == {"count": 1}


def test_a_log_of_the_casino_says_nothing_about_a_room() -> None:
    _, log = honest()
    room = evening("kind", "poker", "cash", rounds=1, mischief=0)
    assert codes(room.records("p0"), log) == ["LOG_OTHER_KIND"]
    records, _ = honest()
    assert codes(records, room.people["p0"].log()) == ["LOG_DEALS_NOT_IN_RECORD"]


def test_the_command_line_holds_a_record_to_a_log(tmp_path: Any) -> None:
    records, log = honest()
    files = tmp_path / "records.jsonl", tmp_path / "log.jsonl"
    files[0].write_text("\n".join(records), encoding="utf-8")
    files[1].write_text("\n".join(log), encoding="utf-8")
    good = CliRunner().invoke(app, ["verify", str(files[0]), "--mine", str(files[1])])
    assert good.exit_code == 0, good.output
    assert f"Lines of your log compared: {len(log)}" in good.output
    assert "never dealt: 1" in good.output
    files[0].write_text("\n".join(records[1:]), encoding="utf-8")
    bad = CliRunner().invoke(app, ["verify", str(files[0]), "--mine", str(files[1])])
    assert bad.exit_code == 1
    assert "LOG_ROUND_MISSING: You played round 1; the record does not have it." in bad.output
