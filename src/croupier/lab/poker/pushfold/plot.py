"""Pictures of push/fold solutions: a 13 × 13 chart for each decision. Every cell has its hand and its colour."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

from croupier import locales
from croupier.lab.plots import BLUE, GREY, headline, new_figure, plot_language, save
from croupier.lab.poker.hand_classes import HANDS, SIDE, share
from croupier.lab.poker.pushfold.solve import Decision, Solution

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ALL_CALLS_PLAYERS_MAX: Final = 4
"""With more players, only the calls of the big blind are drawn."""
COLUMNS_MAX: Final = 4
CHART_INCHES: Final = 3.6
LETTERS_WHITE_FROM: Final = 0.6


def shown_decisions(solution: Solution) -> list[Decision]:
    """The decisions that are drawn: every push, and the calls of a push."""
    last = solution.spot.players - 1
    few = solution.spot.players <= ALL_CALLS_PLAYERS_MAX
    first = [each for each in solution.decisions if not each.after]
    calls = [each for each in solution.decisions if len(each.after) == 1 and (few or each.seat == last)]
    return first + calls


def decision_title(language: str, solution: Solution, decision: Decision) -> str:
    """The decision that a range is for, and how many hands go all-in: `BB calls SB: 37.4 %`."""
    seats = solution.spot.seats
    part = f"{100 * share(decision.frequencies):.1f} %"
    name = ("push", "call", "overcall")[len(decision.after)]
    before = [seats[seat] for seat in decision.after]
    return locales.text(language, f"pushfold.{name}", seat=seats[decision.seat], before=" + ".join(before), share=part)


def charts(solution: Solution, path: Path, title: str, language: str = "en") -> None:
    """Draw the decisions of a solution; a cell is filled in proportion to how often its hand goes all-in."""
    language = plot_language(language)
    drawn = shown_decisions(solution)
    columns = min(COLUMNS_MAX, len(drawn))
    rows = -(-len(drawn) // columns)
    figure = new_figure(language, (CHART_INCHES * columns, (CHART_INCHES + 0.3) * rows + 0.7))
    headline(figure, title)
    axes = figure.subplots(rows, columns, squeeze=False)
    for place in range(rows * columns):
        one = axes[place // columns][place % columns]
        if place < len(drawn):
            _chart(one, drawn[place], decision_title(language, solution, drawn[place]))
        else:
            one.set_axis_off()
    save(figure, path)


def _chart(axes: "Axes", decision: Decision, title: str) -> None:
    from matplotlib.patches import Rectangle

    axes.set_title(title, fontsize=9)
    axes.set_xlim(0, SIDE)
    axes.set_ylim(SIDE, 0)
    axes.set_aspect("equal")
    axes.set_axis_off()
    for number, (name, often) in enumerate(zip(HANDS, decision.frequencies, strict=True)):
        row, column = divmod(number, SIDE)
        axes.add_patch(Rectangle((column, row + 1 - often), 1, often, facecolor=BLUE, linewidth=0))
        axes.add_patch(Rectangle((column, row), 1, 1, facecolor="none", edgecolor=GREY, linewidth=0.4))
        letters = "#ffffff" if often >= LETTERS_WHITE_FROM else "#222222"
        axes.text(column + 0.5, row + 0.53, name, color=letters, ha="center", va="center", fontsize=5.5)
