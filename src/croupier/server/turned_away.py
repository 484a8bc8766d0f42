"""Refused connections, for the operator: counted by reason, and logged at a bounded rate, so that a flood does not fill
the log."""

from collections import Counter
from collections.abc import Callable
from typing import Final, Literal, Protocol, TypeAlias

LOG_SECONDS: Final = 10.0
"""From one line about a reason to the next."""
NETWORKS_COUNTED_MAX: Final = 1000

Reason: TypeAlias = Literal[
    "address_full",
    "server_full",
    "arrives_too_fast",
    "late_request",
    "stalled_answer",
    "bad_http",
    "sends_too_fast",
    "frame_too_big",
    "reads_too_slowly",
    "idle",
]
_WORDS: Final[dict[Reason, str]] = {
    "address_full": "too many connections of one address",
    "server_full": "too many connections in all",
    "arrives_too_fast": "connections opened too fast",
    "late_request": "requests not sent in time",
    "stalled_answer": "answers not read in time",
    "bad_http": "no HTTP, or more than is taken",
    "sends_too_fast": "messages sent too fast",
    "frame_too_big": "messages too big",
    "reads_too_slowly": "states read too slowly",
    "idle": "nothing said for too long",
}


class Log(Protocol):
    def info(self, message: str, *values: object) -> None: ...


class TurnedAway:
    """Notes each connection that is refused, or ended for its behaviour."""

    def __init__(self, log: Log, later: Callable[[float, Callable[[], None]], object]) -> None:
        self.counts: Counter[str] = Counter()
        self._log = log
        self._later = later
        self._gathered: dict[Reason, Counter[str]] = {}
        """Refusals not logged yet, by network, for each reason that was logged a moment ago."""

    def note(self, reason: Reason, network: str) -> None:
        """Somebody of that network was turned away. The first is logged at once, the next ones together."""
        self.counts[reason] += 1
        gathered = self._gathered.get(reason)
        if gathered is None:
            self._log.info("turned away: %s (%s)", _WORDS[reason], network)
            self._gathered[reason] = Counter()
            self._later(LOG_SECONDS, lambda: self._tell(reason))
        elif network in gathered or len(gathered) < NETWORKS_COUNTED_MAX:
            gathered[network] += 1
        else:
            gathered["others"] += 1

    def _tell(self, reason: Reason) -> None:
        gathered = self._gathered.pop(reason)
        if not gathered:
            return
        ((network, most),) = gathered.most_common(1)
        self._log.info(
            "turned away: %s, %d more in %d s, %d of them of %s",
            *(_WORDS[reason], gathered.total(), LOG_SECONDS, most, network),
        )
        self._gathered[reason] = Counter()
        self._later(LOG_SECONDS, lambda: self._tell(reason))
