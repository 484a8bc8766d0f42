"""`croupier simulate blackjack`: what a strategy returns, by simulation."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.blackjack_rules import Preset, Rule, rules_help, rules_or_exit, rules_title
from croupier.cli.console import EXIT_INTERRUPTED, fail, fail_with, game_commands, has_progress, print_json
from croupier.cli.files import PICTURE_ENDINGS, picture_language, wanted_file, writing
from croupier.cli.texts import t

if TYPE_CHECKING:
    from croupier.games.blackjack import BlackjackRules
    from croupier.lab.blackjack.bankroll import Prospects, Trips, TripTotals
    from croupier.lab.blackjack.simulate import Outcome, PairedTally, Simulation
    from croupier.lab.blackjack.simulation.blocks import SimulatedGame
    from croupier.lab.blackjack.simulation.tally import Tally
    from croupier.lab.blackjack.strategy import StrategyTable

TRIPS = 1000
TRIP_ROUNDS = 10_000

app = game_commands("cli.simulate.help")


@app.command(help=t("cli.simulate.blackjack"), epilog=rules_help())
def blackjack(  # noqa: PLR0913, PLR0917  # an option each
    preset: Preset = "casino",
    rule: Rule = None,
    strategy: Annotated[str, typer.Option(help=t("cli.simulate.strategy"))] = "basic",
    rounds: Annotated[str, typer.Option(help=t("cli.simulate.rounds"))] = "1e8",
    seed: Annotated[int, typer.Option(help=t("cli.simulate.seed"))] = 0,
    penetration: Annotated[str | None, typer.Option(help=t("cli.simulate.penetration"))] = None,
    players: Annotated[int, typer.Option(help=t("cli.simulate.players"))] = 1,
    count: Annotated[str | None, typer.Option(help=t("cli.simulate.count"))] = None,
    ramp: Annotated[str | None, typer.Option(help=t("cli.simulate.ramp"))] = None,
    indices: Annotated[str | None, typer.Option(help=t("cli.simulate.indices"))] = None,
    bankroll: Annotated[int | None, typer.Option(help=t("cli.simulate.bankroll"))] = None,
    trip: Annotated[int, typer.Option(help=t("cli.simulate.trip", trips=TRIPS))] = TRIP_ROUNDS,
    compare: Annotated[list[str] | None, typer.Option(help=t("cli.simulate.compare"))] = None,
    workers: Annotated[int, typer.Option(help=t("cli.simulate.workers"))] = 0,
    cluster: Annotated[str, typer.Option(metavar="tcp://HOST:PORT", help=t("cli.simulate.cluster"))] = "",
    as_json: Annotated[bool, typer.Option("--json", help=t("cli.simulate.json"))] = False,
    png: Annotated[Path | None, typer.Option(metavar="FILE", help=t("cli.simulate.png"))] = None,
) -> None:
    rules = _with_penetration(rules_or_exit(preset, rule), penetration)
    wanted = _rounds(rounds)
    if count and not rules.penetration:
        typer.echo(t("cli.simulate.no_count"), err=True)
    _check_numbers(seed, players, workers, bankroll, trip)
    wanted_file(png, *PICTURE_ENDINGS)
    if compare and (png or bankroll):
        fail(t("cli.simulate.notCompared", option="--png" if png else "--bankroll"))
    from croupier.lab.blackjack.card_count import CountingError
    from croupier.lab.blackjack.simulate import Simulation
    from croupier.lab.blackjack.strategy import StrategyError
    from croupier.lab.cluster import ClusterError
    from croupier.lab.compiler import compiling_notice

    try:
        with compiling_notice():
            table, exact = _strategy(strategy, rules)
            game = _game(rules, table, players, count, ramp, indices)
            if compare:
                others = [_game(rules, _strategy(name, rules)[0], players, count, ramp, indices) for name in compare]
                _compare([strategy, *compare], (game, *others), wanted, seed, workers, cluster, as_json)
                return
            simulation = Simulation(game, wanted, seed)
            outcome = _simulated(simulation, workers, cluster, shown=has_progress(as_json=as_json))
            trips = _follow(game, bankroll, trip, seed, workers, cluster) if bankroll and outcome.complete else None
    except (ClusterError, CountingError, StrategyError) as error:
        fail_with(error.refusal)
    if exact is not None and (players > 1 or rules.penetration or count):
        exact = None
    _show(simulation, outcome, exact, bankroll, trips, as_json=as_json)
    if png is not None:
        from croupier.lab.blackjack.simulation_plot import convergence_chart

        title = " · ".join([rules_title(preset, rule), Path(strategy).name])
        with writing(png):
            convergence_chart(outcome.history, exact, png, title, picture_language(), trips)
        typer.echo(t("cli.simulate.wrote", file=str(png)), err=True)


def _with_penetration(rules: "BlackjackRules", penetration: str | None) -> "BlackjackRules":
    if penetration is None:
        return rules
    from msgspec.structs import replace

    from croupier.game.refusal import OptionError

    try:
        return replace(rules, penetration=0.0 if penetration == "fresh" else float(penetration))
    except OptionError as error:
        fail_with(error.refusal)
    except ValueError:
        fail(t("cli.simulate.badPenetration", value=penetration))


def _rounds(text: str) -> int:
    from croupier.lab.blackjack.simulate import ROUNDS_MAX

    try:
        rounds = float(text.replace(",", "").replace("_", ""))
    except ValueError:
        rounds = 0.0
    if not 1 <= rounds <= ROUNDS_MAX or rounds != int(rounds):
        fail(t("cli.simulate.badRounds", value=text, limit=f"{ROUNDS_MAX:.0e}"))
    return int(rounds)


def _check_numbers(seed: int, players: int, workers: int, bankroll: int | None, trip: int) -> None:
    from croupier.lab.blackjack.simulate import SEED_MAX
    from croupier.lab.blackjack.simulation.inputs import PLAYERS_MAX

    limits = {
        "--seed": (seed, 0, SEED_MAX),
        "--players": (players, 1, PLAYERS_MAX),
        "--workers": (workers, 0, 1024),
        "--bankroll": (1 if bankroll is None else bankroll, 1, 10**9),
        "--trip": (trip, 1, 10**7),
    }
    for name, (value, low, high) in limits.items():
        if not low <= value <= high:
            fail(t("cli.simulate.outOfRange", name=name, value=value, low=low, high=high))


def _strategy(name: str, rules: "BlackjackRules") -> "tuple[StrategyTable, float | None]":
    """A table from its name or file, and for `basic` its exact expected value."""
    from croupier.lab.blackjack import strategy

    if name == "basic":
        from croupier.lab.blackjack.solve import solve

        solution = solve(rules)
        return solution.strategy, solution.ev.per_initial_bet
    if name == "dealer":
        from croupier.lab.blackjack.simulate import like_dealer

        return like_dealer(rules), None
    word, _, total = name.partition("-")
    if word == "stand" and total.isdigit() and 4 <= int(total) <= 21:
        return strategy.stand_on(int(total)), None
    return strategy.load(Path(name)), None


def _game(
    rules: "BlackjackRules",
    table: "StrategyTable",
    players: int,
    count: str | None,
    ramp: str | None,
    indices: str | None,
) -> "SimulatedGame":
    from croupier.lab.blackjack import card_count
    from croupier.lab.blackjack.simulation.blocks import SimulatedGame, flat_game, write_plan

    if count is None:
        if ramp or indices:
            fail(t("cli.simulate.needsCount", option="--ramp" if ramp else "--indices"))
        return flat_game(rules, table, players)
    plan = card_count.plan(
        table,
        rules,
        card_count.read_count(count),
        card_count.read_ramp(ramp) if ramp else {},
        card_count.read_indices(indices) if indices else card_count.Indices(),
    )
    return SimulatedGame(rules, write_plan(plan), players)


def _simulated(simulation: "Simulation", workers: int, cluster: str, *, shown: bool) -> "Outcome":
    from croupier.lab.blackjack.simulate import simulate

    with _progress(simulation.rounds, shown=shown) as progress:
        outcome = simulate(simulation, workers=workers, cluster=cluster, progress=progress)
    if outcome is None:
        typer.echo(t("cli.simulate.nothing"), err=True)
        raise typer.Exit(EXIT_INTERRUPTED)
    if not outcome.complete:
        typer.echo(t("cli.simulate.stopped", rounds=f"{outcome.tally.rounds:,}"), err=True)
    return outcome


@contextmanager
def _progress(rounds: int, *, shown: bool) -> Iterator[Callable[["Tally"], None]]:
    """A bar on standard error with the estimate so far and its interval."""
    if not shown:
        yield lambda tally: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from croupier.lab.confidence import SIGMAS

    columns = (TextColumn("{task.percentage:>3.0f}%"), BarColumn(), TextColumn("{task.description}"))
    with Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=rounds)

        def tell(tally: "Tally") -> None:
            figure = f"{tally.return_per_initial_bet:+.4%} ± {SIGMAS * tally.standard_error:.4%}"
            bar.update(task, completed=tally.rounds, description=figure)

        yield tell


def _follow(
    game: "SimulatedGame", bankroll: int, rounds: int, seed: int, workers: int, cluster: str
) -> "tuple[Trips, TripTotals]":
    from functools import reduce
    from operator import add

    from croupier.lab.blackjack.bankroll import Trips
    from croupier.lab.cluster import block_results

    trips = Trips(game, bankroll, rounds, TRIPS, seed)
    return trips, reduce(add, block_results(trips, trips.blocks, workers, cluster))


def _show(
    simulation: "Simulation",
    outcome: "Outcome",
    exact: float | None,
    bankroll: int | None,
    trips: "tuple[Trips, TripTotals] | None",
    *,
    as_json: bool,
) -> None:
    from croupier.lab.blackjack.bankroll import prospects
    from croupier.lab.blackjack.simulate import report

    figures = report(outcome, simulation)
    if exact is not None:
        error = figures["standardError"]
        figures["exact"] = {"ev": exact, "sigmas": (figures["ev"] - exact) / error if 0 < error < inf else None}
    chances = prospects(outcome.tally, bankroll) if bankroll else None
    if chances is not None:
        figures["bankroll"] = _bankroll_json(chances, outcome, trips)
    if as_json:
        print_json(figures)
        return
    _print_figures(figures, chances)


def _bankroll_json(
    chances: "Prospects", outcome: "Outcome", trips: "tuple[Trips, TripTotals] | None"
) -> dict[str, Any]:
    import msgspec

    from croupier.lab.blackjack.bankroll import risk_of_ruin

    found: dict[str, Any] = msgspec.to_builtins(chances)
    if trips is not None:
        work, followed = trips
        mean, variance = outcome.tally.profit_per_round, outcome.tally.variance_per_round
        risk, error = followed.risk
        found["trip"] = {
            "rounds": work.rounds,
            "trips": followed.trips,
            "ruined": risk,
            "standardError": error,
            "byFormula": risk_of_ruin(mean, variance, work.bankroll, work.rounds),
        }
    return found


def _print_figures(figures: dict[str, Any], chances: "Prospects | None") -> None:
    from rich.console import Console
    from rich.table import Table

    low, high = figures["interval"]
    total = figures["perTotalBet"]
    rows = [
        ("rtp", f"{figures['rtp']:.4%}"),
        ("ev", _uncertain(figures["ev"], figures["standardError"])),
        ("interval", f"{low:+.4%} … {high:+.4%}" if high < inf else "-∞ … +∞"),
        ("houseEdge", f"{figures['houseEdge']:.4%}"),
        ("perTotalBet", f"{_uncertain(total['ev'], total['standardError'])}  ({total['rtp']:.4%})"),
    ]
    if "exact" in figures:
        sigmas = figures["exact"]["sigmas"]
        rows.append(
            ("exact", f"{figures['exact']['ev']:+.4%}" + (f"  ({sigmas:+.2f} σ)" if sigmas is not None else ""))
        )
    rows += [
        ("deviation", f"{figures['standardDeviation']:.4f}"),
        ("averageBet", f"{figures['averageBet']:.4f}  ({figures['averageStaked']:.4f})"),
        *((name, f"{part:.3%}") for name, part in figures["outcomes"].items() if part),
        ("rounds", f"{figures['rounds']:,}"),
        ("speed", f"{figures['roundsPerSecond']:,.0f}  ({figures['seconds']:.2f} s)"),
    ]
    labels = [(t(f"cli.simulate.figure.{name}"), value) for name, value in rows]
    if chances is not None:
        labels += _bankroll_rows(figures["bankroll"])
    table = Table(box=None, show_header=False, pad_edge=False)
    for label, value in labels:
        table.add_row(label, value)
    Console(highlight=False, soft_wrap=True).print(table)


def _uncertain(value: float, error: float) -> str:
    """A figure and its standard error, which is infinite after a single shoe."""
    return f"{value:+.4%} ± " + (f"{error:.4%}" if error < inf else "∞")


def _bankroll_rows(found: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [
        ("winPerRound", f"{found['winPerRound']:+.5f} ± {found['standardDeviation']:.3f}"),
        ("n0", "∞" if found["n0"] is None else f"{found['n0']:,.0f}"),
        ("score", f"{found['score']:.2f}"),
        ("riskOfRuin", f"{found['riskOfRuin']:.3%}"),
    ]
    labels = [(t(f"cli.simulate.figure.{name}"), value) for name, value in rows]
    if "trip" in found:
        trip = found["trip"]
        label = t("cli.simulate.figure.tripRuin", rounds=f"{trip['rounds']:,}", trips=f"{trip['trips']:,}")
        labels.append((label, f"{trip['ruined']:.2%} ± {trip['standardError']:.2%}  ({trip['byFormula']:.2%})"))
    return labels


def _compare(
    names: list[str],
    games: "tuple[SimulatedGame, ...]",
    rounds: int,
    seed: int,
    workers: int,
    cluster: str,
    as_json: bool,
) -> None:
    """Play every strategy on the same shoes and print how much each differs from the first."""
    from croupier.lab.blackjack.simulate import Comparison, compare

    with _progress(rounds, shown=has_progress(as_json=as_json)) as progress:
        found = compare(Comparison(games, rounds, seed), workers=workers, cluster=cluster, progress=progress)
    if found is None:
        typer.echo(t("cli.simulate.nothing"), err=True)
        raise typer.Exit(EXIT_INTERRUPTED)
    rows = _compared(names, found)
    if as_json:
        print_json({"rounds": found.tallies[0].rounds, "seed": seed, "strategies": rows})
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="")
    for name in ("strategy", "ev", "difference"):
        table.add_column(t(f"cli.simulate.figure.{name}"), justify="left" if name == "strategy" else "right")
    for row in rows:
        difference = _uncertain(row["difference"], row["differenceStandardError"]) if "difference" in row else ""
        table.add_row(row["strategy"], _uncertain(row["ev"], row["standardError"]), difference)
    Console(highlight=False, soft_wrap=True).print(table)
    typer.echo(t("cli.simulate.sameShoes", rounds=f"{found.tallies[0].rounds:,}"))


def _compared(names: list[str], found: "PairedTally") -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for place, (name, tally) in enumerate(zip(names, found.tallies, strict=True)):
        row = {"strategy": name, "ev": tally.return_per_initial_bet, "standardError": tally.standard_error}
        if place:
            row["difference"], row["differenceStandardError"] = found.difference(place)
        rows.append(row)
    return rows
