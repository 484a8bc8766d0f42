"""QR codes of links. One takes some milliseconds to make, and a caller may ask under any number of hosts: so they are
made beside the event loop, one at a time."""

from functools import lru_cache
from io import BytesIO
from typing import Final

from croupier.server.replays import Replays

SCALE: Final = 8
KEPT_MAX: Final = 100


async def qr_code(replays: Replays, link: str, caller: str) -> bytes:
    """The QR code of a link as SVG. Raises BusyError if too many wait for one, in all or of this caller."""
    async with replays.pictures.turn(caller) as turn:
        return await turn.work(lambda: _picture(link))


@lru_cache(maxsize=KEPT_MAX)
def _picture(link: str) -> bytes:
    """The link has the host that the caller used, so that it leads to the same place."""
    import segno

    picture = BytesIO()
    segno.make(link, error="m").save(picture, kind="svg", scale=SCALE, light="white", xmldecl=False)
    return picture.getvalue()
