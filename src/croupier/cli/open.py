"""`croupier open`: serve the installed page on this machine for a room elsewhere."""

from typing import Annotated

import typer

from croupier.cli.console import fail, tell
from croupier.cli.texts import t


def open(  # noqa: A001  # a command's function has the command's name
    link: Annotated[str, typer.Argument(metavar="URL", help=t("cli.open.link"))],
    port: Annotated[int | None, typer.Option(min=0, max=65535, help=t("cli.open.port"))] = None,
) -> None:
    import asyncio

    from croupier.clients.join import knock
    from croupier.server.local_page import read_room, serve

    room = read_room(link)
    if room is None:
        fail(t("cli.open.bad_link", link=link))
    try:
        asyncio.run(knock(room.socket))
    except (OSError, TimeoutError):
        fail(t("cli.open.no_answer", server=room.origin))

    def ready(local: str) -> None:
        tell(t("cli.open.ready", link=local, server=room.origin), t("cli.open.stop"))

    try:
        asyncio.run(serve(room, port, ready))
    except OSError as error:
        fail(t("cli.open.cannot", fault=error.strerror or str(error)))
