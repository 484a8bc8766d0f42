"""Proofs in records: good ones are silent, and whatever is done to one is found by name and never crashes."""

import json
import pathlib
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import packs
from croupier.dealing.chain import Chain
from croupier.dealing.cut1 import CommittedPack, Context, Contribution
from croupier.dealing.findings import Fact, Fault, Finding, fact, shown
from croupier.dealing.history import check_history
from croupier.dealing.proof import Cut1Proof, Shuffle1Proof, cards_of, prove, read_proof
from croupier.dealing.seeds import commitment
from croupier.locales import LANGUAGES, catalogue, text
from croupier.table.deal_faults import DealFault, DealNote
from tests.dealing.make_vectors import PACKS, THREE_SEATS, cut_proof, plain, secret, shuffle_proof, tampered

Path = tuple[str | int, ...]
SEQUENCE = Context("table 7", 0, "sequence/1", 1)
PROOFS = {
    "shuffle-1": ("one deck", shuffle_proof()),
    "cut-1, some opened": ("one deck", cut_proof("one deck", Context("table 7", 41, "holdem/1"), (0, 1, 5, 51))),
    "cut-1, all opened": ("five cards", cut_proof("five cards", SEQUENCE, None)),
}
NONSENSE: list[Any] = [
    None,
    True,
    -1,
    2**53,
    10**400,
    1.5,
    "",
    "\ud800",
    "0" * 63,
    "Z" * 64,
    "x" * 10_000,
    [],
    [[]],
    {},
    {"a": 1},
]


def checked(proof: Any, pack: str) -> tuple[tuple[str | None, ...], tuple[Finding, ...]]:
    read = read_proof(proof)
    return ((), (read,)) if isinstance(read, Finding) else cards_of(read, PACKS[pack], 3)


def codes(proof: Any, pack: str) -> set[str]:
    return {finding.code for finding in checked(proof, pack)[1]}


