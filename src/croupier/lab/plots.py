"""Pictures of strategy tables and of their evolution, as PNG, SVG or PDF by the file's ending.

Colours are told apart by people with any kind of colour vision, and every cell says its play in letters too. The fonts
that come with matplotlib have no Korean or Chinese: where the machine has no such font either, the picture's words are
English (`plot_language` says which language it will be).
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Final

from croupier import locales
from croupier.lab.strategy import ROWS, UPS, StrategyTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from croupier.lab.evolve import Generation

COLOURS: Final = {
    "H": ("#ffffff", "#333333"),
    "S": ("#f0e442", "#000000"),
    "D": ("#56b4e9", "#000000"),
    "Ds": ("#0072b2", "#ffffff"),
    "P": ("#009e73", "#ffffff"),
    "R": ("#e69f00", "#000000"),
    "Rs": ("#d55e00", "#ffffff"),
    "Rp": ("#882255", "#ffffff"),
    "-": ("#dddddd", "#333333"),
}
"""Background and letter of each entry, after the palette of Okabe and Ito; shared with the terminal."""

FONTS: Final = {
    "ko": ("Noto Sans CJK KR", "Noto Sans KR", "Source Han Sans K", "NanumGothic", "Malgun Gothic"),
    "zh": (
        "Noto Sans CJK SC",
        "Noto Sans SC",
        "Source Han Sans SC",
        "WenQuanYi Micro Hei",
        "Microsoft YaHei",
        "SimHei",
    ),
}
ANY_CJK_FONTS: Final = (
    "Noto Sans CJK JP",
    "PingFang SC",
    "Apple SD Gothic Neo",
    "Arial Unicode MS",
    "Droid Sans Fallback",
)
TITLE_LETTERS_PER_INCH: Final = 8.5
ENDINGS: Final = (".png", ".svg", ".pdf")


@lru_cache
def font_for(language: str) -> str | None:
    """An installed font that can write a language, or None where none can."""
    if language not in FONTS:
        return "DejaVu Sans"
    from matplotlib import font_manager

    installed = {font.name for font in font_manager.fontManager.ttflist}
    return next((name for name in (*FONTS[language], *ANY_CJK_FONTS) if name in installed), None)


def plot_language(language: str) -> str:
    """The language that pictures are labelled in for a user of `language`."""
    return language if font_for(language) else "en"


def shown_rows(table: StrategyTable, kind: str) -> tuple[str, ...]:
    """The rows worth showing: without 21, which always stands, and without a hard 2 or 3 that always hits."""
    rows = getattr(table, kind)
    return tuple(
        hand
        for hand in ROWS[kind]
        if hand != "21" and (hand not in "23" or kind == "pairs" or set(rows[hand].values()) != {"H"})
    )


def strategy_chart(table: StrategyTable, path: Path, title: str, language: str = "en") -> None:
    """Draws a strategy table as a heat map with a letter in each cell."""
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
        Patch(facecolor=COLOURS[entry][0], edgecolor="#888888", label=f"{entry}  {_meaning(language, entry)}")
        for entry in used
    ]
    figure.legend(handles=patches, loc="outside lower center", ncols=2, frameon=False)
    save(figure, path)


def evolution_chart(
    history: Sequence["Generation"], optimum: float, path: Path, title: str, language: str = "en"
) -> None:
    """Draws how a search went: the best and the average table of each generation, and how much the best lacks."""
    language = plot_language(language)
    figure = new_figure(language, (8.0, 6.0))
    values, gap = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": [3, 2]})
    numbers = [generation.number for generation in history]
    best = [100 * generation.best for generation in history]
    values.plot(numbers, best, color="#0072b2", linewidth=2, label=locales.text(language, "evolve.best"))
    mean = [100 * generation.mean for generation in history]
    values.plot(numbers, mean, color="#e69f00", label=locales.text(language, "evolve.mean"))
    values.axhline(100 * optimum, color="#000000", linestyle="--", label=locales.text(language, "evolve.optimum"))
    values.set_ylabel(locales.text(language, "evolve.ev"))
    values.legend(frameon=False)
    lacking = [max(100 * optimum - value, 1e-7) for value in best]
    gap.semilogy(numbers, lacking, color="#0072b2", linewidth=2)
    gap.axhline(0.02, color="#d55e00", linestyle=":", label="0.02 %")
    gap.set_ylabel(locales.text(language, "evolve.gap"))
    gap.set_xlabel(locales.text(language, "evolve.generation"))
    gap.legend(frameon=False)
    for axes in (values, gap):
        axes.grid(alpha=0.3)
    headline(figure, title)
    save(figure, path)


def new_figure(language: str, inches: tuple[float, float]) -> "Figure":
    """A figure that never asks for a screen, in a font that has the language's letters."""
    from matplotlib import rcParams
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    rcParams["font.family"] = [font_for(language) or "DejaVu Sans", "DejaVu Sans"]
    rcParams["svg.fonttype"] = "none"
    figure = Figure(figsize=inches, layout=ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.1))
    FigureCanvasAgg(figure)
    return figure


def headline(figure: "Figure", title: str) -> None:
    """Writes the title over a figure, on as many lines as it needs."""
    figure.suptitle(fill(title, int(TITLE_LETTERS_PER_INCH * figure.get_figwidth())), fontweight="bold")


def save(figure: "Figure", path: Path) -> None:
    figure.savefig(path, dpi=160)


def _panel(axes: "Axes", table: StrategyTable, kind: str, rows: Sequence[str], label: str) -> None:
    from matplotlib.patches import Rectangle

    axes.set_xlim(0, len(UPS))
    axes.set_ylim(len(rows), 0)
    for place, hand in enumerate(rows):
        for column, up in enumerate(UPS):
            entry = table.play(kind, hand, up)
            background, letter = COLOURS[entry]
            axes.add_patch(Rectangle((column, place), 1, 1, facecolor=background, edgecolor="#888888", linewidth=0.6))
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
