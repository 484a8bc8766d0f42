"""What is wrong with a room, in sentences."""

import os
from collections.abc import Sequence

from croupier import locales
from croupier.dealing.findings import Finding


def sentence(found: Finding, language: str) -> str:
    """A finding as a sentence."""
    return locales.text(language, f"finding.{found.code}", **found.facts)


class AlarmError(Exception):
    """The room broke the rules of a fair deal, or the player must answer a question. Until then nothing is cut or bet.

    `findings` say what is wrong, and `evidence` is the player's own log of the room. `RoomHandle.accept()` plays on all
    the same.
    """

    def __init__(self, findings: Sequence[Finding], evidence: str = "") -> None:
        self.findings = tuple(findings)
        self.evidence = evidence
        super().__init__(" ".join(self.sentences(locales.preferred(os.environ))))

    def said(self, language: str) -> list[str]:
        """What was found, one sentence each."""
        return list(dict.fromkeys(sentence(found, language) for found in self.findings))

    def sentences(self, language: str) -> list[str]:
        """What was found, what to do, and where the evidence is."""
        said = [*self.said(language), locales.text(language, "alarm.what_to_do")]
        if self.evidence:
            said.append(locales.text(language, "alarm.log", path=self.evidence))
        return said
