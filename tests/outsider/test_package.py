"""An outsider's game as a package of its own: installed, played, saved, checked, removed. The project knows nothing of
it, and nothing of the project is changed for it."""

import re
import shutil
from pathlib import Path

import pytest

from tests.outsider.environment import Environment

PACKAGE = Path(__file__).parents[2] / "examples" / "crazy_eights"
MOVES = 300
"""More lines than a game takes; the rest is the end of the input."""


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    folder = tmp_path_factory.mktemp("outsider")
    package = shutil.copytree(PACKAGE, folder / "package", ignore=shutil.ignore_patterns("__pycache__"))
    environment = Environment(folder)
    environment.install(package)
    return environment


def test_bots_play_it_in_the_arena(there: Environment) -> None:
    done = there.run("croupier", "arena", "random", "random", "--game", "crazy_eights", "--hands", "20", "--json")
    assert done.returncode == 0, done.stderr
    assert '"crazy_eights"' in done.stdout


def test_a_game_is_played_by_lines_saved_verified_and_kept_when_the_package_is_gone(there: Environment) -> None:
    with there.server() as server:
        # Alone against a bot: start, then always the first choice, until the game is over and the input ends.
        asked = ("croupier", "play", "crazy_eights", "--plain", "--server", server.link, "--bots", "1")
        done = there.run(*asked, "--nickname", "Ann", stdin="s\n" + "1\n" * MOVES)
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        found = re.search(r"Room ([A-Z0-9]{6})", done.stdout)
        assert found, done.stdout
        code = found[1]
    with there.server() as server:
        status, records = server.get(f"/api/rooms/{code}/records.jsonl")
        assert status == 200
        assert '"CRAZY_EIGHTS_' in records
        assert server.health() == {"ok": True}
    file = there.folder / "records.jsonl"
    file.write_text(records, encoding="utf-8")
    verified = there.run("croupier", "verify", str(file))
    assert (verified.returncode, "crazy_eights" in verified.stdout) == (0, True), verified.stdout
    checked = there.run("croupier", "store", "check", there.store)
    assert checked.returncode == 0, checked.stdout + checked.stderr

    there.pip("uninstall", "--yes", "--quiet", "croupier-crazy-eights")
    with there.server() as server:
        assert "the game crazy_eights is not installed: 1 of its rooms are kept" in server.log
        assert server.health() == {"ok": True, "notOffered": {"crazy_eights": 1}}
        assert server.get("/api/rooms") == (200, '{"rooms":[]}')
        status, told = server.get(f"/api/rooms/{code}/records.jsonl")
        assert (status, "crazy_eights" in told) == (404, True)
    verified = there.run("croupier", "verify", str(file))
    assert (verified.returncode, "crazy_eights" in verified.stdout) == (1, True)
    checked = there.run("croupier", "store", "check", there.store)
    assert checked.returncode == 1
    assert f"room:{code}" in checked.stdout
    assert "crazy_eights is not installed" in checked.stdout

    there.install(there.folder / "package")
    checked = there.run("croupier", "store", "check", there.store)
    assert checked.returncode == 0, "installed again, everything is as it was"
