"""`croupier serve`: the card room."""

import os
from pathlib import Path
from typing import Annotated

import typer

from croupier.cli.console import fail, tell
from croupier.cli.texts import t


def serve(  # noqa: PLR0913, PLR0917 -- every option of a command is a parameter
    host: Annotated[str | None, typer.Option(help=t("cli.serve.host"))] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help=t("cli.serve.port"))] = None,
    store: Annotated[str | None, typer.Option(help=t("cli.serve.store"))] = None,
    dealer_key: Annotated[str | None, typer.Option(help=t("cli.serve.dealer_key"))] = None,
    deck_count: Annotated[int | None, typer.Option(help=t("cli.serve.deck_count"))] = None,
    dealer_stand_score: Annotated[int | None, typer.Option(help=t("cli.serve.dealer_stand_score"))] = None,
    min_players_to_start: Annotated[int | None, typer.Option(help=t("cli.serve.min_players_to_start"))] = None,
    min_name_length: Annotated[int | None, typer.Option(help=t("cli.serve.min_name_length"))] = None,
    max_name_length: Annotated[int | None, typer.Option(help=t("cli.serve.max_name_length"))] = None,
    hub_enums: Annotated[str | None, typer.Option(help=t("cli.serve.hub_enums"))] = None,
    lang: Annotated[str | None, typer.Option(help=t("cli.serve.lang"))] = None,
    origins: Annotated[list[str] | None, typer.Option(help=t("cli.serve.origins"))] = None,
    nodes: Annotated[list[str] | None, typer.Option(help=t("cli.serve.nodes"))] = None,
    proxies: Annotated[list[str] | None, typer.Option(help=t("cli.serve.proxies"))] = None,
    hosts: Annotated[list[str] | None, typer.Option(help=t("cli.serve.hosts"))] = None,
    metrics_from: Annotated[list[str] | None, typer.Option(help=t("cli.serve.metrics_from"))] = None,
    access_log: Annotated[bool | None, typer.Option(help=t("cli.serve.access_log"))] = None,
    workers: Annotated[int | None, typer.Option(help=t("cli.serve.workers"))] = None,
    log: Annotated[str | None, typer.Option(help=t("cli.serve.log"))] = None,
    bot_delay_seconds: Annotated[float | None, typer.Option(help=t("cli.serve.bot_delay_seconds"))] = None,
    close_empty_hours: Annotated[int | None, typer.Option(help=t("cli.serve.close_empty_hours"))] = None,
    games: Annotated[str | None, typer.Option(help=t("cli.serve.games"))] = None,
    config: Annotated[Path | None, typer.Option(envvar="CROUPIER_CONFIG", help=t("cli.serve.config"))] = None,
) -> None:
    import uvloop

    from croupier.assembly.coach_api import CoachApi
    from croupier.assembly.lab_api import LabApi
    from croupier.assembly.solver_api import SolverApi
    from croupier.server import run
    from croupier.server.config import SettingsError, game_names, load
    from croupier.store.port import StoreError

    options = {
        **{"host": host, "port": port, "store": store, "dealer_key": dealer_key, "lang": lang, "log": log},
        **{"origins": origins or None, "nodes": nodes or None, "proxies": proxies or None},
        **{"hosts": hosts or None, "metrics_from": metrics_from or None, "access_log": access_log},
        **{"workers": workers, "bot_delay_seconds": bot_delay_seconds, "close_empty_hours": close_empty_hours},
        **{"deck_count": deck_count, "dealer_stand_score": dealer_stand_score, "hub_enums": hub_enums},
        **{"min_players_to_start": min_players_to_start},
        **{"games": game_names(games) if games else None},
        **{"min_name_length": min_name_length, "max_name_length": max_name_length},
    }
    try:
        settings = load(options, os.environ, config)
        uvloop.run(run.serve(settings, _ready, [LabApi(), SolverApi(), CoachApi()]))
    except (SettingsError, StoreError) as error:
        fail(t("cli.serve.cannot", fault=str(error)))
    except OSError as error:
        fault = error.strerror or str(error)
        fail(t("cli.serve.cannot", fault=f"{error.filename}: {fault}" if error.filename else fault))


def _ready(link: str, made_key: str) -> None:
    key = [t("cli.serve.made_key", key=made_key)] if made_key else []
    tell(t("cli.serve.ready", link=link), *key, t("cli.serve.stop"))
