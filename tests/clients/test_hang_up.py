"""A terminal that is closed ends the program in it."""

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

END_SECONDS_MAX = 60
SCREEN_BYTES_MIN = 1500
"""So much is written only when the whole screen is drawn."""


@pytest.mark.parametrize("wish", [(), ("sequence", "--bots", "1", "--nickname", "Ann")], ids=["start", "table"])
def test_a_program_ends_with_its_terminal_though_no_signal_comes(wish: tuple[str, ...], tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "HOME": str(tmp_path), "CROUPIER_LANG": "en"}
    command = [sys.executable, "-m", "croupier", "play", *wish]
    # In a session of its own it has no controlling terminal, so the system sends it no signal.
    with subprocess.Popen(
        command, env=environment, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    ) as process:
        os.close(theirs)
        drawn = 0
        while drawn < SCREEN_BYTES_MIN:
            drawn += len(os.read(ours, 1000))
        os.close(ours)
        assert process.wait(END_SECONDS_MAX) == -signal.SIGHUP
