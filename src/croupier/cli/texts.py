"""The command line's texts, in the language of the environment."""

import os
from typing import TYPE_CHECKING

from croupier import locales

if TYPE_CHECKING:
    from croupier.dealing.findings import Finding
    from croupier.game.refusal import Refusal

LANGUAGE = locales.preferred(os.environ)


def t(key: str, /, **facts: object) -> str:
    """The text for `key` in the user's language."""
    return locales.text(LANGUAGE, key, **facts)


def refusal_text(refusal: "Refusal") -> str:
    """A refusal's message."""
    return t(f"code.{refusal.code}", **refusal.facts)


def finding_text(found: "Finding", kind: str = "finding") -> str:
    """The message of a finding, or with `kind="notice"` of a notice."""
    return locales.finding_text(LANGUAGE, found.code, found.facts, kind)
