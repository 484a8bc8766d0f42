"""What the lab's parts of the HTTP interface share."""

from collections.abc import Sequence
from typing import ClassVar

from starlette.routing import BaseRoute, Route

from croupier.server.http import Count
from croupier.server.openapi import Endpoint


class LabAnnex:
    """Base of an annex to the server: each endpoint is answered by the method of its name."""

    endpoints: ClassVar[Sequence[Endpoint]]
    _count: Count

    def routes(self, count: Count) -> list[BaseRoute]:
        self._count = count
        return [Route(each.path, getattr(self, each.name), methods=[each.method]) for each in self.endpoints]
