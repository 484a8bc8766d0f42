"""The error of a dataset that cannot be written."""

from croupier.game.refusal import Refusal


class DatasetError(ValueError):
    """A dataset that cannot be written. `refusal` says why."""

    def __init__(self, code: str, **facts: int | str | tuple[str, ...]) -> None:
        self.refusal = Refusal(code, dict(facts))
        super().__init__(f"{code}: " + ", ".join(f"{name}={value}" for name, value in facts.items()))
