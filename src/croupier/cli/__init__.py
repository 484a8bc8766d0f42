"""The command line: one module a command, each light to import; heavy parts load when the command runs."""

import typer

from croupier.cli.arena import arena
from croupier.cli.equity import equity
from croupier.cli.evolve import app as evolve
from croupier.cli.mcp import mcp
from croupier.cli.play import play
from croupier.cli.replay import replay
from croupier.cli.serve import serve
from croupier.cli.simulate import app as simulate
from croupier.cli.solve import app as solve
from croupier.cli.store import app as store
from croupier.cli.strategy import app as strategy
from croupier.cli.texts import t
from croupier.cli.train import app as train
from croupier.cli.verify import verify

app = typer.Typer(help=t("cli.help"), no_args_is_help=True, add_completion=False, rich_markup_mode=None)


@app.callback()
def root() -> None:
    """Keeps `croupier` a group of commands, however few there are."""


app.command(help=t("cli.arena.help"))(arena)
app.command(help=t("cli.equity.help"))(equity)
app.command(help=t("cli.mcp.help"))(mcp)
app.command(help=t("cli.play.help"))(play)
app.command(help=t("cli.replay.help"))(replay)
app.command(help=t("cli.serve.help"))(serve)
app.command(help=t("cli.verify.help"))(verify)
app.add_typer(simulate, name="simulate")
app.add_typer(train, name="train")
app.add_typer(evolve, name="evolve")
app.add_typer(solve, name="solve")
app.add_typer(store, name="store")
app.add_typer(strategy, name="strategy")


def main() -> None:
    """The `croupier` command."""
    app()
