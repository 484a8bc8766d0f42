"""The command line's texts, in the language of the environment."""

import os
from typing import TYPE_CHECKING

from croupier import locales

if TYPE_CHECKING:
    from croupier.dealing.findings import Finding

LANGUAGE = locales.preferred(os.environ)


def t(key: str, /, **facts: object) -> str:
    """The text for `key` in the user's language."""
    return locales.text(LANGUAGE, key, **facts)


def finding_text(found: "Finding", kind: str = "finding") -> str:
    """What a finding, or with `kind` a notice, says."""
    return locales.finding_text(LANGUAGE, found.code, found.facts, kind)
