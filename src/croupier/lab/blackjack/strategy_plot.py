"""Pictures of strategy tables and of their evolution. Every cell shows its play by colour and by letter."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from croupier import locales
from croupier.lab.blackjack.strategy import ROWS, UPS, StrategyTable
from croupier.lab.plots import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    ORANGE,
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

    from croupier.lab.blackjack.evolve import Generation

COLOURS: Final = {
    "H": ("#ffffff", "#333333"),
    "S": (YELLOW, BLACK),
    "D": (SKY_BLUE, BLACK),
    "Ds": (BLUE, "#ffffff"),
    "P": (GREEN, "#ffffff"),
    "R": (ORANGE, BLACK),
    "Rs": (VERMILION, "#ffffff"),
    "Rp": ("#882255", "#ffffff"),
    "-": ("#dddddd", "#333333"),
}
"""The colours of each entry's background and letter; the terminal uses them too."""


def shown_rows(table: StrategyTable, kind: str) -> tuple[str, ...]:
    """The rows to show: without 21, which always stands, and without a hard 2 or 3 that always hits."""
    rows = getattr(table, kind)
    return tuple(
        hand
        for hand in ROWS[kind]
        if hand != "21" and (hand not in "23" or kind == "pairs" or set(rows[hand].values()) != {"H"})
    )


def strategy_chart(table: StrategyTable, path: Path, title: str, language: str = "en") -> None:
    """Draw a strategy table as a heat map with letters in the cells."""
    from matplotlib.patches import Patch

    language = plot_language(language)
    kinds = [(kind, shown_rows(table, kind)) for kind in ("hard", "soft", "pairs")]
    figure = new_figure(language, (7.0, 0.27 * sum(len(rows) for _, rows in kinds) + 3.2))
    heights = [len(rows) for _, rows in kinds]
    panels = figure.subplots(3, 1, gridspec_kw={"height_ratios": heights})
    for axes, (kind, rows) in zip(panels, kinds, strict=True):
        _panel(axes, table, kind, rows, locales.text(language, f"strategy.{kind}"))
    panels[0].set_xlabel(locales.text(language, "strategy.upcard"))
    panels[0].xaxis.set_label_position("top")
    headline(figure, title)
    used = sorted({entry for *_, entry in table.cells()}, key=list(COLOURS).index)
    patches = [
        Patch(facecolor=COLOURS[entry][0], edgecolor=GREY, label=f"{entry}  {_meaning(language, entry)}")
        for entry in used
    ]
    figure.legend(handles=patches, loc="outside lower center", ncols=2, frameon=False)
    save(figure, path)


def evolution_chart(
    history: Sequence["Generation"], optimum: float, path: Path, title: str, language: str = "en"
) -> None:
    """Draw a search: the best and the mean value of each generation, and how far the best is from the optimum."""
    language = plot_language(language)
    figure = new_figure(language, (8.0, 6.0))
    values, gap = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": [3, 2]})
    numbers = [generation.number for generation in history]
    best = [100 * generation.best for generation in history]
    values.plot(numbers, best, color=BLUE, linewidth=2, label=locales.text(language, "evolve.best"))
    mean = [100 * generation.mean for generation in history]
    values.plot(numbers, mean, color=ORANGE, label=locales.text(language, "evolve.mean"))
    values.axhline(100 * optimum, color=BLACK, linestyle="--", label=locales.text(language, "evolve.optimum"))
    values.set_ylabel(locales.text(language, "evolve.ev"))
    values.legend(frameon=False)
    lacking = [max(100 * optimum - value, 1e-7) for value in best]
    gap.semilogy(numbers, lacking, color=BLUE, linewidth=2)
    gap.axhline(0.02, color=VERMILION, linestyle=":", label="0.02 %")
    gap.set_ylabel(locales.text(language, "evolve.gap"))
    gap.set_xlabel(locales.text(language, "evolve.generation"))
    gap.legend(frameon=False)
    for axes in (values, gap):
        axes.grid(alpha=0.3)
    headline(figure, title)
    save(figure, path)


def _panel(axes: "Axes", table: StrategyTable, kind: str, rows: Sequence[str], label: str) -> None:
    from matplotlib.patches import Rectangle

    axes.set_xlim(0, len(UPS))
    axes.set_ylim(len(rows), 0)
    for place, hand in enumerate(rows):
        for column, up in enumerate(UPS):
            entry = table.play(kind, hand, up)
            background, letter = COLOURS[entry]
            axes.add_patch(Rectangle((column, place), 1, 1, facecolor=background, edgecolor=GREY, linewidth=0.6))
            axes.text(column + 0.5, place + 0.53, entry, color=letter, ha="center", va="center", fontsize=9)
    axes.set_xticks([column + 0.5 for column in range(len(UPS))], UPS)
    axes.set_yticks([place + 0.5 for place in range(len(rows))], [_row_label(kind, hand) for hand in rows])
    axes.set_ylabel(label)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _row_label(kind: str, hand: str) -> str:
    return f"{hand},{hand}" if kind == "pairs" else hand


def _meaning(language: str, entry: str) -> str:
    return locales.text(language, f"strategy.play.{entry}")
