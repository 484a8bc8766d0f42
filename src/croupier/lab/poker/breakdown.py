"""The equity of every single hand of a range, and a picture of it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from croupier.cards import PACK, RANKS, Card
from croupier.lab import plots
from croupier.lab.poker import family
from croupier.lab.poker.equity import SAMPLES_DEFAULT, Method, equity
from croupier.lab.poker.ranges import RANDOM, EquityError, parse
from croupier.lab.poker.situations import CardsInput, read_cards
from croupier.lab.poker.variants import HOLDEM, VARIANTS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SAMPLES_MIN: Final = 10_000
"""How many samples a hand gets at least."""
HANDS_MAX: Final = 2_000


class ComboEquity(msgspec.Struct, frozen=True, omit_defaults=True):
    """One hand of a range. `low` and `high` are the interval of a sampled equity."""

    hand: str
    weight: float
    equity: float
    low: float | None = None
    high: float | None = None


def breakdown(
    hands: Sequence[str],
    number: int = 1,
    board: CardsInput = "",
    dead: CardsInput = "",
    *,
    variant: str = HOLDEM.name,
    board2: CardsInput = "",
    samples: int = SAMPLES_DEFAULT,
    seed: int = 0,
) -> tuple[ComboEquity, ...]:
    """The equity of every hand of the range with this number (from 1) against the other hands, best first.

    Hands that do not fit the board are left out. Exact from the flop on if that is quick; before, the samples are
    divided among the hands.
    """
    if not 1 <= number <= len(hands):
        raise EquityError("EQUITY_NO_HAND", number=number, count=len(hands))
    if variant not in VARIANTS:
        raise EquityError("EQUITY_VARIANT", variant=variant, allowed=", ".join(VARIANTS))
    own = _combos(hands[number - 1], variant)
    gone = {*read_cards(board), *read_cards(board2), *read_cards(dead)}
    others = [hand for place, hand in enumerate(hands, start=1) if place != number]
    known = [_combos(hand, variant) for hand in others if hand.strip().lower() != RANDOM]
    gone |= {card for each in known if len(each) == 1 for hole in each for card in hole}
    fitting = {hole: weight for hole, weight in own.items() if not gone.intersection(hole)}
    if not fitting:
        raise EquityError("RANGE_EMPTY", range=hands[number - 1])
    each_samples = max(SAMPLES_MIN, samples // len(fitting))
    method = None if read_cards(board) or len(fitting) == 1 else Method.MONTE_CARLO
    found = []
    for hole, weight in fitting.items():
        text = "".join(map(str, hole))
        try:
            result = equity(
                [text, *others],
                board,
                dead,
                variant=variant,
                board2=board2,
                method=method,
                samples=each_samples,
                seed=seed,
            ).hands[0]
        except EquityError as error:
            if error.refusal.code in {"RANGE_EMPTY", "EQUITY_NO_DEAL"}:
                continue  # The others cannot hold anything beside this hand.
            raise
        found.append(ComboEquity(text, weight, result.equity, result.low, result.high))
    return tuple(sorted(found, key=lambda each: -each.equity))


def _combos(hand: str, variant: str) -> dict[tuple[Card, ...], float]:
    rules = VARIANTS[variant]
    if rules.hole_cards == 2:
        return {
            pair: weight
            for pair, weight in parse(hand, is_short=rules.is_short).weights.items()
            if all(card in rules.pack for card in pair)
        }
    found = family.family_case(rules, [hand, RANDOM], [""]).hands[0]
    if not found or len(found) > HANDS_MAX:
        example = "".join(map(str, PACK[-rules.hole_cards :]))
        raise EquityError("FAMILY_HAND", text=hand, count=rules.hole_cards, example=example)
    return found


def heat_map(combos: Sequence[ComboEquity], title: str, language: str = "en") -> "Figure":
    """A square for each of the 169 kinds of hands, suited above the diagonal, coloured by mean equity."""
    sums: dict[tuple[int, int], list[float]] = {}
    for combo in combos:
        one, other = (Card(combo.hand[place : place + 2]) for place in (0, 2))
        high, low = sorted((RANKS.index(one.rank), RANKS.index(other.rank)), reverse=True)
        place = (high, low) if one.suit == other.suit or high == low else (low, high)
        total = sums.setdefault(place, [0.0, 0.0])
        total[0] += combo.weight * combo.equity
        total[1] += combo.weight
    figure = plots.new_figure(language, (9, 8))
    axes = figure.add_subplot()
    grid = [[float("nan")] * len(RANKS) for _ in RANKS]
    for (row, column), (equity_sum, weight) in sums.items():
        grid[len(RANKS) - 1 - row][len(RANKS) - 1 - column] = equity_sum / weight
    image = axes.imshow(grid, cmap="viridis", vmin=0, vmax=1)
    for row, line in enumerate(grid):
        for column, value in enumerate(line):
            shade = "black" if value > 0.6 else "white"
            label = _kind(len(RANKS) - 1 - row, len(RANKS) - 1 - column)
            if value == value:  # noqa: PLR0124  # not for "not a number"
                axes.text(column, row, f"{label}\n{value:.0%}", ha="center", va="center", fontsize=7, color=shade)
            else:
                axes.text(column, row, label, ha="center", va="center", fontsize=7, color=plots.GREY)
    axes.set_xticks([])
    axes.set_yticks([])
    figure.colorbar(image, format="{x:.0%}", shrink=0.8)
    plots.headline(figure, title)
    return figure


def _kind(row: int, column: int) -> str:
    high, low = max(row, column), min(row, column)
    return RANKS[high] + RANKS[low] + ("" if row == column else "s" if row > column else "o")


def draw_heat_map(combos: Sequence[ComboEquity], path: Path, title: str, language: str = "en") -> None:
    """Write the picture; the file's ending selects PNG, SVG or PDF."""
    plots.save(heat_map(combos, title, language), path)
