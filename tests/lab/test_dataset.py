"""Datasets: what is in them is what was played, by PokerKit's reckoning too; they grow on the disk, not in memory."""

import gc
import json
import random
import subprocess
import sys
import tracemalloc
import warnings
from io import BytesIO
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pokerkit import Automation, HandHistory, NoLimitTexasHoldem
from typer.testing import CliRunner

from croupier.cards import PACK
from croupier.cli import app
from croupier.dealing.shoe import Shoe
from croupier.game.registry import GAMES
from croupier.lab.dataset import ACTIONS, HANDS, TABLES, DatasetError, DatasetWriter, FileFormat, export, rounds_of_file
from croupier.lab.dataset.columns import schema
from croupier.lab.dataset.rows import Origin, rows_of
from croupier.table.record import record
from croupier.table.round import Round, Seeds, begin
from croupier.wire.records import line, verify
from tests.docs.guide import ROOT

RELEASE_1 = ROOT / "tests" / "fixtures" / "release_1" / "records"
GOOD_RECORDS = sorted(
    path for path in RELEASE_1.glob("*.jsonl") if "forged" not in path.name and "casino" not in path.name
)
AUTOMATED = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CARD_BURNING,
    Automation.HOLE_DEALING,
    Automation.BOARD_DEALING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
)


def rows(folder: Path, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(folder / f"{table}.parquet").to_pylist()
    return found


def pokerkit_hand(chance: random.Random, number: int) -> tuple[HandHistory, list[dict[str, Any]], list[int]]:
    """A random hand that PokerKit plays: its history, what it says before every action, and its payoffs."""
    seats = chance.randint(2, 6)
    stacks = [chance.randint(30, 400) for _ in range(seats)]
    state = NoLimitTexasHoldem.create_state(AUTOMATED, True, chance.choice((0, 1)), (5, 10), 10, stacks, seats)
    random.seed(number)
    said: list[dict[str, Any]] = []
    while state.status and state.actor_index is not None:
        seat = state.actor_index
        bet = min(max(state.bets) - state.bets[seat], state.stacks[seat])
        said.append({"seat": seat, "stack": state.stacks[seat], "to_call": bet, "pot": sum(stacks) - sum(state.stacks)})
        what = chance.random()
        low, high = state.min_completion_betting_or_raising_to_amount, state.max_completion_betting_or_raising_to_amount
        if what < 0.15 and state.can_fold():
            state.fold()
        elif what < 0.4 and low is not None and state.can_complete_bet_or_raise_to():
            state.complete_bet_or_raise_to(chance.choice((low, high, chance.randint(low, high))))
        else:
            state.check_or_call()
    history = HandHistory.from_game_state(NoLimitTexasHoldem(AUTOMATED, True, state.antes[0], (5, 10), 10), state)
    return history, said, list(state.payoffs)


@pytest.fixture(scope="module")
def from_pokerkit(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Any]]:
    """A file that PokerKit wrote, exported; and what PokerKit says of its hands."""
    chance = random.Random(23)
    folder = tmp_path_factory.mktemp("dataset")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        hands = [pokerkit_hand(chance, number) for number in range(150)]
    file = folder / "pokerkit.phhs"
    with file.open("wb") as opened:
        HandHistory.dump_all([history for history, _, _ in hands], opened)
    done = export([file], folder)
    assert (done.hands, done.faults) == (150, 0)
    return folder, hands


def test_every_action_and_payout_is_pokerkits(from_pokerkit: tuple[Path, list[Any]]) -> None:
    folder, hands = from_pokerkit
    actions, results = rows(folder, "actions"), rows(folder, "results")
    for number, (_, said, payoffs) in enumerate(hands, start=1):
        own = [row for row in actions if row["hand_id"] == number and row["move"] is not None]
        # PokerKit asks a lone player with nothing to call, who checks.
        assert [{name: row[name] for name in ("seat", "stack", "to_call", "pot")} for row in own] == said[: len(own)]
        assert all(left["to_call"] == 0 for left in said[len(own) :])
        assert [row["payout"] for row in results if row["hand_id"] == number] == payoffs