def entries(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every entry of a proof with its path, lists and objects included."""
    if path:
        yield path, value
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from entries(inner, (*path, name))
    if isinstance(value, list):
        for index, inner in enumerate(value):
            yield from entries(inner, (*path, index))


ENTRIES = [(scheme, path, value) for scheme, (_, proof) in PROOFS.items() for path, value in entries(proof)]
LEAVES = [(scheme, path, value) for scheme, path, value in ENTRIES if not isinstance(value, dict | list)]


def flipped(value: bool | int | str | None) -> object:
    """Another value of the same form."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str() if len(value) == 64:
            return value[:-1] + ("1" if value[-1] == "0" else "0")
        case str():
            return value + "x"
        case None:
            return "5" * 64


EXPECTED_OF_A_FLIP: dict[Path, set[str]] = {
    ("scheme",): {Fault.PROOF_MALFORMED},
    ("serverSeedHash",): {Fault.COMMITMENT_MISMATCH},
    ("serverSeed",): {Fault.COMMITMENT_MISMATCH},
    ("context", "table"): {Fault.OPENING_NOT_IN_ROOT, Fault.POSITION_MISMATCH},
    ("context", "hand"): {Fault.OPENING_NOT_IN_ROOT, Fault.POSITION_MISMATCH},
    ("context", "rules"): {Fault.OPENING_NOT_IN_ROOT, Fault.POSITION_MISMATCH},
    ("context", "shuffle"): {Fault.OPENING_NOT_IN_ROOT, Fault.POSITION_MISMATCH},
    ("size",): {Fault.PACK_SIZE_MISMATCH},
    ("root",): {Fault.ROOT_MISMATCH},
    ("contributions", "seat"): {Fault.SEAT_MISPLACED, Fault.POSITION_MISMATCH},
    ("contributions", 0, "anchor"): {Fault.CONTRIBUTION_OFF_CHAIN},
    ("contributions", 0, "link"): {Fault.CONTRIBUTION_OFF_CHAIN},
    ("contributions", 0, "value"): {Fault.CONTRIBUTION_OFF_CHAIN, Fault.POSITION_MISMATCH},
    ("contributions", 1, "value"): {Fault.CONTRIBUTION_OFF_CHAIN, Fault.POSITION_MISMATCH},
    ("contributions", 2, "anchor"): {Fault.LINK_OUT_OF_RANGE},
    ("contributions", 2, "link"): {Fault.LINK_OUT_OF_RANGE},
    ("contributions", 2, "value"): {Fault.CONTRIBUTION_WITHOUT_CHAIN, Fault.POSITION_MISMATCH},
    ("openings", "card"): {Fault.CARD_NOT_IN_PACK, Fault.OPENING_NOT_IN_ROOT},
    ("openings", "salt"): {Fault.OPENING_NOT_IN_ROOT},
    ("openings", "path"): {Fault.OPENING_NOT_IN_ROOT},
}
"""What is found when an entry takes another value of the same form. Without an index: of any seat or opening."""

ONLY_A_HISTORY_TELLS: set[Path] = {
    ("nextServerSeedHash",),  # against the next pair
    ("contributions", 1, "anchor"),  # of an absent seat: against the deals before
    ("contributions", 1, "link"),
}
MAY_BE_NULL: set[Path] = {
    ("nextServerSeedHash",),
    ("contributions", 1, "value"),
    ("contributions", 2, "value"),
    ("contributions", 2, "anchor"),
}
ONLY_THE_CARDS_TELL: set[Path] = {("clientSeed",), ("nonce",)}


@pytest.mark.parametrize(("pack", "proof"), PROOFS.values(), ids=PROOFS)
def test_a_good_proof_has_no_findings(pack: str, proof: Any) -> None:
    cards, found = checked(proof, pack)
    assert found == ()
    opened = {opening["k"] for opening in proof.get("openings", [])} or set(range(len(PACKS[pack])))
    assert {k for k, card in enumerate(cards) if card is not None} == opened


@pytest.mark.parametrize(("scheme", "path", "value"), LEAVES)
def test_another_value_in_any_entry_is_found_by_name(scheme: str, path: Path, value: Any) -> None:
    pack, proof = PROOFS[scheme]
    cards, found = checked(tampered(proof, *path, to=flipped(value)), pack)
    names = {finding.code for finding in found}
    if path in ONLY_A_HISTORY_TELLS:
        assert names == set()
    elif path in ONLY_THE_CARDS_TELL:
        assert names == set()
        assert cards != checked(proof, pack)[0]
    elif path[-1] == "whole":
        assert names == {Fault.WHOLE_PACK_UNDECLARED if value else Fault.PACK_NOT_WHOLLY_OPENED}
    elif path[-1] in ("k", "position"):
        assert names & {Fault.POSITION_MISMATCH, Fault.OPENING_OUT_OF_RANGE}
    else:
        anywhere = (path[0], *(step for step in path[1:] if isinstance(step, str)))
        assert names == EXPECTED_OF_A_FLIP.get(path, EXPECTED_OF_A_FLIP.get(anywhere))


def test_the_order_of_seats_and_of_a_path_matters_and_that_of_openings_does_not() -> None:
    pack, proof = PROOFS["cut-1, some opened"]
    assert codes(proof | {"openings": proof["openings"][::-1]}, pack) == set()
    assert Fault.SEAT_MISPLACED in codes(proof | {"contributions": proof["contributions"][::-1]}, pack)
    turned = tampered(proof, "openings", 0, "path", to=proof["openings"][0]["path"][::-1])
    assert codes(turned, pack) == {Fault.OPENING_NOT_IN_ROOT}


@pytest.mark.parametrize(("scheme", "path", "value"), ENTRIES)
def test_nonsense_in_any_entry_is_found_and_never_crashes(scheme: str, path: Path, value: Any) -> None:
    pack, proof = PROOFS[scheme]
    for nonsense in NONSENSE:
        changed = tampered(proof, *path, to=nonsense)
        if nonsense is None and path in MAY_BE_NULL:
            assert codes(changed, pack) == set()
        elif path == ("clientSeed",) and nonsense in ("0" * 63, "Z" * 64):
            assert checked(changed, pack)[0] != checked(proof, pack)[0]  # good client seeds, but not this one
        elif path == ("openings",) and nonsense == [] and not proof["whole"]:
            assert checked(changed, pack) == ((None,) * len(PACKS[pack]), ())  # a hand in which nothing was shown
        elif changed != proof or type(value) is not type(nonsense):
            assert codes(changed, pack), nonsense


@pytest.mark.parametrize(("scheme", "path", "value"), ENTRIES)
def test_a_missing_entry_is_found_unless_it_means_the_same(scheme: str, path: Path, value: Any) -> None:
    pack, proof = PROOFS[scheme]
    *above, last = path
    place = copied = json.loads(json.dumps(proof))
    for step in above:
        place = place[step]
    del place[last]
    if path[0] == "openings" and len(path) == 2 and not proof["whole"]:
        assert checked(copied, pack)[0] != checked(proof, pack)[0]  # a card not shown is no fault of the proof
    elif path in MAY_BE_NULL:
        assert codes(copied, pack) == set()
    else:
        assert codes(copied, pack) or read_proof(copied) == read_proof(proof), value


plain_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=[])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(plain_values)
def test_anything_at_all_read_as_a_proof_gives_a_finding(value: Any) -> None:
    read = read_proof(value)
    assert isinstance(read, Finding)
    assert read.code == Fault.PROOF_MALFORMED


