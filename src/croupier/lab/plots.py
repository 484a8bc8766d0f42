"""What all pictures of the lab share: fonts, colours, figures. The file's ending selects PNG, SVG or PDF.

The fonts that come with matplotlib have no Korean or Chinese. Where the machine has no such font either, a picture is
labelled in English; `plot_language` says in which language it will be.
"""

from functools import lru_cache
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# The palette of Okabe and Ito: people with any kind of colour vision can tell these colours apart.
BLUE: Final = "#0072b2"
VERMILION: Final = "#d55e00"
GREEN: Final = "#009e73"
PURPLE: Final = "#cc79a7"
ORANGE: Final = "#e69f00"
SKY_BLUE: Final = "#56b4e9"
BLACK: Final = "#000000"
YELLOW: Final = "#f0e442"
GREY: Final = "#888888"
"""For frames and axes; not of the palette."""

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


@lru_cache
def font_for(language: str) -> str | None:
    """An installed font for a language, or None."""
    if language not in FONTS:
        return "DejaVu Sans"
    from matplotlib import font_manager

    installed = {font.name for font in font_manager.fontManager.ttflist}
    return next((name for name in (*FONTS[language], *ANY_CJK_FONTS) if name in installed), None)


def plot_language(language: str) -> str:
    """The language of a picture's labels for a user of `language`."""
    return language if font_for(language) else "en"


def new_figure(language: str, inches: tuple[float, float]) -> "Figure":
    """A figure that needs no screen, in a font for the language."""
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
    """Write the title over a figure, on as many lines as it needs."""
    figure.suptitle(fill(title, int(TITLE_LETTERS_PER_INCH * figure.get_figwidth())), fontweight="bold")


def save(figure: "Figure", path: Path) -> None:
    figure.savefig(path, dpi=160)