def test_a_hand_adds_up(from_pokerkit: tuple[Path, list[Any]]) -> None:
    folder, _ = from_pokerkit
    query = f"""
      with won as (
        select hand_id, sum(payout) as sum, -sum(least(payout, 0)) as lost from '{folder}/results.parquet' group by 1)
      select count(*) from '{folder}/hands.parquet' join won using (hand_id)
      where sum <> -rake or pot < lost or not finished or street is null or len(board) not in (0, 3, 4, 5)
         or (street = 'PREFLOP') <> (len(board) = 0) or moves <> (
           select count(*) from '{folder}/actions.parquet' as actions where actions.hand_id = hands.hand_id)
    """
    assert duckdb.sql(query).fetchall() == [(0,)]


def _random_round(game: str, preset: str, seed: int) -> Round[Any, Any, Any]:
    chance = random.Random(seed)
    rules: Any = GAMES[game].presets[preset]
    low, high = rules.seat_range
    seats = chance.choice([seats for seats in (low, 3, 4) if low <= seats <= high and game != "sequence"] or [2])
    now = begin(rules, rules.setup(seats), Seeds(f"{seed:064x}", "a dataset's seed"))
    while now.turn:
        seat = now.turn[0]
        offer = chance.choice(now.menu(seat))
        value = None if not offer.field else chance.choice(offer.among or (offer.low, offer.high))
        now = now.act(offer.action if value is None else offer.choose(value), seat)
        assert now.refusal is None
    return now


@pytest.mark.parametrize("game", sorted(GAMES))
def test_records_of_every_preset(game: str, tmp_path: Path) -> None:
    played = [_random_round(game, preset, seed) for preset in GAMES[game].presets for seed in range(2)]
    file = tmp_path / "rounds.jsonl"
    file.write_text("".join(f"{line(record(each))}\n" for each in played))
    assert export([file], tmp_path).faults == 0
    hands, actions, results = (rows(tmp_path, table) for table in TABLES)
    assert len(hands) == len(played)
    for number, (each, hand) in enumerate(zip(played, hands, strict=True), start=1):
        own = [row for row in actions if row["hand_id"] == number]
        tags = [type(move.action).__struct_config__.tag for move in each.moves]
        assert [(row["seat"], row["action"]) for row in own] == list(
            zip([m.seat for m in each.moves], tags, strict=True)
        )
        assert tuple(row["payout"] for row in results if row["hand_id"] == number) == each.payouts
        assert hand["cards"] == [str(card) for card in each.dealt]
        assert (hand["verified"], hand["finished"], hand["place"], hand["game"]) == (True, True, number, game)
        for row, column in ((row, column) for row in own for column in ACTIONS):
            assert not (column.poker and game != "poker") or row[column.name] is None


@pytest.mark.parametrize("file", GOOD_RECORDS, ids=lambda path: path.stem)
def test_records_of_the_first_release(file: Path, tmp_path: Path) -> None:
    rounds = [each for each in verify(file.read_text().splitlines()).rounds if each is not None]
    done = export([file], tmp_path)
    assert done.hands == len(rounds)
    payouts = [each.payouts if each.over else None for each in rounds]
    results = rows(tmp_path, "results")
    for number, own in enumerate(payouts, start=1):
        found = tuple(row["payout"] for row in results if row["hand_id"] == number)
        assert found == (own or (None,) * len(found))


def test_a_seat_left_out_of_the_deal_has_a_row_and_the_others_their_own() -> None:
    """There a hand has more moves than steps."""
    rules = GAMES["poker"].presets["cash"]
    now: Any = begin(rules, rules.setup(4)).exclude(1)
    now = now.supply(Shoe.stacked(PACK))
    while now.turn:
        now = now.act(now.menu()[1].action)
    found = rows_of(now, Origin(file="", place=1))
    assert [(row["number"], row["seat"], row["action"]) for row in found.actions[:2]] == [
        (1, 1, "ABSENT"),
        (2, now.moves[1].seat, "HOLDEM_CALL"),
    ]
    assert [row.get("move") for row in found.actions[:3]] == [None, "CALL", "CALL"]
    assert len(found.actions) == len(now.moves)


