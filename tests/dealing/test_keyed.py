"""HMACs of many messages under one key are those of the standard library."""

import hmac

from hypothesis import given
from hypothesis import strategies as st

from croupier.dealing import keyed


@given(st.binary(max_size=64), st.binary(max_size=200), st.lists(st.binary(max_size=200), max_size=5))
def test_digests_are_those_of_hmac(key: bytes, beginning: bytes, endings: list[bytes]) -> None:
    expected = [hmac.digest(key, beginning + ending, "sha256") for ending in endings]
    assert keyed.digests(key, beginning, endings) == expected
