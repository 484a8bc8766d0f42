"""`croupier play`: the table in this terminal, full screen or line by line."""

import getpass
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.console import EXIT_FAULTS, fail
from croupier.cli.texts import LANGUAGE, t
from croupier.cli.tokens import given_token, keep_token
from croupier.game.registry import GAMES
from croupier.shown_text import NICKNAME_CHARACTERS_MAX

if TYPE_CHECKING:
    from croupier.assembly.seat import Who
    from croupier.clients.terminal.session import Wish
    from croupier.clients.terminal.words import Words


def play(  # noqa: PLR0913, PLR0917  # an option each
    game: Annotated[str, typer.Argument(help=t("cli.play.game", games=tuple(GAMES)), metavar="GAME")] = "",
    preset: Annotated[str, typer.Option(help=t("cli.play.preset"))] = "",
    bots: Annotated[int | None, typer.Option(min=0, help=t("cli.play.bots"))] = None,
    join: Annotated[str, typer.Option(metavar="CODE", help=t("cli.play.join"))] = "",
    server: Annotated[str, typer.Option(metavar="URL", help=t("cli.play.server"))] = "",
    lang: Annotated[str, typer.Option(help=t("cli.play.lang"))] = LANGUAGE,
    ascii_only: Annotated[bool, typer.Option("--ascii", help=t("cli.play.ascii"))] = False,
    plain: Annotated[bool, typer.Option("--plain", help=t("cli.play.plain"))] = False,
    nickname: Annotated[str, typer.Option(help=t("cli.play.nickname"))] = "",
    token_file: Annotated[str, typer.Option(metavar="FILE", help=t("cli.play.token_file"))] = "",
    bot: Annotated[str, typer.Option(metavar="COMMAND", help=t("cli.play.bot"))] = "",
    rounds: Annotated[int, typer.Option(min=1, help=t("cli.play.rounds"))] = 100,
    sign_out: Annotated[bool, typer.Option("--sign-out", help=t("cli.play.sign_out"))] = False,
) -> None:
    import asyncio

    from croupier import locales
    from croupier.assembly.seat import Who
    from croupier.clients.connection import RefusedError
    from croupier.clients.terminal.session import Wish
    from croupier.clients.terminal.words import Words

    if lang not in locales.LANGUAGES:
        fail(t("cli.play.no_language", language=lang, allowed=locales.LANGUAGES))
    words = Words(lang, ascii_only=ascii_only)
    named = GAMES.named(game, preset) if game else (game, preset)
    if named is None:
        fail(words.t("cli.play.no_game", game=game, allowed=tuple(GAMES)))
    wish = Wish(*named, bots, join)
    _check(wish, server, words)
    try:
        token = given_token(token_file)
    except OSError as error:
        fail(words.t("cli.play.no_token", file=token_file, fault=error.strerror or str(error)))
    who = Who(nickname or _login_name() or words.t("play.player"), token if server else "", lang)
    if not bot and not plain and not sign_out and not (sys.stdin.isatty() and sys.stdout.isatty()):
        typer.echo(words.t("cli.play.not_a_terminal"), err=True)
        plain = True
    try:
        if sign_out:
            asyncio.run(_sign_out(server, who, words))
        elif bot:
            _play_bot(bot, rounds, wish, who, server, words)
        else:
            asyncio.run(_play(wish, who, server, words, plain=plain, asks_name=not nickname))
    except RefusedError as refused:
        fail(words.refusal(refused.code, refused.facts))
    except (TimeoutError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            raise
        fail(words.t("cli.play.no_answer", server=server or "127.0.0.1"))
    except KeyboardInterrupt:
        typer.echo(words.t("play.bye"))


def _check(wish: "Wish", server: str, words: "Words") -> None:
    """Refuse wrong arguments before anything is opened."""
    from croupier.clients.join import socket_address

    if wish.code and not server:
        fail(words.t("cli.play.join_where", code=wish.code))
    if server and socket_address(server) is None:
        fail(words.t("cli.play.bad_server", server=server))
    if wish.game:
        presets = GAMES[wish.game].presets
        if wish.preset and wish.preset not in presets:
            fail(words.t("cli.play.no_preset", game=wish.game, preset=wish.preset, allowed=tuple(presets)))
        _check_bots(wish, words)


def _check_bots(wish: "Wish", words: "Words") -> None:
    from croupier.bots import bot_counts

    allowed = bot_counts(wish.game, wish.preset)
    if wish.bots is not None and wish.bots not in allowed:
        in_a_row = allowed == list(range(allowed[0], allowed[-1] + 1)) and len(allowed) > 2
        shown = (f"{allowed[0]}–{allowed[-1]}",) if in_a_row else tuple(allowed)
        preset = wish.preset or next(iter(GAMES[wish.game].presets))
        facts = {"bots": wish.bots, "game": wish.game, "preset": preset, "allowed": shown}
        fail(words.t("cli.play.bad_bots", **facts))


def _play_bot(bot: str, rounds: int, wish: "Wish", who: "Who", server: str, words: "Words") -> None:
    """Let a program play, and print its result."""
    from croupier.clients.thinker import made
    from croupier.sdk import DEFAULT_GAME, Program, join, load, play

    try:
        player = made(load(bot))
    except (Exception, SystemExit) as error:  # whatever the author's file or class raises
        fail(words.t("cli.play.no_bot", bot=bot, fault=_fault(error)))
    try:
        if wish.code:
            outcome = join(player, server, wish.code, nickname=who.nickname, token=who.token, rounds=rounds)
        else:
            outcome = play(player, wish.game or DEFAULT_GAME, preset=wish.preset, against=wish.bots, rounds=rounds)
    finally:
        if isinstance(player, Program):
            player.close()
    typer.echo(words.t("play.bot.outcome", rounds=outcome.rounds, net=f"{outcome.net:+}", slips=len(outcome.slips)))
    raise typer.Exit(EXIT_FAULTS if outcome.slips else 0)


def _fault(error: BaseException) -> str:
    """Why there is no bot: a sentence of ours as it is, an error of the author's with its kind."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    is_known = isinstance(error, ValueError | ImportError | AttributeError | SyntaxError)
    return str(error) if is_known else f"{type(error).__name__}: {error}"


async def _play(wish: "Wish", who: "Who", server: str, words: "Words", *, plain: bool, asks_name: bool) -> None:
    """Ask what is missing, sit down, and play until the player stops."""

    def waits() -> None:
        typer.echo(words.t("play.must_wait"))

    if plain:
        await _play_by_lines(wish, who, server, words, waits)
        return
    from croupier.assembly.seat import Who, open_session
    from croupier.clients.terminal.app import TableApp
    from croupier.clients.terminal.start import StartApp

    if not wish.game and not wish.code:
        started = await StartApp(words, who.nickname, asks_name=asks_name).run_async()
        if started is None:
            return
        wish, name = started
        who = Who(name, who.token, who.language)
    async with open_session(wish, who, server=server, waits=waits) as session:
        for line in await TableApp(session, words).run_async() or ():
            typer.echo(line)
        if server:
            _tell_way_back(server, session.room.code, session.client.token, words)


async def _play_by_lines(wish: "Wish", who: "Who", server: str, words: "Words", waits: Callable[[], None]) -> None:
    from croupier.assembly.seat import open_session
    from croupier.clients.plain import LineReader, LineTable, ask_wish

    reader = LineReader(sys.stdin.fileno())
    wished = await ask_wish(wish, words, reader, _write)
    if wished is None:
        return
    # In line mode people read at their own pace, so bots need not wait.
    async with open_session(wished, who, server=server, bot_seconds=0.0, waits=waits) as session:
        await LineTable(session, words, reader, _write, echo=not sys.stdin.isatty()).run()
        if server:
            _tell_way_back(server, session.room.code, session.client.token, words)


def _tell_way_back(server: str, code: str, token: str, words: "Words") -> None:
    """Say how to come back. The token stays in a file: others can read what is typed or printed."""
    try:
        file = keep_token(server, token)
    except OSError as error:
        typer.echo(words.t("play.not_kept", fault=error.strerror or str(error)), err=True)
    else:
        typer.echo(words.t("play.come_back", code=code, server=server, file=file))


async def _sign_out(server: str, who: "Who", words: "Words") -> None:
    """Invalidate a token everywhere, and keep its replacement."""
    from croupier.clients.connection import Client
    from croupier.clients.join import knock, socket_address

    address = socket_address(server)
    if address is None or not who.token:
        fail(words.t("cli.play.sign_out_whom"))
    await knock(address)
    async with Client(address, token=who.token, language=who.language) as client:
        token = await client.sign_out_everywhere()
    typer.echo(words.t("play.signed_out", file=keep_token(server, token)))


def _write(line: str) -> None:
    typer.echo(line)


def _login_name() -> str:
    """The login name, cut to the length of a nickname."""
    try:
        return getpass.getuser()[:NICKNAME_CHARACTERS_MAX] if os.environ.get("USER") else ""
    except (OSError, KeyError):
        return ""
