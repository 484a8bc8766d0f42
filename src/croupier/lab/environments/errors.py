"""The error of an environment that cannot be made."""

from croupier.game.refusal import Refusal


class ResearchError(ValueError):
    """An environment that cannot be made. `refusal` says why."""

    def __init__(self, refusal: Refusal) -> None:
        self.refusal = refusal
        super().__init__(f"{refusal.code}: " + ", ".join(f"{name}={value}" for name, value in refusal.facts.items()))
