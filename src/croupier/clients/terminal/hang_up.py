"""A full-screen program ends with its terminal. Otherwise it would read from there for ever, without waiting."""

import os
import select
import signal
import sys
from typing import Any, Final

from textual.app import App

CHECK_SECONDS: Final = 1.0


def end_with_terminal(app: App[Any]) -> None:
    """Watch the terminal of a running program. Usually the system tells of its end by a signal, but not to a program
    that was started in a session of its own."""
    if app.is_headless or sys.__stdin__ is None:
        return
    terminal = select.poll()
    terminal.register(sys.__stdin__.fileno(), 0)  # a line that was hung up, or failed, is told in any case
    app.set_interval(CHECK_SECONDS, lambda: _end_if_closed(terminal))


def _end_if_closed(terminal: select.poll) -> None:
    if terminal.poll(0):
        os.kill(os.getpid(), signal.SIGHUP)
