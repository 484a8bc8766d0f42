"""Why a store cannot be used, as errors with a code and a text in every language."""

from croupier import locales
from croupier.store.port import StoreError


def fault(code: str, **facts: object) -> StoreError:
    """The error with that code; its English message is that of the catalogues."""
    return StoreError(locales.text("en", f"store.{code}", **facts), code, facts)
