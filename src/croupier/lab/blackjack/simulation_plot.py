"""Pictures of simulations: the estimate over the rounds with its interval, and the trips of a bankroll."""

from collections.abc import Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from croupier import locales
from croupier.lab.confidence import SIGMAS
from croupier.lab.plots import BLACK, BLUE, ORANGE, VERMILION, headline, new_figure, plot_language, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from croupier.lab.blackjack.bankroll import Trips, TripTotals
    from croupier.lab.blackjack.simulate import Point


def convergence_chart(
    history: Sequence["Point"],
    exact: float | None,
    path: Path,
    title: str,
    language: str = "en",
    followed: "tuple[Trips, TripTotals] | None" = None,
) -> None:
    """Draw the estimate of the expected value over the rounds with its 95 % interval, and the exact value if known.

    Below it, the trips of a bankroll, if there are any.
    """
    language = plot_language(language)
    figure = new_figure(language, (8.0, 4.6 if followed is None else 8.4))
    panels = [figure.subplots()] if followed is None else list(figure.subplots(2, 1))
    _draw_convergence(panels[0], history, exact, language)
    if followed is not None:
        _draw_bankrolls(panels[1], *followed, language)
    headline(figure, title)
    save(figure, path)


def _draw_convergence(axes: "Axes", history: Sequence["Point"], exact: float | None, language: str) -> None:
    rounds = [point.rounds for point in history]
    middle = [100 * point.ev for point in history]
    reach = [100 * SIGMAS * point.standard_error for point in history]
    low = [value - width for value, width in zip(middle, reach, strict=True)]
    high = [value + width for value, width in zip(middle, reach, strict=True)]
    axes.fill_between(
        rounds, low, high, color=BLUE, alpha=0.2, label=locales.text(language, "cli.simulate.plot.interval")
    )
    axes.plot(rounds, middle, color=BLUE, linewidth=1.5, label=locales.text(language, "cli.simulate.plot.simulated"))
    if exact is not None:
        label = locales.text(language, "cli.simulate.plot.exact")
        axes.axhline(100 * exact, color=BLACK, linestyle="--", linewidth=1, label=label)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(_short)
    axes.xaxis.set_minor_formatter(_short_between)
    # The first points swing wildly, so they do not set the scale.
    seen = [value for value in (*low[len(low) // 8 :], *high[len(high) // 8 :]) if isfinite(value)]
    if exact is not None:
        seen.append(100 * exact)
    edge = 0.1 * (max(seen) - min(seen)) if seen else 0.0
    if edge > 0:
        axes.set_ylim(min(seen) - edge, max(seen) + edge)
    axes.set_xlabel(locales.text(language, "cli.simulate.plot.rounds"))
    axes.set_ylabel(locales.text(language, "cli.simulate.plot.ev"))
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)


def _draw_bankrolls(axes: "Axes", trips: "Trips", followed: "TripTotals", language: str) -> None:
    for _, path in followed.paths:
        rounds = [trips.rounds * place / (len(path) - 1) for place in range(len(path))]
        axes.plot(rounds, path, color=VERMILION if path[-1] <= 0 else BLUE, alpha=0.35, linewidth=0.8)
    start = locales.text(language, "cli.simulate.plot.start")
    axes.axhline(trips.bankroll, color=ORANGE, linewidth=1, label=start)
    if any(path[-1] <= 0 for _, path in followed.paths):
        axes.plot([], [], color=VERMILION, label=locales.text(language, "cli.simulate.plot.ruined"))
    axes.axhline(0, color=BLACK, linewidth=1)
    axes.set_xlabel(locales.text(language, "cli.simulate.plot.rounds"))
    axes.set_ylabel(locales.text(language, "cli.simulate.plot.bankroll"))
    axes.xaxis.set_major_formatter(_short)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False, loc="upper left")


def _short_between(value: float, place: float = 0) -> str:
    """A label between powers of ten: for 2 and 5 only, since every digit would be too many."""
    return _short(value) if f"{value:e}"[0] in "25" else ""


def _short(value: float, place: float = 0) -> str:
    """A number of rounds, abbreviated: 500 k, 2 M."""
    for unit, name in ((1e12, " T"), (1e9, " G"), (1e6, " M"), (1e3, " k"), (1.0, "")):
        if value >= unit:
            return f"{value / unit:g}{name}"
    return f"{value:g}"
