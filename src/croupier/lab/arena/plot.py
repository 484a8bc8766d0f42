"""The picture of a match: every bot's result over the deals, and the final figures with their intervals."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from croupier import locales
from croupier.lab.plots import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    PURPLE,
    SKY_BLUE,
    VERMILION,
    YELLOW,
    headline,
    new_figure,
    plot_language,
    save,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from croupier.lab.arena.match import Report

COLOURS: Final = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY_BLUE, BLACK, YELLOW)
STYLES: Final = ("-", "--", ":")
POINTS_MAX: Final = 2000
"""More points than the picture has columns would not show."""


def arena_chart(report: "Report", path: Path, title: str, language: str = "en") -> None:
    """Draw every bot's result over the deals and, below, the final figures with their 95 % intervals."""
    language = plot_language(language)
    figure = new_figure(language, (8.0, 4.4 + 0.4 * len(report.standings)))
    results, figures = figure.subplots(2, 1, gridspec_kw={"height_ratios": [3, 0.5 + 0.4 * len(report.standings)]})
    _draw_results(results, report, language)
    _draw_figures(figures, report, language)
    headline(figure, title)
    save(figure, path)


def _draw_results(axes: "Axes", report: "Report", language: str) -> None:
    step = max(1, report.deals // POINTS_MAX)
    for place, (standing, history) in enumerate(zip(report.standings, report.history, strict=True)):
        deals = [*range(step, report.deals + 1, step)]
        style = STYLES[place // len(COLOURS) % len(STYLES)]
        colour = COLOURS[place % len(COLOURS)]
        axes.plot(deals, [history[deal - 1] for deal in deals], style, color=colour, label=standing.bot)
    axes.axhline(0, color=GREY, linewidth=0.8)
    axes.set_xlabel(locales.text(language, "arena.deals"))
    axes.set_ylabel(locales.text(language, "arena.chips" if report.unit else "arena.points"))
    axes.legend(frameon=False)
    axes.grid(alpha=0.3)


def _draw_figures(axes: "Axes", report: "Report", language: str) -> None:
    for place, standing in enumerate(report.standings):
        found = standing.rate or standing.win_rate
        scale = 1 if standing.rate else 100
        margin = scale * (found.margin or 0.0)
        colour = COLOURS[place % len(COLOURS)]
        axes.errorbar([scale * found.mean], [place], xerr=[margin], fmt="o", color=colour, capsize=4)
    axes.set_yticks(range(len(report.standings)), [standing.bot for standing in report.standings])
    axes.set_ylim(len(report.standings) - 0.5, -0.5)
    axes.axvline(0 if report.unit else 50, color=GREY, linewidth=0.8)
    unit = report.unit.partition("/")[0]
    label = locales.text(language, f"arena.unit.{unit}" if unit else "arena.win_rate")
    axes.set_xlabel(label if unit else f"{label}, %")
    axes.grid(alpha=0.3, axis="x")
