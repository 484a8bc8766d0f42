"""The error of a dataset that cannot be written."""

from croupier.lab.errors import LabError


class DatasetError(LabError):
    """A dataset that cannot be written. `refusal` says why."""