@given(st.sampled_from(ENTRIES), plain_values)
def test_whatever_stands_in_an_entry_the_checks_answer(entry: tuple[str, Path, Any], value: Any) -> None:
    scheme, path, _ = entry
    pack, proof = PROOFS[scheme]
    for finding in checked(tampered(proof, *path, to=value), pack)[1]:
        for language in LANGUAGES:
            assert text(language, f"finding.{finding.code}", **finding.facts).encode()
        assert msgspec.json.encode(finding)


def test_a_proof_made_in_python_with_wrong_types_gives_a_finding() -> None:
    broken = Shuffle1Proof(commitment("ab" * 32), "my own seed", "4", object())  # type: ignore[arg-type]  # the point
    cards, (found,) = cards_of(broken, PACKS["one deck"])
    assert (set(cards), found.code) == ({None}, Fault.PROOF_MALFORMED)
    assert check_history([broken]) == ()


def test_a_malformed_proof_says_where() -> None:
    proof = tampered(PROOFS["cut-1, some opened"][1], "contributions", 1, "link", to="9")
    read = read_proof(proof)
    assert isinstance(read, Finding)
    assert read.facts["where"] == "$.contributions[1].link"


@pytest.mark.parametrize("pack", [[], ["As"] * 417])
def test_a_pack_of_impossible_size_is_a_finding(pack: list[str]) -> None:
    proof = read_proof(shuffle_proof())
    assert isinstance(proof, Shuffle1Proof)
    _, (found,) = cards_of(proof, pack)
    assert found.code == Fault.PACK_OUT_OF_RANGE


def test_proofs_survive_json() -> None:
    for _, proof in PROOFS.values():
        read = read_proof(proof)
        assert plain(read) == proof


def test_shuffle_1_tells_the_whole_order() -> None:
    seed = "ab" * 32
    texts = [str(card) for card in packs(6)]
    cards, found = cards_of(Shuffle1Proof(commitment(seed), "my own seed", 0, seed), texts)
    assert found == ()
    assert sorted(card for card in cards if card is not None) == sorted(texts)


def test_cut_1_tells_exactly_the_opened_cards() -> None:
    cut = CommittedPack(secret("x"), SEQUENCE, PACKS["one deck"]).cut(THREE_SEATS)
    cards, found = cards_of(prove(cut, {4, 2}), PACKS["one deck"])
    assert found == ()
    assert cards == tuple(card if k in {2, 4} else None for k, card in enumerate(cut.order()))


