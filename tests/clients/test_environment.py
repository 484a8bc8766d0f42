"""How long a client waits for a server that says nothing."""

from itertools import accumulate

import pytest

from croupier.clients.environment import PATIENCE_MAX, patience_after


@pytest.mark.parametrize(
    ("lines_seconds", "patience"),
    [
        ([0.0, 0.1, 0.2], 1.0),  # nobody listens there: a server that is gone is not waited for any longer
        ([2.0], 2.0),
        ([2.0, 0.0, 4.0], 4.0),
        ([2.0, 4.0, 8.0, 8.0], PATIENCE_MAX),
        ([2.0, 4.0, 60.0], 1.0),
    ],
)
def test_a_server_that_was_too_slow_gets_more_time_until_a_line_lasts(
    lines_seconds: list[float], patience: float
) -> None:
    *_, last = accumulate(lines_seconds, lambda before, seconds: patience_after(seconds, before), initial=1.0)
    assert last == patience
