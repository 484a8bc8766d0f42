"""A picture of a strategy: the 13×13 grid, each cell filled by its weight and split by its actions."""

from pathlib import Path
from typing import Final

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
from croupier.lab.poker.solver.grid import ORDER, cells, shapes
from croupier.lab.poker.solver.walk import NodeFigures

FOLD_COLOUR: Final = SKY_BLUE
PASSIVE_COLOUR: Final = GREEN
ALL_IN_COLOUR: Final = PURPLE
BET_COLOURS: Final = (YELLOW, ORANGE, VERMILION, BLUE, "#882255", "#661100", "#332288", BLACK)
"""Smaller bets and raises first."""


def action_colours(actions: tuple[str, ...]) -> tuple[str, ...]:
    """A colour for each action of a decision."""
    bets = iter(BET_COLOURS)
    found = []
    for action in actions:
        match action.split()[0]:
            case "fold":
                found.append(FOLD_COLOUR)
            case "check" | "call":
                found.append(PASSIVE_COLOUR)
            case "all-in":
                found.append(ALL_IN_COLOUR)
            case _:
                found.append(next(bets))
    return tuple(found)


def strategy_grid(node: NodeFigures, path: Path, title: str, language: str = "en") -> None:
    """Draw the strategy of a decision. A cell is filled in proportion to how likely its combinations are there."""
    from matplotlib.patches import Patch, Rectangle

    language = plot_language(language)
    figure = new_figure(language, (8.5, 9.4))
    axes = figure.subplots()
    axes.set_xlim(0, len(ORDER))
    axes.set_ylim(len(ORDER), 0)
    axes.set_aspect("equal")
    axes.axis("off")
    found = cells(node)
    colours = action_colours(tuple(each.action for each in node.actions))
    most = max((cell.weight / cell.combinations for cell in found.values()), default=1.0) or 1.0
    for row, column, name in shapes():
        cell = found.get(name)
        axes.add_patch(Rectangle((column, row), 1, 1, facecolor="#eeeeee", edgecolor=GREY, linewidth=0.6))
        if cell is not None and cell.weight > 0:
            height, left = cell.weight / cell.combinations / most, float(column)
            for share, colour in zip(cell.strategy, colours, strict=True):
                axes.add_patch(Rectangle((left, row + 1 - height), share, height, facecolor=colour, linewidth=0))
                left += share
        colour = BLACK if cell else GREY
        axes.text(column + 0.05, row + 0.06, name, color=colour, ha="left", va="top", fontsize=7.5)
    headline(figure, title)
    patches = [
        Patch(facecolor=colour, edgecolor=GREY, label=f"{each.action}  {each.frequency:.1%}")
        for each, colour in zip(node.actions, colours, strict=True)
    ]
    figure.legend(handles=patches, loc="outside lower center", ncols=min(len(patches), 5), frameon=False)
    save(figure, path)