def test_a_server_that_commits_to_a_marked_pack_is_found_when_it_opens_too_many_aces() -> None:
    marked = ["As" if card.endswith("s") else card for card in PACKS["one deck"]]
    cut = CommittedPack(secret("x"), SEQUENCE, marked).cut(THREE_SEATS)
    _, (found,) = cards_of(prove(cut), PACKS["one deck"])
    assert (found.code, found.facts) == (Fault.CARD_TOO_OFTEN, {"card": "As", "count": 13, "held": 1})


def test_a_server_that_deals_another_card_than_it_committed_to_is_found() -> None:
    honest = CommittedPack(secret("x"), SEQUENCE, PACKS["one deck"]).cut(THREE_SEATS)
    other = CommittedPack(secret("y"), SEQUENCE, PACKS["one deck"]).cut(THREE_SEATS)
    proof = prove(honest, range(5))
    swapped = msgspec.structs.replace(proof, openings=(*proof.openings[:4], other.opening(4)))
    found = cards_of(swapped, PACKS["one deck"])[1]
    assert {finding.code for finding in found} == {Fault.OPENING_NOT_IN_ROOT, Fault.POSITION_MISMATCH}
    assert {finding.facts["k"] for finding in found} == {4}


def test_an_absent_seats_link_is_used_up_all_the_same() -> None:
    chain = Chain(secret("x"), 9)
    entries = [Contribution(0, chain.anchor, 1, chain.link(1)), Contribution(0, chain.anchor, 2)]
    third = Contribution(0, chain.anchor, 3, chain.link(3))
    again = Contribution(0, chain.anchor, 2, chain.link(2))

    def proofs(*contributions: Contribution) -> list[Cut1Proof]:
        hands = [Context("t", hand, "r") for hand in range(len(contributions))]
        return [
            prove(CommittedPack(secret("x"), hand, ["As"]).cut([entry]))
            for hand, entry in zip(hands, contributions, strict=True)
        ]

    assert check_history(proofs(*entries, third), from_start=True) == ()
    (found,) = check_history(proofs(*entries, again), from_start=True)
    assert found.facts == {"proof": 2, "seat": 0, "link": 2, "expected": 3}


def test_tables_are_counted_apart_and_schemes_do_not_mix() -> None:
    proofs = [
        prove(CommittedPack(secret("x"), Context(table, hand, "r"), ["As"]).cut([]))
        for hand in (0, 1)
        for table in "ab"
    ]
    seed = "ab" * 32
    shuffles = [Shuffle1Proof(commitment(seed), "my own seed", nonce, seed) for nonce in (0, 1)]
    assert check_history([proofs[0], shuffles[0], *proofs[1:], shuffles[1]], from_start=True) == ()


def test_every_finding_has_a_text_in_every_language() -> None:
    for language in LANGUAGES:
        assert {f"finding.{fault}" for fault in Fault} <= catalogue(language).keys()


def test_the_document_names_every_finding() -> None:
    document = (pathlib.Path(__file__).parents[2] / "docs" / "fairness.md").read_text(encoding="utf-8")
    assert {code for code in (*Fault, *DealFault, *DealNote) if f"`{code}`" not in document} == set()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("short", "short"),
        ("\ud800\n", "\\ud800\\n"),
        (-5, -5),
        (2**53, "(54 bit)"),
        pytest.param(10**5000, "(16610 bit)", id="huge"),
        (None, "(NoneType)"),
        (["x"], "(list)"),
    ],
)
def test_values_out_of_records_are_shown_safely(value: object, expected: Fact) -> None:
    assert fact(value) == expected
    assert shown(value) == str(expected)


def test_a_long_value_out_of_a_record_is_clipped() -> None:
    assert shown("x" * 10_000) == "x" * 80 + "\\u2026"