def test_arrow_says_what_parquet_says(from_pokerkit: tuple[Path, list[Any]]) -> None:
    folder, _ = from_pokerkit
    export([folder / "pokerkit.phhs"], folder, "arrow", group_rows=40)
    for table in TABLES:
        with pa.OSFile(str(folder / f"{table}.arrow")) as opened:
            streamed = pa.ipc.open_stream(opened).read_all()
        assert streamed.to_pylist() == rows(folder, table)
        assert streamed.schema.equals(schema(table), check_metadata=True)


def test_memory_does_not_grow_with_the_file(tmp_path: Path, from_pokerkit: tuple[Path, list[Any]]) -> None:
    """The same hands four times over: in the last round no more is held than in the second, by Python or by Arrow."""
    _, hands = from_pokerkit
    written = BytesIO()
    HandHistory.dump_all([history for history, _, _ in hands[:40]], written)
    file = tmp_path / "many.phhs"
    file.write_text("\n".join(_renumbered(written.getvalue().decode(), n * 40) for n in range(4)))
    held: list[tuple[int, int]] = []

    def sample(hands: int) -> None:
        if hands % 5 == 0:
            gc.collect()  # or the peak is when Python happens to collect
            held.append((tracemalloc.get_traced_memory()[0], pa.total_allocated_bytes()))

    gc.freeze()  # what was there before is not looked through at every sample: else that takes most of the time
    tracemalloc.start()
    try:
        done = export([file], tmp_path, group_rows=100, progress=sample)
    finally:
        tracemalloc.stop()
        gc.unfreeze()
    assert (done.hands, done.faults) == (160, 0)
    for memory in zip(*held, strict=True):
        assert max(memory[24:32]) <= 1.25 * max(memory[8:16]) + 2**16
    groups = pq.ParquetFile(tmp_path / "actions.parquet")
    assert groups.num_row_groups > 5
    assert max(groups.metadata.row_group(n).num_rows for n in range(groups.num_row_groups)) < 200


def _renumbered(text: str, first: int) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(
        f"[{first + int(line[1:-2])}]\n" if line[1:-2].isdigit() and line[0] == "[" else line for line in lines
    )


def test_a_failed_export_changes_nothing(tmp_path: Path, from_pokerkit: tuple[Path, list[Any]]) -> None:
    folder, _ = from_pokerkit
    export([folder / "pokerkit.phhs"], tmp_path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    with pytest.raises(FileNotFoundError):
        export([folder / "pokerkit.phhs", tmp_path / "none.phhs"], tmp_path)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_what_is_wrong_is_left_out_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = sorted(RELEASE_1.glob("*.phhs"))[0].read_text()
    bad = tmp_path / "bad.phhs"
    bad.write_text(f'{good}\n[broken]\nvariant = "F7S"\n')
    forged = RELEASE_1 / "forged-payout.jsonl"
    done = CliRunner().invoke(app, ["export", str(bad), str(forged), "--parquet", str(tmp_path / "out"), "--json"])
    assert done.exit_code == 1
    assert "bad.phhs, hand broken: " in done.stderr
    assert "PAYOUT_MISMATCH" in done.stderr
    said = json.loads(done.stdout)
    assert said["faults"] == 2
    flags = {(Path(row["file"]).name, row["verified"]) for row in rows(tmp_path / "out", "hands")}
    assert flags >= {("bad.phhs", None), ("forged-payout.jsonl", False)}


@pytest.mark.parametrize("words", [[], ["--parquet", "a", "--arrow", "b"]])
def test_one_place_to_write_must_be_named(words: list[str]) -> None:
    done = CliRunner().invoke(app, ["export", "hands.phhs", *words])
    assert done.exit_code == 2
    assert "--parquet FOLDER" in done.stderr


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["export", str(tmp_path / "none.phhs"), "--parquet", str(tmp_path)])
    assert done.exit_code == 2
    assert "none.phhs" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_without_pyarrow_the_extra_is_named(tmp_path: Path) -> None:
    """And the rest of the command line does not need it."""
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from croupier.cli import main\n"
        f"sys.argv = ['croupier', 'export', 'hands.phhs', '--parquet', {str(tmp_path)!r}]\n"
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert 'pip install "croupier[data]"' in done.stderr


