"""What is wrong with a room, in whole sentences."""

import os
from collections.abc import Sequence

from croupier import locales
from croupier.dealing.findings import Finding


def sentence(found: Finding, language: str) -> str:
    """A finding as a sentence: who did what."""
    return locales.text(language, f"finding.{found.code}", **found.facts)


class AlarmError(Exception):
    """The room did what an honest one does not, or its player must be asked something: until they have decided, nothing
    is cut or bet.

    `findings` say what; `RoomHandle.accept()` goes on in spite of them. `evidence` is the player's own log of the room.
    """

    def __init__(self, findings: Sequence[Finding], evidence: str = "") -> None:
        self.findings = tuple(findings)
        self.evidence = evidence
        super().__init__(" ".join(self.sentences(locales.preferred(os.environ))))

    def said(self, language: str) -> list[str]:
        """What was found, a sentence each."""
        return list(dict.fromkeys(sentence(found, language) for found in self.findings))

    def sentences(self, language: str) -> list[str]:
        """What was found, what to do, and where the evidence lies."""
        said = [*self.said(language), locales.text(language, "alarm.what_to_do")]
        if self.evidence:
            said.append(locales.text(language, "alarm.log", path=self.evidence))
        return said
