"""`croupier mcp`: a seat for an assistant, over standard input and output."""

from typing import Annotated

import typer

from croupier.cli.console import fail
from croupier.cli.texts import LANGUAGE, t
from croupier.cli.tokens import given_token
from croupier.locales import LANGUAGES


def mcp(
    server: Annotated[str, typer.Option(help=t("cli.mcp.server"))] = "http://127.0.0.1:8021",
    nickname: Annotated[str, typer.Option(help=t("cli.mcp.nickname"))] = "Assistant",
    token_file: Annotated[str, typer.Option(metavar="FILE", help=t("cli.mcp.token_file"))] = "",
    lang: Annotated[str, typer.Option(help=t("cli.mcp.lang"))] = LANGUAGE,
) -> None:
    from croupier.clients.connection import RefusedError
    from croupier.clients.join import socket_address

    if lang not in LANGUAGES:
        fail(t("cli.mcp.no_language", language=lang, allowed=", ".join(LANGUAGES)))
    address = socket_address(server)
    if address is None:
        fail(t("cli.mcp.bad_server", server=server))
    try:
        from croupier.clients.mcp import run
    except ImportError:
        fail(t("cli.mcp.extra", extra="croupier[mcp]"))
    try:
        token = given_token(token_file)
    except OSError as error:
        fail(t("cli.play.no_token", file=token_file, fault=error.strerror or str(error)))
    try:
        run(address, nickname=nickname, token=token, language=lang)
    except (OSError, TimeoutError):
        fail(t("cli.mcp.no_answer", server=server))
    except RefusedError as refused:
        fail(str(refused))
