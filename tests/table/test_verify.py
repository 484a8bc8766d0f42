"""A record proves itself, and every change to it is found and named."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.dealing.proof import Shuffle1Proof
from croupier.dealing.seeds import commitment
from croupier.games.blackjack import CASINO, CLASSROOM, TRAINER, BlackjackRules, BlackjackSetup
from croupier.table.record import record
from croupier.table.round import Seeds, begin
from croupier.wire.records import line, verify
from tests.table.rounds import SEEDS, cut, finished, seeded

SHARED = replace(CASINO, seats_max=3)
Path = tuple[str | int, ...]


def one_seeded() -> dict[str, Any]:
    return dict(json.loads(line(record(seeded()[0]))))


def one_cut() -> dict[str, Any]:
    """A round in which nobody pushes, so that every bet matters."""
    rounds = (cut(SHARED, (1000, 1000, 1000), hand) for hand in range(1, 10))
    played, proof = next((played, proof) for played, proof in rounds if all(played.payouts))
    return dict(json.loads(line(record(played, (proof,)))))


def codes(*records: Any) -> list[str]:
    return [found.code for _, found in verify(json.dumps(entry) for entry in records).findings]


@pytest.mark.parametrize(
    "rules", [CASINO, TRAINER, replace(CASINO, peek=False), replace(TRAINER, decks=1, penetration=0.6)]
)
def test_rounds_on_one_pair_of_seeds_verify(rules: BlackjackRules) -> None:
    rounds = seeded(rules, rounds=12)
    verdict = verify(line(record(played)) for played in rounds)
    assert verdict.findings == ()
    assert [played.payouts for played in verdict.rounds if played] == [played.payouts for played in rounds]


def test_a_single_round_from_the_middle_verifies() -> None:
    assert verify([line(record(seeded(rounds=3)[2]))]).ok


def test_rounds_dealt_by_cut_1_verify() -> None:
    records = [line(record(played, (proof,))) for played, proof in (cut(SHARED, (99, 99, 99), n) for n in (1, 2))]
    assert verify(records).findings == ()


def test_a_classroom_round_with_somebody_leaving_verifies() -> None:
    played = begin(CLASSROOM, BlackjackSetup((0, 0, 0), dealer=1), seeds=SEEDS).leave(0)
    played = finished(played)
    assert played.moves[0].action is None
    assert verify([line(record(played))]).ok


def test_an_abandoned_round_keeps_its_nonce_and_verifies() -> None:
    played = begin(CASINO, seeds=SEEDS)
    played = played.act(played.menu()[0].action)
    assert not played.over
    entry = record(played)
    assert entry.payouts is None
    assert verify([line(entry)]).ok


def test_seeds_rotate_with_the_next_commitment_announced_before() -> None:
    second = Seeds("fe" * 32, "another seed of the player")
    first = seeded()[0]
    following = finished(begin(CASINO, first.rules.following(first.state), second))
    proof: Shuffle1Proof = replace(first.proofs[0], next_server_seed_hash=commitment(second.server_seed))
    lines = [line(record(first, (proof,))), line(record(following))]
    assert verify(lines).ok
    unannounced = [line(record(first)), lines[1]]
    assert [found.code for _, found in verify(unannounced).findings] == ["NEXT_COMMITMENT_MISSING"]


UNPROVABLE = {
    # Options and chips that did not matter in this round: another value gives the same round.
    "rules",
    "setup",
    # Who was absent from the cut is the table's word; an anchor without a link proves nothing.
    "nextServerSeedHash",
}


def _leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from _leaves(inner, (*path, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _leaves(inner, (*path, index))
    else:
        yield path


def _tampered(entry: dict[str, Any], path: Path) -> dict[str, Any]:
    copy = json.loads(json.dumps(entry))
    inside = copy
    for part in path[:-1]:
        inside = inside[part]
    old = inside[path[-1]]
    if isinstance(old, bool):
        inside[path[-1]] = not old
    elif isinstance(old, int):
        inside[path[-1]] = old + 1
    elif isinstance(old, str) and len(old) == 64:
        inside[path[-1]] = ("0" if old[0] != "0" else "1") + old[1:]
    elif isinstance(old, str) and len(old) == 2:
        inside[path[-1]] = "2c" if old != "2c" else "3d"
    else:
        inside[path[-1]] = f"{old}x"
    return dict(copy)


@pytest.mark.parametrize("make", [one_seeded, one_cut])
def test_a_change_to_any_field_is_found(make: Any) -> None:
    entry = make()
    assert codes(entry) == []
    tried = 0
    for path in _leaves(entry):
        # One opening stands for all of the pack: the openings' own fields are tried in tests/dealing.
        if UNPROVABLE & set(path) or ("openings" in path and path[path.index("openings") + 1] > 1):
            continue
        tried += 1
        assert codes(_tampered(entry, path)), f"{path} was changed and nothing was found"
    assert tried > 8


def test_missing_and_repeated_nonces_are_named() -> None:
    first, second, third = (json.loads(line(record(played))) for played in seeded(rounds=3))
    assert codes(first, third) == ["NONCE_MISSING"]
    assert codes(first, second, second, third) == ["NONCE_REPEATED"]


def test_each_fault_of_a_record_has_its_name() -> None:
    entry = one_seeded()
    changes: dict[str, dict[str, Any]] = {
        "GAME_UNKNOWN": {"game": "whist"},
        "EDITION_MISMATCH": {"edition": 99},
        "RULES_MALFORMED": {"rules": {"decks": 9}},
        "SETUP_MALFORMED": {"setup": {"purses": "all"}},
        "SETUP_REFUSED": {"setup": {"purses": [1, 2]}},
        "PROOF_MISSING": {"proofs": []},
        "PROOF_UNUSED": {"proofs": entry["proofs"] * 2},
        "PROOF_MALFORMED": {"proofs": [{"scheme": "magic"}]},
        "CARD_UNKNOWN": {"cards": ["1x", *entry["cards"][1:]]},
        "CARD_MISMATCH": {"cards": [*entry["cards"][1:], entry["cards"][0]]},
        "CARD_COUNT_MISMATCH": {"cards": entry["cards"][:-1]},
        "ACTION_MALFORMED": {"moves": [{"seat": 0, "action": {"type": "BLACKJACK_DANCE"}}]},
        "ACTION_REFUSED": {"moves": [{"seat": 0, "action": {"type": "BLACKJACK_HIT"}}]},
        "PAYOUT_MISMATCH": {"payouts": [10**30]},
        "PAYOUTS_MISSING": {"payouts": None},
        "ROUND_UNFINISHED": {"moves": entry["moves"][:-1]},
        "RECORD_MALFORMED": {"format": "croupier-record-3"},
    }
    for code, change in changes.items():
        assert code in codes(entry | change), f"{code} was not found: {codes(entry | change)}"


def test_a_card_without_an_opening_is_not_proven() -> None:
    played, proof = cut(SHARED, (1000, 1000, 1000))
    fewer = replace(proof, openings=proof.openings[1:], whole=False)
    assert codes(json.loads(line(record(played, (fewer,))))) == ["CARD_NOT_PROVEN"]


def test_a_proof_for_other_rules_is_named() -> None:
    played, proof = cut(SHARED, (1000, 1000, 1000))
    entry = json.loads(line(record(played, (proof,))))
    entry["proofs"][0]["context"]["rules"] = "holdem/1"
    assert "CONTEXT_MISMATCH" in codes(entry)


def test_a_shoe_that_does_not_go_on_from_the_used_cards_is_named() -> None:
    rules = replace(TRAINER, edition=1)
    second = json.loads(line(record(seeded(rules, rounds=2)[1])))
    gone = second["setup"]["gone"]
    gone[0], gone[1] = gone[1], gone[0]
    assert "SHOE_MISMATCH" in codes(second) or gone[0] == gone[1]


def test_an_unrevealed_seed_is_said_to_be_unrevealed() -> None:
    entry = one_seeded()
    entry["proofs"][0]["serverSeed"] = None
    assert codes(entry) == ["SEED_NOT_REVEALED"]


@pytest.mark.parametrize("text", ["", "\n\n", "{}", "[]", "null", "\x00", '{"game":', "1e999", '"\\ud800"', "[" * 5000])
def test_garbage_is_named_and_never_raises(text: str) -> None:
    assert not verify(text.splitlines()).ok


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_a_damaged_record_never_raises(data: st.DataObject) -> None:
    text = bytearray(line(record(seeded()[0])).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    verify([bytes(text)])


@pytest.mark.parametrize("chip", [1, 100])
@pytest.mark.parametrize("field", ["rules", "setup", "proofs", "moves", "voids"])
def test_a_number_out_of_range_is_named_wherever_it_stands(field: str, chip: int) -> None:
    """JSON allows such numbers. Only some readers can hold them."""
    entry = {**one_seeded(), "chip": chip}
    entry[field] = ["OUT"] if field in ("proofs", "voids") else "OUT"
    if field == "moves":
        entry["moves"] = [{"seat": 0, "action": "OUT"}]
    text = json.dumps(entry).replace('"OUT"', '{"unknown": 1e999}')
    names = {"rules": "RULES_MALFORMED", "setup": "SETUP_MALFORMED"}
    assert names.get(field, "RECORD_MALFORMED") in [found.code for _, found in verify([text]).findings]


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_a_record_with_strange_values_never_raises(data: st.DataObject) -> None:
    entry = data.draw(st.sampled_from([one_seeded(), one_cut()]))
    path = data.draw(st.sampled_from(list(_leaves(entry))))
    inside = entry
    for part in path[:-1]:
        inside = inside[part]
    strange = st.none() | st.booleans() | st.integers() | st.text() | st.floats() | st.lists(st.integers())
    inside[path[-1]] = data.draw(strange)
    verify([json.dumps(entry)])
