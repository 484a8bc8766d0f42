"""Logs whose entries are of format 2, which an older version wrote, replay to the same rooms and the same records."""

import gzip
import json
from typing import Any

import pytest

from croupier.table.apply import steps
from croupier.wire.log import read_log
from tests.table.make_format_2 import FILE, digest_of, records_digest

EVENINGS: dict[str, Any] = json.loads(gzip.decompress(FILE.read_bytes()))


@pytest.mark.parametrize("name", EVENINGS)
def test_a_log_of_format_2_replays_to_the_same_steps_and_records(name: str) -> None:
    kept = EVENINGS[name]
    secrets = {name: bytes.fromhex(secret) for name, secret in kept["secrets"].items()}
    rooms = list(steps(kept["code"], read_log(line.encode() for line in kept["log"]), secrets))
    assert digest_of(rooms) == kept["digest"]
    for who, digest in kept["records"].items():
        assert records_digest(rooms, who) == digest, who
