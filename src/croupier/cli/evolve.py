"""`croupier evolve blackjack`: a genetic algorithm finds a strategy table, with a live plot."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import log10
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from croupier.cli.blackjack_rules import Preset, Rule, rules_help, rules_or_exit
from croupier.cli.console import fail, fail_with, game_commands, has_progress, print_json
from croupier.cli.files import PICTURE_ENDINGS, picture_language, wanted_file, writing
from croupier.cli.texts import t

if TYPE_CHECKING:
    from croupier.lab.blackjack.evolve import Generation, Settings, State

CHECKPOINT_GENERATIONS: Final = 10
"""A checkpoint is written every so many generations."""
PLOT_COLUMNS: Final = 60
PLOT_ROWS: Final = 10
PLOT_DECADES: Final = (2, -4)
"""The live plot's scale: from 100 % down to 0.0001 % short of the optimum."""

app = game_commands("cli.evolve.help")


@app.command(help=t("cli.evolve.blackjack"), epilog=rules_help())
def blackjack(  # noqa: PLR0913, PLR0917  # an option each
    preset: Preset = "casino",
    rule: Rule = None,
    population: Annotated[int | None, typer.Option(help=t("cli.evolve.population"))] = None,
    generations: Annotated[int, typer.Option(help=t("cli.evolve.generations"))] = 600,
    seed: Annotated[int | None, typer.Option(help=t("cli.evolve.seed"))] = None,
    fitness: Annotated[str | None, typer.Option(help=t("cli.evolve.fitness"))] = None,
    rounds: Annotated[int | None, typer.Option(help=t("cli.evolve.rounds"))] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help=t("cli.evolve.resume"))] = None,
    checkpoint: Annotated[Path | None, typer.Option(metavar="FILE", help=t("cli.evolve.checkpoint"))] = None,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help=t("cli.evolve.csv"))] = None,
    png: Annotated[Path | None, typer.Option("--png", metavar="FILE", help=t("cli.evolve.png"))] = None,
    save: Annotated[Path | None, typer.Option("--save", metavar="FILE", help=t("cli.evolve.save"))] = None,
    as_json: Annotated[bool, typer.Option("--json", help=t("cli.evolve.json"))] = False,
) -> None:
    wanted_file(checkpoint, ".json")
    wanted_file(csv, ".csv")
    wanted_file(png, *PICTURE_ENDINGS)
    wanted_file(save, ".toml", ".csv")
    from croupier.lab.blackjack import evolve, strategy
    from croupier.lab.compiler import compiling_notice

    chosen = {"population": population, "seed": seed, "fitness": fitness, "rounds": rounds}
    given = {name: value for name, value in chosen.items() if value is not None}
    try:
        if resume is not None:
            if given or rule or preset != "casino":
                fail(t("cli.evolve.resumeAlone", file=resume))
            resumed = evolve.load_checkpoint(resume)
            settings = resumed.settings
        else:
            resumed = None
            settings = evolve.Settings(rules_or_exit(preset, rule), **given)  # type: ignore[arg-type]  # by name
        evolve.check_range("generations", generations)
        with compiling_notice():
            state, optimum = _run(settings, generations, resumed, checkpoint, live=has_progress(as_json=as_json))
    except evolve.EvolveError as error:
        fail_with(error.refusal)
    if csv is not None:
        with writing(csv):
            csv.write_text(evolve.history_csv(state.history), encoding="utf-8")
    if save is not None:
        with writing(save):
            strategy.save(state.best, save)
    if png is not None:
        from croupier.lab.blackjack.strategy_plot import evolution_chart
        from croupier.locales import text

        language = picture_language()
        title = text(language, "evolve.title", population=settings.population, seed=settings.seed)
        with writing(png):
            evolution_chart(state.history, optimum, png, title, language)
    _report(state, optimum, as_json)


def _run(
    settings: "Settings",
    generations: int,
    resumed: "State | None",
    checkpoint: Path | None,
    *,
    live: bool,
) -> "tuple[State, float]":
    """Search until the last generation or Ctrl-C. Return the state so far and the exact optimum."""
    from croupier.lab.blackjack import evolve
    from croupier.lab.blackjack.solve import solve

    optimum = solve(settings.rules).ev.total_dependent
    state = resumed
    with _plot(optimum, shown=live) as show:
        try:
            for state in evolve.evolve(settings, generations, resumed):
                show(state.history)
                if checkpoint is not None and state.history[-1].number % CHECKPOINT_GENERATIONS == 0:
                    evolve.save_checkpoint(state, checkpoint)
        except KeyboardInterrupt:
            if state is None:
                raise
    assert state is not None, "the first generation is always yielded"
    if checkpoint is not None:
        evolve.save_checkpoint(state, checkpoint)
    return state, optimum


def _report(state: "State", optimum: float, as_json: bool) -> None:
    from croupier.lab.blackjack.solve import prepare, won_and_staked

    ev, _ = won_and_staked(prepare(state.settings.rules), state.best)
    if as_json:
        found = {
            "rules": state.settings.rules,
            "population": state.settings.population,
            "generations": len(state.history),
            "seed": state.settings.seed,
            "fitness": state.settings.fitness,
            "ev": ev,
            "optimum": optimum,
            "gap": optimum - ev,
            "strategy": state.best,
            "history": state.history,
        }
        print_json(found)
        return
    from rich.console import Console

    from croupier.cli.strategy import print_table

    rules = state.settings.rules
    console = Console()
    print_table(console, state.best, soft=rules.ace == "best", pairs=rules.hands_max > 1)
    figures = {"ev": ev, "optimum": optimum, "gap": optimum - ev}
    for name, value in figures.items():
        console.print(f"{100 * value:>10.4f} %  {t(f'cli.evolve.{name}')}", highlight=False)
    console.print(t("cli.evolve.ran", generations=len(state.history)), highlight=False)


@contextmanager
def _plot(optimum: float, *, shown: bool) -> "Iterator[Callable[[tuple[Generation, ...]], None]]":
    """A live plot on standard error: how far the best table is from the optimum."""
    if not shown:
        yield lambda history: None
        return
    from rich.console import Console
    from rich.live import Live

    with Live(console=Console(stderr=True), refresh_per_second=8, transient=True) as live:
        yield lambda history: live.update(_drawing(history, optimum))


def _drawing(history: "tuple[Generation, ...]", optimum: float) -> str:
    """The search so far in block characters, on a logarithmic scale."""
    high, low = PLOT_DECADES
    step = max(1, -(-len(history) // PLOT_COLUMNS))
    levels = []
    for generation in history[::step]:
        short = log10(max(100 * (optimum - generation.best), 10.0**low))
        levels.append(round((min(short, high) - low) / (high - low) * PLOT_ROWS))
    lines = []
    for row in range(PLOT_ROWS, 0, -1):
        scale = f"{10 ** (low + (high - low) * row / PLOT_ROWS):>9.4g} % "
        lines.append(scale + "".join("█" if level >= row else " " for level in levels))
    newest = history[-1]
    facts = {"generation": newest.number, "best": f"{100 * newest.best:.4f}", "mean": f"{100 * newest.mean:.4f}"}
    return "\n".join([t("cli.evolve.plot"), *lines, t("cli.evolve.progress", **facts)])
