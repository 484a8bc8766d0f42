"""What holds for all tests: with CI set, a skipped test is a failed run, because there every part must be installed."""

import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from croupier.clients import environment
from croupier.clients.vault import MemoryVault
from tests.outsider.beside import installed

settings.register_profile("croupier", deadline=None)
settings.load_profile("croupier")


def pytest_configure(config: pytest.Config) -> None:
    """Programs that the tests start know no settings of whoever runs them, and keep nothing in their folder."""
    # A run in the background ignores Ctrl-C, and so would every program that it starts, also one whose test sends it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in [name for name in os.environ if name.startswith("CROUPIER_")]:
        del os.environ[name]
    folder = tempfile.TemporaryDirectory(prefix="croupier-tests-", ignore_cleanup_errors=True)
    os.environ["CROUPIER_DATA"] = folder.name
    config.add_cleanup(folder.cleanup)


@pytest.fixture(autouse=True)
def _one_vault_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """All clients of a test are programs of one user: they share what they remember."""
    vault = MemoryVault()
    monkeypatch.setattr(environment, "user_vault", lambda: vault)


@pytest.fixture
def crazy_eights(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The outsider's game is installed. Gives the environment for programs that are to find it, too."""
    with installed(tmp_path) as environment:
        yield environment


@pytest.fixture
def one_card(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The guide's second game is installed: one with chips, amounts and rounds."""
    with installed(tmp_path, "one_card") as environment:
        yield environment


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seed", type=int, default=None, help="of the simulation, play this seed alone")


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter is not None else []
    if os.environ.get("CI") and skipped:
        reporter.write_line(f"CI is set, and {len(skipped)} tests were skipped: install what they need.", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
