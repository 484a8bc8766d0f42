"""The command line's texts, in the language of the environment."""

import os
from typing import TYPE_CHECKING

from croupier import locales
from croupier.shown_text import harmless_within

if TYPE_CHECKING:
    from croupier.dealing.findings import Finding
    from croupier.game.refusal import Refusal

LANGUAGE = locales.preferred(os.environ)


def t(key: str, /, **facts: object) -> str:
    """The text for `key` in the user's language. Facts may come from a stranger's file, so they are made harmless."""
    return locales.text(LANGUAGE, key, **harmless_within(facts))


def refusal_text(refusal: "Refusal") -> str:
    """A refusal's message."""
    return locales.refusal_text(LANGUAGE, refusal)


def finding_text(found: "Finding", kind: str = "finding") -> str:
    """The message of a finding, or with `kind="notice"` of a notice."""
    return locales.finding_text(LANGUAGE, found.code, harmless_within(found.facts), kind)
