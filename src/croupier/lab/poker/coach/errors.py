"""A hand that the coach cannot speak about, as a refusal with its facts."""

from croupier import locales
from croupier.game.refusal import Fact, Refusal


class CoachError(ValueError):
    """What is asked for cannot be coached. `refusal` says why; the exception's text is English."""

    def __init__(self, code: str, **facts: Fact) -> None:
        self.refusal = Refusal(code, facts)
        super().__init__(locales.text("en", f"code.{code}", **facts))
