"""The base of the lab's errors: something was asked that cannot be done."""

from croupier import locales
from croupier.game.refusal import Fact, Refusal


class LabError(ValueError):
    """`refusal` says why, in code and facts. The text of the exception is English."""

    def __init__(self, code: str, **facts: Fact) -> None:
        self.refusal = Refusal(code, facts)
        super().__init__(locales.refusal_text("en", self.refusal))
