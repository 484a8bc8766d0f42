"""The vault: a value is put once, a log only grows, and both are there for every program and after every crash."""

import multiprocessing
from pathlib import Path

import pytest

from croupier.clients.vault import FolderVault, MemoryVault, Vault, user_vault


@pytest.fixture(params=["folder", "memory"])
def vault(request: pytest.FixtureRequest, tmp_path: Path) -> Vault:
    return FolderVault(tmp_path / "vault") if request.param == "folder" else MemoryVault()


def test_a_value_is_put_once_and_stays(vault: Vault) -> None:
    assert vault.get("rooms/0a/promise") is None
    assert vault.put("rooms/0a/promise", "first seal")
    assert not vault.put("rooms/0a/promise", "second seal")
    assert not vault.put("rooms/0a/promise", "first seal")
    assert vault.get("rooms/0a/promise") == "first seal"
    assert vault.put("rooms/0b/promise", "second seal")
    assert vault.put("rooms/0b", "a key may stand above others")


def test_a_log_is_read_in_the_order_of_its_lines_and_from_any_of_them(vault: Vault) -> None:
    assert vault.lines("casino/ann") == []
    for line in ("한 줄", "two", "three"):
        vault.append("casino/ann", line)
    vault.append("casino/bob", "another log")
    assert vault.lines("casino/ann") == ["한 줄", "two", "three"]
    assert vault.lines("casino/ann", after=2) == ["three"]
    assert vault.lines("casino/ann", after=3) == []


@pytest.mark.parametrize(
    "name", ["", "/etc/passwd", "../up", "a/../b", "A", "a//b", "a/", "a b", "a.b", "ä", "a" * 101]
)
def test_a_name_that_could_lead_elsewhere_is_refused(vault: Vault, name: str) -> None:
    for use in (vault.get, vault.lines, lambda name: vault.put(name, ""), lambda name: vault.append(name, "line")):
        with pytest.raises(ValueError, match="no name in a vault"):
            use(name)


@pytest.mark.parametrize("line", ["", "two\nlines", "\n"])
def test_a_line_is_one_line(vault: Vault, line: str) -> None:
    with pytest.raises(ValueError, match="one line at a time"):
        vault.append("log", line)


def test_another_program_finds_what_was_kept(tmp_path: Path) -> None:
    FolderVault(tmp_path).put("key", "value")
    FolderVault(tmp_path).append("log", "line")
    again = FolderVault(tmp_path)
    assert (again.get("key"), again.put("key", "other"), again.lines("log")) == ("value", False, ["line"])
    assert not [path for path in tmp_path.rglob(".*") if path.is_file()], "nothing is left lying about"


def _race(folder: Path, number: int, keys: int) -> int:
    vault = FolderVault(folder)
    won = 0
    for key in range(keys):
        won += vault.put(f"key/{key}", f"{number}")
        vault.append("log", f"{number} {key} {'x' * 500}")
    return won


def test_of_several_programs_at_once_one_puts_and_no_line_is_torn(tmp_path: Path) -> None:
    programs, keys = 4, 25
    with multiprocessing.get_context("spawn").Pool(programs) as pool:
        won = pool.starmap(_race, [(tmp_path, number, keys) for number in range(programs)])
    assert sum(won) == keys
    lines = FolderVault(tmp_path).lines("log")
    assert sorted(lines) == sorted(f"{number} {key} {'x' * 500}" for number in range(programs) for key in range(keys))


def test_a_line_that_a_crash_cut_off_does_not_spoil_the_next_one(tmp_path: Path) -> None:
    vault = FolderVault(tmp_path)
    vault.append("log", "whole")
    file = tmp_path / "log.jsonl"
    file.write_bytes(file.read_bytes() + '{"cut": "한'.encode()[:-1])
    assert vault.lines("log") == ["whole"]
    vault.append("log", "after")
    first, torn, last = vault.lines("log")
    assert (first, last) == ("whole", "after")
    assert torn.startswith('{"cut": ')


def test_what_is_kept_is_for_its_owner_alone(tmp_path: Path) -> None:
    vault = FolderVault(tmp_path / "vault")
    vault.put("a/key", "value")
    vault.append("a/log", "line")
    kept = [tmp_path / "vault", *(path for path in (tmp_path / "vault").rglob("*") if path.is_file())]
    assert [path.stat().st_mode & 0o077 for path in kept] == [0, 0, 0]


def test_the_users_vault_is_among_their_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CROUPIER_DATA", str(tmp_path))
    user_vault().put("key", "value")
    assert (tmp_path / "vault" / "key.txt").read_text(encoding="utf-8") == "value"
