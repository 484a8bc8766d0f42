"""cut-1: the server commits, the players cut, each card is opened by itself."""

import copy
import pickle
from collections import Counter
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import asdict

from croupier.cards import PACK, Card, packs
from croupier.dealing.chain import Chain
from croupier.dealing.cut1 import (
    CommittedPack,
    Context,
    Contribution,
    check_context,
    check_contributions,
    context_hash,
    permutation,
)
from croupier.dealing.findings import Fault
from croupier.dealing.sealed_pack import check_opening
from croupier.dealing.shoe import Shoe
from croupier.dealing.stream import fisher_yates
from croupier.wire.room import CardOpening
from croupier.wire.room_state import encode_opening
from tests.dealing.uniformity import Shuffle, every_card_is_as_likely_at_every_place, every_order_is_as_likely

SECRET = b"\x07" * 32
CONTEXT = Context("table 7", 3, "holdem/1")
ANN, BOB = Chain(b"ann" + bytes(29), 20), Chain(b"bob" + bytes(29), 20)
BOTH = (Contribution(0, ANN.anchor, 1, ANN.link(1)), Contribution(1, BOB.anchor, 1, BOB.link(1)))


def committed(context: Context = CONTEXT, pack: Sequence[Card] = PACK, secret: bytes = SECRET) -> CommittedPack[Card]:
    return CommittedPack(secret, context, pack)


@given(st.binary(min_size=32, max_size=32), st.integers(1, 120))
def test_a_stream_shuffle_keeps_every_item(key: bytes, size: int) -> None:
    assert sorted(fisher_yates(range(size), key)) == list(range(size))


def test_a_hand_is_dealt_and_each_viewer_checks_their_cards_at_once() -> None:
    server = committed()
    published = server.root
    shoe = Shoe.cut(server.cut(BOTH))
    cards, shoe = shoe.draw(4)

    order = permutation(published, BOTH, 52, CONTEXT)
    for k, card in enumerate(cards):
        opening = shoe.opening(k)
        assert opening.card == str(card)
        assert check_opening(opening, published, order, context_hash(CONTEXT, len(order))) == ()


@pytest.mark.parametrize("size", [1, 2, 3, 52])
def test_an_opening_written_at_once_is_the_opening(size: int) -> None:
    pack = tuple(f'"{place}"' for place in range(size))
    cut = CommittedPack(b"s" * 32, CONTEXT, pack).cut(BOTH)
    for k in range(size):
        written = encode_opening(cut.opened(k), 3)
        assert msgspec.json.decode(written, type=CardOpening) == CardOpening(**asdict(cut.opening(k)), shuffle=3)


def test_the_k_th_card_is_the_one_at_the_servers_position_pi_k() -> None:
    server = committed()
    cut = server.cut(BOTH)
    assert cut.order() == tuple(server.card(cut.permutation[k]) for k in range(52))
    assert Counter(cut.order()) == Counter(PACK)


def test_the_same_secret_context_and_pack_commit_to_the_same_root_again() -> None:
    assert committed().root == committed().root
    assert committed().cut(BOTH).order() == committed().cut(BOTH).order()


@pytest.mark.parametrize(
    "other",
    [
        Context("table 8", 3, "holdem/1"),
        Context("table 7", 4, "holdem/1"),
        Context("table 7", 3, "holdem/2"),
        Context("table 7", 3, "holdem/1", shuffle=1),
    ],
    ids=["table", "hand", "rules", "shuffle"],
)
def test_nothing_of_one_deal_passes_for_another(other: Context) -> None:
    here, there = committed(), committed(other)
    assert here.root != there.root
    assert [here.card(position) for position in range(52)] != [there.card(position) for position in range(52)]
    assert here.opened(0, 0).salt != there.opened(0, 0).salt
    assert permutation(here.root, BOTH, 52, CONTEXT) != permutation(here.root, BOTH, 52, other)
    order = permutation(here.root, BOTH, 52, CONTEXT)
    opening = here.cut(BOTH).opening(0)
    assert [finding.code for finding in check_opening(opening, here.root, order, context_hash(other, len(order)))] == [
        Fault.OPENING_NOT_IN_ROOT
    ]


def test_moving_a_character_between_table_and_rules_changes_the_context() -> None:
    assert committed(Context("ab", 0, "c")).root != committed(Context("a", 0, "bc")).root


def test_every_contribution_changes_the_cut_and_so_does_its_absence() -> None:
    root = committed().root
    absent = Contribution(1, BOB.anchor, 1)
    later = Contribution(1, BOB.anchor, 2, BOB.link(2))
    elsewhere = Contribution(2, BOB.anchor, 1, BOB.link(1))
    cuts = {permutation(root, (BOTH[0], second), 52, CONTEXT) for second in (BOTH[1], absent, later, elsewhere)}
    assert len(cuts) == 4
    assert permutation(root, BOTH[:1], 52, CONTEXT) not in cuts


def test_the_root_changes_the_cut() -> None:
    assert permutation("00" * 32, BOTH, 52, CONTEXT) != permutation("01" * 32, BOTH, 52, CONTEXT)


def test_an_opening_shows_nothing_about_the_other_cards() -> None:
    """Same deal, two other cards exchanged: what is opened has the same position, salt and card."""
    changed = list(PACK)
    changed[3], changed[4] = changed[4], changed[3]
    one, two = committed(), committed(pack=changed)
    same = [position for position in range(52) if one.card(position) is two.card(position)]
    assert len(same) == 50
    for position in same:
        before, after = one.opened(0, position), two.opened(0, position)
        assert (before.salt, before.card) == (after.salt, after.card)


