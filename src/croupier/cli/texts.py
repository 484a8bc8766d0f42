"""The command line's texts, in the language of the environment."""

import os

from croupier import locales

LANGUAGE = locales.preferred(os.environ)


def t(key: str, /, **facts: object) -> str:
    """The text for `key` in the user's language."""
    return locales.text(LANGUAGE, key, **facts)
