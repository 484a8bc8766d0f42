"""A hand that the coach cannot speak about, as a refusal with its facts."""

from croupier.lab.errors import LabError


class CoachError(LabError):
    """What is asked for cannot be coached. `refusal` says why; the exception's text is English."""
