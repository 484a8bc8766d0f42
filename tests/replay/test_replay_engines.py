"""The page's replay engines against the Python rules: the same moves are legal, the same cards go to the same places,
the same chips to the same seats, and the next round starts from the same setup.

Python plays at random, by every preset and by random options, tries what is not allowed, hides what one viewer never
saw, and writes it all down; one node process replays it.
"""

import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import msgspec
import pytest

from croupier.game.registry import current_name
from tests.page_scripts import page_scripts
from tests.replay import blackjack, holdem, sequence
from tests.replay.rounds import Json, Table, table_cases

KEPT = Path(__file__).parents[1] / "fixtures/release_1/records"
CHECK = Path(__file__).with_name("check_replays.mjs")


def replayed(cases: Iterator[Json], game: str, folder: Path) -> Counter[str]:
    """Has node replay the cases; gives how many there were of each kind."""
    node = page_scripts(folder)
    counts: Counter[str] = Counter()
    file = folder / "cases.jsonl"
    with file.open("wb") as lines:
        for case in cases:
            counts[case["kind"]] += 1
            lines.write(msgspec.json.encode(case) + b"\n")
    command = [*node, str(CHECK), str(folder / "js"), str(file), game]
    done = subprocess.run(command, capture_output=True, text=True, timeout=3000, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == counts
    return counts


def random_cases(table: Table, seeds: range) -> Iterator[Json]:
    for seed in seeds:
        yield from table_cases(table, Random(seed), f"seed {seed}")


@pytest.mark.parametrize(
    ("table", "tables", "rounds"),
    [(holdem.TABLE, 150, 600), (blackjack.TABLE, 60, 300), (sequence.TABLE, 20, 60)],
    ids=["poker", "blackjack", "sequence"],
)
def test_the_page_replays_as_the_rules_play(table: Table, tables: int, rounds: int, tmp_path: Path) -> None:
    counts = replayed(random_cases(table, range(tables)), table.game.name, tmp_path)
    assert counts["round"] > rounds
    assert min(counts["refused"], counts["amended"], counts["first"]) > 5


@pytest.mark.parametrize("game", ["poker", "blackjack", "sequence"])
def test_the_page_replays_what_the_first_release_kept(game: str, tmp_path: Path) -> None:
    kept = [
        record
        for file in sorted(KEPT.glob("*.jsonl"))
        if not file.name.startswith("forged-")
        for record in map(json.loads, file.read_text().splitlines())
        if current_name(record["game"]) == game
    ]
    cases = [{"kind": "record", "name": "kept", "game": game, "record": record, "sound": True} for record in kept]
    for record in kept:
        forged = {**record, "payouts": [chips + 1 for chips in record["payouts"] or (0,)]}
        cases.append({"kind": "record", "name": "forged", "game": game, "record": forged, "sound": False})
    assert replayed(iter(cases), game, tmp_path)["record"] == 2 * len(kept) > 0


def test_poker_hands_compare_alike(tmp_path: Path) -> None:
    replayed(iter([holdem.hand_case(Random(1), 20_000)]), "poker", tmp_path)


def test_a_chip_completes_the_same_lines(tmp_path: Path) -> None:
    replayed(iter([sequence.line_case(Random(1), 2_000)]), "sequence", tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("table", "tables"),
    [(holdem.TABLE, 50_000), (blackjack.TABLE, 25_000), (sequence.TABLE, 5_000)],
    ids=["poker", "blackjack", "sequence"],
)
def test_the_page_replays_as_the_rules_play_for_long(table: Table, tables: int, tmp_path: Path) -> None:
    replayed(random_cases(table, range(1_000_000, 1_000_000 + tables)), table.game.name, tmp_path)
