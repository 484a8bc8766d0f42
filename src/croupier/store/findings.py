"""The findings of a check: text with a code and facts."""

from typing import Final

from croupier import locales

FINDINGS_MAX: Final = 100
"""How many findings of each kind are reported."""


class Finding(str):
    """A broken promise in English, with the code and facts for any other language.

    The same text stands in every language's catalogue as `store.finding.<code>`, to be filled in with `facts`.
    """

    code: str
    facts: dict[str, object]

    def __new__(cls, code: str, **facts: object) -> "Finding":
        found = super().__new__(cls, locales.text("en", f"store.finding.{code}", **facts))
        found.code, found.facts = code, facts
        return found
