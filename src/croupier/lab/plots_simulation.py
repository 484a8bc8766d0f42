"""Pictures of simulations: how a figure settles, with its interval, and how bankrolls fare."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from croupier import locales
from croupier.lab.plots import new_figure, plot_language, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from croupier.lab.bankroll import Followed, Trips
    from croupier.lab.simulate import Point

BLUE, ORANGE, RED, BLACK = "#0072b2", "#e69f00", "#d55e00", "#000000"


def convergence_chart(
    history: Sequence["Point"],
    exact: float | None,
    path: Path,
    title: str,
    language: str = "en",
    followed: "tuple[Trips, Followed] | None" = None,
) -> None:
    """Draws the expected value after so many rounds with its 95 % interval, beside the exact one where it is known;
    below that the followed bankrolls, if there are any."""
    language = plot_language(language)
    figure = new_figure(language, (8.0, 4.6 if followed is None else 8.4))
    panels = [figure.subplots()] if followed is None else list(figure.subplots(2, 1))
    _draw_convergence(panels[0], history, exact, language)
    if followed is not None:
        _draw_bankrolls(panels[1], *followed, language)
    figure.suptitle(title, fontweight="bold")
    save(figure, path)


def _draw_convergence(axes: "Axes", history: Sequence["Point"], exact: float | None, language: str) -> None:
    from croupier.lab.simulate import SIGMAS

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
    # The first points swing wildly: the picture is about where the figure settles.
    settled = history[len(history) // 8 :]
    widest = max(100 * 3 * SIGMAS * settled[0].standard_error, 1e-6)
    axes.set_ylim(middle[-1] - widest, middle[-1] + widest)
    axes.set_xlabel(locales.text(language, "cli.simulate.plot.rounds"))
    axes.set_ylabel(locales.text(language, "cli.simulate.plot.ev"))
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)


def _draw_bankrolls(axes: "Axes", trips: "Trips", followed: "Followed", language: str) -> None:
    for _, path in followed.paths:
        rounds = [trips.rounds * place / (len(path) - 1) for place in range(len(path))]
        axes.plot(rounds, path, color=RED if path[-1] <= 0 else BLUE, alpha=0.35, linewidth=0.8)
    axes.axhline(trips.bankroll, color=ORANGE, linewidth=1)
    axes.axhline(0, color=BLACK, linewidth=1)
    axes.set_xlabel(locales.text(language, "cli.simulate.plot.rounds"))
    axes.set_ylabel(locales.text(language, "cli.simulate.plot.bankroll"))
    axes.grid(alpha=0.3)
