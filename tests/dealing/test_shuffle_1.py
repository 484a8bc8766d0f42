"""shuffle-1: seeds, commitment and order."""

import hashlib
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.cards import PACK, packs
from croupier.dealing.findings import Fault, Finding
from croupier.dealing.seeds import check_client_seed, check_commitment, check_nonce, check_server_seed, commitment
from croupier.dealing.shuffle import PACK_CARDS_MAX, shuffle
from tests.dealing.uniformity import every_card_is_as_likely_at_every_place, every_order_is_as_likely

SEED = "0f" * 32
server_seeds = st.binary(min_size=32, max_size=32).map(bytes.hex)
client_seeds = st.text(st.characters(codec="utf-8"), min_size=8, max_size=256)
nonces = st.integers(0, 2**53 - 1)


def codes(findings: tuple[Finding, ...]) -> list[str]:
    return [finding.code for finding in findings]


@given(st.integers(0, 120), server_seeds, client_seeds, nonces)
def test_a_shuffle_keeps_every_card(size: int, server_seed: str, client_seed: str, nonce: int) -> None:
    assert sorted(shuffle(range(size), server_seed, client_seed, nonce)) == list(range(size))


def test_a_shoe_of_six_decks_keeps_its_cards() -> None:
    order = shuffle(packs(6), SEED, "my own seed", 0)
    assert Counter(order) == dict.fromkeys(PACK, 6)


@given(server_seeds, client_seeds, nonces)
def test_the_same_seeds_and_nonce_give_the_same_order(server_seed: str, client_seed: str, nonce: int) -> None:
    order = shuffle(PACK, server_seed, client_seed, nonce)
    assert order == shuffle(PACK, server_seed, client_seed, nonce)
    assert order != shuffle(PACK, server_seed, client_seed, nonce + 1 if nonce < 2**53 - 1 else 0)
    assert order != shuffle(PACK, server_seed, client_seed[:-1] + ("b" if client_seed[-1] == "a" else "a"), nonce)


def test_the_commitment_is_the_hash_of_the_seeds_text() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED.encode("ascii")).hexdigest()
    assert commitment(SEED) != hashlib.sha256(bytes.fromhex(SEED)).hexdigest()


def test_the_bias_of_the_modulus_is_below_2_to_the_minus_240() -> None:
    values = 2**256
    distances = (Fraction(values % m * (m - values % m), m * values) for m in range(2, PACK_CARDS_MAX + 1))
    assert sum(distances) < Fraction(1, 2**241)


def numbered(size: int, number: int) -> tuple[int, ...]:
    return shuffle(range(size), SEED, "uniformity", number)


def test_every_order_of_five_cards_is_as_likely() -> None:
    assert every_order_is_as_likely(numbered, 5, 12_000)


def test_every_card_is_as_likely_at_every_place_of_the_pack() -> None:
    assert every_card_is_as_likely_at_every_place(numbered, 52, 4_000)


def test_the_uniformity_tests_notice_a_shuffle_that_swaps_with_any_place() -> None:
    def naive(size: int, number: int) -> list[int]:
        order = list(range(size))
        for i in range(size):
            j = int.from_bytes(hashlib.sha256(f"{number}:{i}".encode()).digest(), "big") % size
            order[i], order[j] = order[j], order[i]
        return order

    assert not every_order_is_as_likely(naive, 5, 12_000)
    assert not every_card_is_as_likely_at_every_place(naive, 52, 4_000)


@pytest.mark.parametrize(
    "seed", [SEED[:-1], SEED + "0", SEED.upper(), "0x" + SEED[2:], SEED[:-1] + "\n", "", 5, None, "٣" * 64]
)
def test_a_server_seed_is_64_lower_case_hexadecimal_characters(seed: object) -> None:
    assert codes(check_server_seed(seed)) == [Fault.SERVER_SEED_MALFORMED]


def test_a_good_server_seed_is_good() -> None:
    assert check_server_seed(SEED) == ()


@pytest.mark.parametrize("seed", ["12345678", "x" * 256, "😀" * 8, "😀" * 256, "a:b:c:d:", "\0" * 8])
def test_a_client_seed_is_any_8_to_256_characters(seed: str) -> None:
    assert check_client_seed(seed) == ()


@pytest.mark.parametrize("seed", ["", "1234567", "x" * 257, "😀" * 7])
def test_a_client_seed_of_another_length_is_refused(seed: str) -> None:
    (found,) = check_client_seed(seed)
    assert found.code == Fault.CLIENT_SEED_LENGTH
    assert found.facts == {"length": len(seed), "low": 8, "high": 256}


@pytest.mark.parametrize("seed", ["abcdefg\ud800", None, 12345678, b"12345678"])
def test_a_client_seed_without_utf_8_form_is_refused(seed: object) -> None:
    assert codes(check_client_seed(seed)) == [Fault.CLIENT_SEED_NOT_TEXT]


@pytest.mark.parametrize("nonce", [-1, 2**53, pytest.param(10**5000, id="huge"), 1.0, "1", None, True])
def test_a_nonce_is_a_whole_number_that_javascript_can_hold(nonce: object) -> None:
    assert codes(check_nonce(nonce)) == [Fault.NONCE_OUT_OF_RANGE]
    assert check_nonce(0) == check_nonce(2**53 - 1) == ()


def test_a_seed_that_does_not_fit_its_commitment_is_found() -> None:
    assert check_commitment(commitment(SEED), SEED) == ()
    (found,) = check_commitment(commitment(SEED), "1f" * 32)
    assert found.code == Fault.COMMITMENT_MISMATCH
    assert found.facts == {"committed": commitment(SEED), "computed": commitment("1f" * 32)}


def test_an_unrevealed_seed_is_a_finding_of_its_own() -> None:
    assert codes(check_commitment(commitment(SEED), None)) == [Fault.SEED_NOT_REVEALED]
    assert codes(check_commitment("?", None)) == [Fault.COMMITMENT_MALFORMED, Fault.SEED_NOT_REVEALED]


def test_shuffling_with_a_malformed_seed_is_a_bug() -> None:
    with pytest.raises(AssertionError):
        shuffle(PACK, SEED.upper(), "my own seed", 0)
