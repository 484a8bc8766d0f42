"""A spot that cannot be solved, as a refusal with its facts."""

from croupier.lab.errors import LabError


class SolveError(LabError):
    """What is asked for cannot be solved. `refusal` says why; the exception's text is English."""