def server_order(size: int, number: int) -> list[int]:
    pack = CommittedPack(SECRET, Context("uniformity", number, "r"), range(size))
    return [pack.card(position) for position in range(size)]


def cut_order(size: int, number: int) -> tuple[int, ...]:
    value = number.to_bytes(32, "big").hex()
    return permutation("00" * 32, (Contribution(0, None, 0, value),), size, CONTEXT)


@pytest.mark.parametrize("shuffle", [server_order, cut_order])
def test_every_order_of_four_cards_is_as_likely(shuffle: Shuffle) -> None:
    assert every_order_is_as_likely(shuffle, 4, 6_000)


@pytest.mark.parametrize(("shuffle", "shuffles"), [(server_order, 1_500), (cut_order, 4_000)])
def test_every_card_is_as_likely_at_every_place_of_the_pack(shuffle: Shuffle, shuffles: int) -> None:
    assert every_card_is_as_likely_at_every_place(shuffle, 52, shuffles)


def test_words_that_would_make_the_choice_uneven_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    # 65536 is 3 × 21845 + 1: of three choices the word 65535 would be one too many for the first.
    offered = iter([65535, 65534, 2])
    monkeypatch.setattr("croupier.dealing.stream.words", lambda _: offered)
    assert fisher_yates("abc", b"") == ("b", "a", "c")
    assert list(offered) == []


@pytest.mark.parametrize(
    "concealed",
    [committed(), committed().cut(BOTH), Shoe.cut(committed().cut(BOTH)), Shoe.stacked(PACK), ANN],
    ids=lambda value: type(value).__name__,
)
def test_what_holds_secrets_shows_and_gives_away_nothing(concealed: object) -> None:
    mask = f"<{type(concealed).__name__}: concealed>"
    assert repr(concealed) == str(concealed) == f"{concealed}" == mask
    assert not hasattr(concealed, "__dict__")
    for give_away in (pickle.dumps, copy.copy, copy.deepcopy, msgspec.json.encode, msgspec.to_builtins):
        with pytest.raises(TypeError):
            give_away(concealed)


def test_a_pack_of_one_card_and_a_table_without_players_work() -> None:
    cut = CommittedPack(SECRET, CONTEXT, ["As"]).cut([])
    assert check_opening(cut.opening(0), cut.committed.root, cut.permutation, context_hash(CONTEXT, 1)) == ()


def test_a_shoe_of_eight_decks_is_the_largest() -> None:
    assert committed(pack=packs(8)).size == 416
    with pytest.raises(AssertionError):
        committed(pack=packs(9))


@pytest.mark.parametrize(
    ("context", "field"),
    [
        (Context("", 0, "r"), "table"),
        (Context("t" * 4097, 0, "r"), "table"),
        (Context("\ud800", 0, "r"), "table"),
        (Context("t", 0, ""), "rules"),
        (Context("t", -1, "r"), "hand"),
        (Context("t", 10**400, "r"), "hand"),
        (Context("t", 0, "r", 2**53), "shuffle"),
    ],
)
def test_a_context_out_of_bounds_is_found_by_field(context: Context, field: str) -> None:
    (found,) = check_context(context)
    assert (found.code, found.facts["field"]) == (Fault.CONTEXT_MALFORMED, field)


@pytest.mark.parametrize(
    ("contribution", "code"),
    [
        (Contribution(0, ANN.anchor, 2, ANN.link(2)), None),
        (Contribution(0, ANN.anchor, 2), None),
        (Contribution(0), None),
        (Contribution(0, ANN.anchor, 1, ANN.link(2)), Fault.CONTRIBUTION_OFF_CHAIN),
        (Contribution(0, BOB.anchor, 2, ANN.link(2)), Fault.CONTRIBUTION_OFF_CHAIN),
        (Contribution(0, None, 0, ANN.link(2)), Fault.CONTRIBUTION_WITHOUT_CHAIN),
        (Contribution(0, "?", 1), Fault.ANCHOR_MALFORMED),
        (Contribution(0, ANN.anchor, 0), Fault.LINK_OUT_OF_RANGE),
        (Contribution(0, ANN.anchor, 4097, ANN.link(1)), Fault.LINK_OUT_OF_RANGE),
        (Contribution(0, None, 1), Fault.LINK_OUT_OF_RANGE),
        (Contribution(0, ANN.anchor, 1, ""), Fault.CONTRIBUTION_MALFORMED),
        (Contribution(1, ANN.anchor, 1), Fault.SEAT_MISPLACED),
        (Contribution(-1, ANN.anchor, 1), Fault.SEAT_MISPLACED),
    ],
)
def test_a_contribution_is_a_link_of_its_chain_or_absent(contribution: Contribution, code: Fault | None) -> None:
    assert [finding.code for finding in check_contributions([contribution])] == ([] if code is None else [code])


def test_every_seat_must_be_listed() -> None:
    assert [finding.code for finding in check_contributions(BOTH, 3)] == [Fault.SEAT_COUNT_MISMATCH]
    assert [finding.code for finding in check_contributions(BOTH[1:])] == [Fault.SEAT_MISPLACED]
