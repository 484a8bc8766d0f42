"""cut-2: everything is fixed, then the players cut, then anybody can check it."""

import copy
import json
import pickle
from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from scipy.special import chdtrc

from croupier.cards import PACK
from croupier.dealing import canonical, cut2
from croupier.dealing.cut2 import CommittedDeal, Context, Cut, Cutter
from croupier.dealing.findings import Fault, Finding
from croupier.dealing.proof import Cut2Proof, cards_of, prove, read_proof
from croupier.dealing.sealed_pack import check_opening
from croupier.dealing.shoe import Shoe
from tests.dealing.cut2_vectors import (
    CLOSING,
    ODD_CARDS,
    ONE_DECK,
    TEXTS,
    context,
    cuts,
    false_deal,
    hidden_proof,
    opened_proof,
    secret,
    tampered,
)
from tests.dealing.test_proof import NONSENSE, entries, flipped
from tests.dealing.uniformity import every_card_is_as_likely_at_every_place, every_order_is_as_likely

MASTER = secret("master")
SEATS = (0, 2, 5)


def committed(about: Context | None = None) -> CommittedDeal[str]:
    return CommittedDeal(MASTER, about or context(), ONE_DECK)


# One text for a value.

plain_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats()
    | st.text(st.characters(exclude_categories=[])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(plain_values)
def test_what_can_be_written_is_read_back_as_the_same_text(value: Any) -> None:
    try:
        text = canonical.write(value)
    except canonical.CanonicalError:
        return
    again = canonical.read(text)
    assert canonical.write(again) == text
    assert again == value


@given(st.text(), st.sampled_from(sorted(TEXTS.values())), st.integers(0, 40))
def test_no_other_text_is_read_as_the_same_value(extra: str, text: str, place: int) -> None:
    changed = text[:place] + extra + text[place:]
    try:
        value = canonical.read(changed)
    except canonical.CanonicalError:
        return
    assert canonical.write(value) == changed


@pytest.mark.parametrize("value", [object(), b"bytes", {1: 2}, {"a": {"7": 1}}, [float("nan")], "\ud800"])
def test_a_value_without_a_canonical_form_is_refused(value: Any) -> None:
    with pytest.raises(canonical.CanonicalError):
        canonical.write(value)


@pytest.mark.parametrize(("character", "count"), [("x", 65534), ("é", 32767)])
def test_a_text_has_at_most_65536_bytes(character: str, count: int) -> None:
    longest = json.dumps(character * count, ensure_ascii=False)
    assert canonical.read(longest) == character * count
    with pytest.raises(canonical.CanonicalError):
        canonical.read(json.dumps(character * (count + 1), ensure_ascii=False))


@pytest.mark.parametrize("text", [None, 5, b"1", ["1"]])
def test_what_is_no_text_is_refused(text: Any) -> None:
    with pytest.raises(canonical.CanonicalError):
        canonical.read(text)


# Promises.


def test_a_promise_is_kept_by_the_value_behind_it_and_by_nothing_else() -> None:
    promise = cut2.promise_of(MASTER)
    assert cut2.keeps(promise, MASTER.hex())
    for other in (MASTER.hex().upper(), promise, "", MASTER.hex()[:-1], None, 5, secret("other").hex()):
        assert not cut2.keeps(promise, other)


# Contexts.

hashes = st.binary(min_size=32, max_size=32).map(bytes.hex)
numbers = st.integers(0, 2**53 - 1)
contexts = st.builds(
    Context,
    room=hashes,
    deal=numbers,
    hand=numbers,
    shuffle=numbers,
    rules=st.text(max_size=6),
    setup=st.text(max_size=6),
    pack=st.text(max_size=6),
    packs=st.integers(1, 8),
    before=hashes,
    cutters=st.lists(st.builds(Cutter, seat=st.integers(0, 9), promise=hashes), max_size=3).map(tuple),
)


@given(contexts, contexts)
def test_no_two_different_contexts_share_a_hash(one: Context, two: Context) -> None:
    assert (cut2.context_hash(one) == cut2.context_hash(two)) == (one == two)


@given(st.text(min_size=1, max_size=8), st.data())
def test_texts_that_are_divided_otherwise_are_other_contexts(text: str, data: st.DataObject) -> None:
    """Where one field ends and the next begins is part of what is hashed."""
    places = st.integers(0, len(text))
    first, second = (sorted((data.draw(places), data.draw(places))) for _ in range(2))

    def divided(at: list[int]) -> Context:
        return replace(context(), rules=text[: at[0]], setup=text[at[0] : at[1]], pack=text[at[1] :])

    assert (cut2.context_hash(divided(first)) == cut2.context_hash(divided(second))) == (first == second)


@given(contexts, st.sampled_from(Context.__struct_fields__), st.data())
def test_every_field_goes_into_the_hash(about: Context, field: str, data: st.DataObject) -> None:
    other = getattr(data.draw(contexts), field)
    changed = replace(about, **{field: other})
    assert (cut2.context_hash(changed) == cut2.context_hash(about)) == (changed == about)


BROKEN: dict[str, tuple[dict[str, Any], list[Fault]]] = {
    "room": ({"room": "ABCD"}, [Fault.CONTEXT_MALFORMED]),
    "before": ({"before": ""}, [Fault.CONTEXT_MALFORMED]),
    "deal 0": ({"deal": 0}, [Fault.CONTEXT_MALFORMED]),
    "deal too high": ({"deal": 2**53}, [Fault.CONTEXT_MALFORMED]),
    "deal true": ({"deal": True}, [Fault.CONTEXT_MALFORMED]),
    "hand 0": ({"hand": 0}, [Fault.CONTEXT_MALFORMED]),
    "shuffle": ({"shuffle": -1}, [Fault.CONTEXT_MALFORMED]),
    "no packs": ({"packs": 0}, [Fault.CONTEXT_MALFORMED]),
    "nine packs": ({"packs": 9}, [Fault.CONTEXT_MALFORMED]),
    "rules": ({"rules": '{"a": 1}'}, [Fault.CONTEXT_NOT_CANONICAL]),
    "setup": ({"setup": '{"a":1,"a":1}'}, [Fault.CONTEXT_NOT_CANONICAL]),
    "pack": ({"pack": "[1.0]"}, [Fault.CONTEXT_NOT_CANONICAL]),
    "order": ({"cutters": (Cutter(2, "0" * 64), Cutter(0, "0" * 64))}, [Fault.CUTTERS_MALFORMED]),
    "twice": ({"cutters": (Cutter(2, "0" * 64), Cutter(2, "1" * 64))}, [Fault.CUTTERS_MALFORMED]),
    "seat": ({"cutters": (Cutter(-1, "0" * 64),)}, [Fault.CUTTERS_MALFORMED]),
    "many": ({"cutters": tuple(Cutter(seat, "0" * 64) for seat in range(201))}, [Fault.CUTTERS_MALFORMED]),
    "promise": ({"cutters": (Cutter(2, "soon"),)}, [Fault.PROMISE_MALFORMED]),
}


@pytest.mark.parametrize(("change", "codes"), BROKEN.values(), ids=BROKEN)
def test_a_context_out_of_bounds_is_found(change: dict[str, Any], codes: list[Fault]) -> None:
    assert [found.code for found in cut2.check_context(replace(context(), **change))] == codes
    assert cut2.check_context(context()) == ()


# Deals.


def test_a_hand_is_dealt_and_each_viewer_checks_their_cards_at_once() -> None:
    server = CommittedDeal(MASTER, context(), PACK)
    fixed, roots = server.context, server.roots
    made = server.cut(cuts(*SEATS))
    cards, shoe = Shoe.cut(made).draw(4)

    hashed = cut2.context_hash(fixed)
    cut = cut2.cut_of(cut2.seal_of(hashed, roots), made.cuts)
    played, order = cut2.choice(cut, fixed.packs), cut2.permutation(cut, 52)
    assert cut2.check_cuts(fixed, made.cuts) == ()
    assert cut2.check_secrets(hashed, roots, ONE_DECK, made.secrets, played) == ()
    for k, card in enumerate(cards):
        opening = shoe.opening(k)
        assert opening.card == str(card)
        assert check_opening(opening, roots[played], order, hashed) == ()


def test_the_same_master_context_and_pack_give_the_same_deal_again() -> None:
    one, two = committed().cut(cuts(*SEATS)), committed().cut(cuts(*SEATS))
    assert (one.roots, one.seal, one.order()) == (two.roots, two.seal, two.order())


def test_all_packs_of_a_deal_differ_and_those_of_another_deal_too() -> None:
    here, there = committed(), committed(context(deal=8))
    assert len({*here.roots, *there.roots}) == 16
    assert len({*here.secrets(), *there.secrets()}) == 16


def test_the_played_secret_is_not_among_those_that_are_shown() -> None:
    made = committed().cut(cuts(*SEATS))
    assert made.secrets.count(None) == 1
    assert made.secrets[made.played] is None
    assert made.secret() not in made.secrets


def test_every_cut_changes_the_deal() -> None:
    seal = bytes.fromhex(committed().seal)
    given = cuts(*SEATS)
    made = {cut2.cut_of(seal, given), cut2.cut_of(seal, given[:2]), cut2.cut_of(bytes(32), given)}
    for place in range(3):
        other = list(given)
        other[place] = Cut(given[place].seat, secret("other").hex())
        made.add(cut2.cut_of(seal, other))
    assert len(made) == 6


def test_cuts_that_change_their_seats_make_another_cut() -> None:
    seal = bytes.fromhex(committed().seal)
    first, second = secret("one").hex(), secret("two").hex()
    assert cut2.cut_of(seal, (Cut(0, first), Cut(1, second))) != cut2.cut_of(seal, (Cut(0, second), Cut(1, first)))


@pytest.mark.parametrize(
    "concealed",
    [committed(), committed().cut(cuts(*SEATS)), Shoe.cut(committed().cut(cuts(*SEATS)))],
    ids=lambda value: type(value).__name__,
)
def test_what_holds_secrets_shows_and_gives_away_nothing(concealed: object) -> None:
    mask = f"<{type(concealed).__name__}: concealed>"
    assert repr(concealed) == str(concealed) == f"{concealed}" == mask
    assert not hasattr(concealed, "__dict__")
    for give_away in (pickle.dumps, copy.copy, copy.deepcopy, msgspec.json.encode, msgspec.to_builtins):
        with pytest.raises(TypeError):
            give_away(concealed)


# Chance.


def cut_number(number: int) -> bytes:
    return cut2.cut_of(secret("seal"), (Cut(0, number.to_bytes(32, "big").hex()),))


def cut_order(size: int, number: int) -> tuple[int, ...]:
    return cut2.permutation(cut_number(number), size)


def pack_order(size: int, number: int) -> list[int]:
    about = context(packs=1, deal=number + 1)
    deal = CommittedDeal(MASTER, about, range(size)).cut(cuts(*SEATS))
    return [deal.pack.card(position) for position in range(size)]


@pytest.mark.parametrize("shuffle", [cut_order, pack_order])
def test_every_order_of_four_cards_is_as_likely(shuffle: Any) -> None:
    assert every_order_is_as_likely(shuffle, 4, 6_000)


@pytest.mark.parametrize(("shuffle", "shuffles"), [(cut_order, 4_000), (pack_order, 1_500)])
def test_every_card_is_as_likely_at_every_place_of_the_pack(shuffle: Any, shuffles: int) -> None:
    assert every_card_is_as_likely_at_every_place(shuffle, 52, shuffles)


def test_every_pack_is_as_likely_to_be_played() -> None:
    tries = 8_000
    seen = Counter(cut2.choice(cut_number(number), 8) for number in range(tries))
    statistic = sum((seen[pack] - tries / 8) ** 2 / (tries / 8) for pack in range(8))
    assert 0.001 < chdtrc(7, statistic) < 0.999


def test_the_choice_says_nothing_about_the_order() -> None:
    """Which pack is played against which card comes first."""
    tries = 8_000
    drawn = [(cut2.choice(cut, 8), cut2.permutation(cut, 4)[0]) for cut in map(cut_number, range(tries))]
    seen = Counter(drawn)
    statistic = sum(
        (seen[pair] - tries / 32) ** 2 / (tries / 32) for pair in ((c, p) for c in range(8) for p in range(4))
    )
    assert 0.001 < chdtrc(31, statistic) < 0.999


# Proofs in records.


def codes(proof: Cut2Proof) -> set[str]:
    return {found.code for found in cards_of(proof, ONE_DECK)[1]}


def test_a_proof_tells_exactly_the_opened_cards() -> None:
    made = committed().cut(cuts(*SEATS))
    cards, found = cards_of(prove(made, {4, 2}, CLOSING), ONE_DECK)
    assert found == ()
    assert cards == tuple(card if k in {2, 4} else None for k, card in enumerate(made.order()))


def test_a_pack_that_is_opened_whole_tells_every_card_by_its_secret() -> None:
    made = CommittedDeal(MASTER, context(packs=1), ONE_DECK).cut(cuts(*SEATS))
    proof = prove(made, None, CLOSING)
    assert isinstance(proof, Cut2Proof)
    assert proof.openings == ()
    assert cards_of(proof, ONE_DECK) == (made.order(), ())


@pytest.mark.parametrize("bad", range(8))
def test_one_false_pack_among_eight_is_found_by_its_secret_unless_it_is_played(bad: int) -> None:
    proof = read_proof(false_deal(8, lambda number: number == bad))
    assert isinstance(proof, Cut2Proof)
    played = proof.secrets.index(None)
    # All cards are opened here: then the second ace gives the played pack away, too.
    assert codes(proof) == {Fault.CARD_TOO_OFTEN if played == bad else Fault.PACK_FALSE}


def test_the_openings_of_one_deal_do_not_fit_another() -> None:
    here = prove(committed().cut(cuts(*SEATS)), range(5), CLOSING)
    there = prove(committed(context(deal=8)).cut(cuts(*SEATS)), range(5), CLOSING)
    assert isinstance(here, Cut2Proof)
    assert isinstance(there, Cut2Proof)
    assert Fault.OPENING_NOT_IN_ROOT in codes(replace(here, openings=there.openings))


def test_a_void_deal_is_not_one_that_was_cut() -> None:
    deal = committed()
    void = Cut2Proof(deal.context, deal.roots, CLOSING, cuts(0, 5), deal.secrets(), (2,))
    assert void.is_void
    assert codes(void) == {Fault.CUTS_INCOMPLETE}
    assert cut2.check_given(void.context, void.cuts) == ()
    hashed = cut2.context_hash(void.context)
    assert cut2.check_secrets(hashed, void.roots, ONE_DECK, void.secrets, None) == ()


def test_proofs_survive_json() -> None:
    for proof in (
        prove(committed().cut(cuts(*SEATS)), (1, 2), CLOSING),
        Cut2Proof(context(), committed().roots, "", cuts(0, 5), committed().secrets(), (2,)),
    ):
        assert read_proof(json.loads(msgspec.json.encode(proof))) == proof


PROOFS = {"hidden": hidden_proof(), "opened whole": opened_proof()}
ENTRIES = [(name, path, value) for name, proof in PROOFS.items() for path, value in entries(proof)]
LEAVES = [(name, path, value) for name, path, value in ENTRIES if not isinstance(value, dict | list)]
ONLY_THE_CLOSING_BEFORE_TELLS = ("closing",)
"""A proof alone does not know whether it is the text whose digest the context carries: `table.verify` does."""


def found_in(proof: Any, name: str) -> set[str]:
    read = read_proof(proof)
    if isinstance(read, Finding):
        return {read.code}
    pack = ODD_CARDS if name == "opened whole" else ONE_DECK
    return {found.code for found in cards_of(read, pack)[1]}


@pytest.mark.parametrize("name", PROOFS)
def test_a_good_proof_has_no_findings(name: str) -> None:
    assert found_in(PROOFS[name], name) == set()


@pytest.mark.parametrize(("name", "path", "value"), LEAVES)
def test_another_value_in_any_entry_is_found(name: str, path: tuple[str | int, ...], value: Any) -> None:
    played = path[0] == "secrets" and value is None
    if path == ONLY_THE_CLOSING_BEFORE_TELLS:
        return
    found = found_in(tampered(PROOFS[name], *path, to=flipped(value)), name)
    assert found, path
    assert not played or found == {Fault.PACK_FALSE}


@pytest.mark.parametrize(("name", "path", "value"), ENTRIES)
def test_nonsense_in_any_entry_is_found_and_never_crashes(name: str, path: tuple[str | int, ...], value: Any) -> None:
    for nonsense in NONSENSE:
        changed = tampered(PROOFS[name], *path, to=nonsense)
        found = found_in(changed, name)
        harmless = (
            path == ONLY_THE_CLOSING_BEFORE_TELLS
            or changed == PROOFS[name]
            # A hand in which nothing was shown; a pack that is not opened yet.
            or (path == ("openings",) and nonsense == [])
            or (path[0] == "secrets" and len(path) == 2 and nonsense is None and name == "opened whole")
        )
        assert found or harmless, (path, nonsense)


def test_the_code_to_read_aloud_is_the_first_24_bits_six_at_a_time() -> None:
    assert cut2.pictures("fc0fc1" + "0" * 58) == (63, 0, 63, 1)
    assert cut2.pictures("000001" + "f" * 58) == (0, 0, 0, 1)
