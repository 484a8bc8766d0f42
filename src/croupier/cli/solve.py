"""`croupier solve`: blackjack's exact values and best strategy table, and Hold'em spots (`solve_holdem`)."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from croupier.cli.blackjack_rules import Preset, Rule, rules_help, rules_or_exit, rules_title
from croupier.cli.console import game_commands, print_json
from croupier.cli.files import PICTURE_ENDINGS, picture_language, wanted_file, writing
from croupier.cli.solve_holdem import holdem
from croupier.cli.texts import t

if TYPE_CHECKING:
    from rich.console import Console

    from croupier.lab.blackjack.solve import Solution
    from croupier.lab.blackjack.stand_on import StandOn

app = game_commands("cli.solve.help")
app.command(help=t("cli.holdem.help"))(holdem)


@app.command(help=t("cli.solve.blackjack"), epilog=rules_help())
def blackjack(
    preset: Preset = "casino",
    rule: Rule = None,
    as_json: Annotated[bool, typer.Option("--json", help=t("cli.solve.json"))] = False,
    png: Annotated[Path | None, typer.Option("--png", metavar="FILE", help=t("cli.solve.png"))] = None,
    csv: Annotated[Path | None, typer.Option("--csv", metavar="FILE", help=t("cli.solve.csv"))] = None,
    toml: Annotated[Path | None, typer.Option("--toml", metavar="FILE", help=t("cli.solve.toml"))] = None,
) -> None:
    rules = rules_or_exit(preset, rule)
    wanted_file(png, *PICTURE_ENDINGS)
    wanted_file(csv, ".csv")
    wanted_file(toml, ".toml")
    from croupier.lab.blackjack import strategy
    from croupier.lab.blackjack.solve import solve
    from croupier.lab.compiler import compiling_notice

    with compiling_notice():
        solution = solve(rules)
        for path in (csv, toml):
            if path is not None:
                with writing(path):
                    strategy.save(solution.strategy, path)
        if png is not None:
            from croupier.lab.blackjack.strategy_plot import strategy_chart
            from croupier.locales import text

            language = picture_language()
            ev = f"{100 * solution.ev.total_dependent:+.3f} %"
            title = text(language, "solve.title", preset=rules_title(preset, rule), decks=rules.decks, ev=ev)
            with writing(png):
                strategy_chart(solution.strategy, png, title, language)
        if as_json:
            from croupier.lab.blackjack.report import report

            print_json(report(solution))
        else:
            _print(solution)


def _print(solution: "Solution") -> None:
    from rich.console import Console

    from croupier.cli.strategy import print_table
    from croupier.lab.blackjack.stand_on import stand_on_figures

    console = Console()
    rules = solution.prepared.rules
    print_table(console, solution.strategy, soft=rules.ace == "best", pairs=rules.hands_max > 1)
    figures = {
        "compositionDependent": solution.ev.composition_dependent,
        "totalDependent": solution.ev.total_dependent,
        "perTotalBet": solution.ev.per_total_bet,
        "rtp": solution.ev.rtp,
    }
    for name, value in figures.items():
        console.print(f"{100 * value:>10.4f} %  {t(f'cli.solve.{name}')}", highlight=False, soft_wrap=True)
    if insured := solution.insurance():
        best = max(insured, key=lambda hand: hand.ev)
        text = f"{100 * best.ev:>10.4f} %  {t('cli.solve.insurance', cards=best.cards)}"
        console.print(text, highlight=False, soft_wrap=True)
    if rules.ace == "one":
        _print_standing(console, stand_on_figures(solution.prepared))


def _print_standing(console: "Console", figures: "tuple[StandOn, ...]") -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="")
    for name in ("standOn", "win", "push", "lose", "ev"):
        table.add_column(t(f"cli.solve.{name}"), justify="right")
    for row in figures:
        table.add_row(str(row.total), *(f"{100 * value:.3f} %" for value in (row.win, row.push, row.lose, row.ev)))
    console.print()
    console.print(table)