def test_a_format_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="parquet"):
        export([], tmp_path, "csv")


def test_the_arena_names_its_bots(tmp_path: Path) -> None:
    words = ["arena", "caller", "solid", "--game", "poker", "--hands", "60", "--seed", "5", "--workers", "1", "--json"]
    done = CliRunner().invoke(app, [*words, "--parquet", str(tmp_path), "--arrow", str(tmp_path)])
    assert done.exit_code == 0, done.stderr
    net = {each["bot"]: each["net"] for each in json.loads(done.stdout)["standings"]}
    query = f"select player, sum(payout) from '{tmp_path}/results.parquet' group by 1"
    assert dict(duckdb.sql(query).fetchall()) == net
    for table in TABLES:
        with pa.OSFile(str(tmp_path / f"{table}.arrow")) as opened:
            assert pa.ipc.open_stream(opened).read_all().to_pylist() == rows(tmp_path, table)
    places = duckdb.sql(
        f"select file, min(place), max(place), bool_and(verified) from '{tmp_path}/hands.parquet' group by 1"
    )
    assert sorted(places.fetchall()) == [("arena, seating 1", 1, 30, True), ("arena, seating 2", 1, 30, True)]


def test_the_guide_has_every_column() -> None:
    guide = (ROOT / "docs" / "guides" / "datasets.md").read_text(encoding="utf-8")
    for table, columns in TABLES.items():
        part = guide.partition(f"## `{table}`")[2].partition("\n## ")[0]
        found = [row for row in part.splitlines() if row.startswith("| `")]
        assert found == [f"| `{each.name}` | {each.kind} | {each.meaning} |" for each in columns]


def test_a_hand_with_cents_says_how_many_make_a_chip(tmp_path: Path) -> None:
    text = (
        'variant = "NT"\nantes = [0, 0]\nblinds_or_straddles = [0.50, 1]\nmin_bet = 1\nstarting_stacks = [100, inf]\n'
        'actions = ["d dh p1 AsAh", "d dh p2 ????", "p2 cc", "p1 cbr 3.75", "p2 f"]\n'
        'players = ["Ann", "Bob"]\nvenue = "Club"\nyear = 2020\nmonth = 2\nday = 3\ncurrency = "USD"\n'
    )
    file = tmp_path / "hand.phh"
    file.write_text(text)
    assert export([file], tmp_path).faults == 0
    (hand,) = rows(tmp_path, "hands")
    assert (hand["units_per_chip"], hand["big_blind"], hand["site"], hand["currency"]) == (100, 100, "Club", "USD")
    assert str(hand["played_at"]) == "2020-02-03 00:00:00"
    found = [(row["player"], row["stack"], row["payout"], row["cards"]) for row in rows(tmp_path, "results")]
    assert found == [("Ann", 10_000, 100, ["As", "Ah"]), ("Bob", None, -100, [])]


def test_a_very_long_line_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from croupier.lab.dataset import sources

    monkeypatch.setattr(sources, "LINE_BYTES_MAX", 30_000)
    good = line(record(_random_round("blackjack", "classroom", 1)))
    file = tmp_path / "rounds.jsonl"
    file.write_text(f"{good}\n{{{'x' * 200_000}\n{good}\n")
    found = list(rounds_of_file(file))
    assert [type(each).__name__ for each in found] == ["Rows", "Fault", "Rows"]


def test_a_dataset_without_hands_has_its_columns(tmp_path: Path) -> None:
    with DatasetWriter(tmp_path, FileFormat.PARQUET):
        pass
    assert pq.read_table(tmp_path / "hands.parquet").column_names == [column.name for column in HANDS]
