"""`croupier train blackjack`: practice in plain lines, for terminals, pipes and screen readers."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from croupier.cli.blackjack_rules import Preset, Rule, rules_help, rules_or_exit
from croupier.cli.console import fail, game_commands
from croupier.cli.texts import t

if TYPE_CHECKING:
    from croupier.lab.blackjack.train import Question, Record, Trainer

KEYS: Final = {"hit": "h", "stand": "s", "double": "d", "split": "p", "surrender": "r"}
QUIT: Final = "q"
WEAKEST_SHOWN: Final = 5

app = game_commands("cli.train.help")


@app.command(help=t("cli.train.blackjack"), epilog=rules_help())
def blackjack(
    preset: Preset = "casino",
    rule: Rule = None,
    rounds: Annotated[int, typer.Option(help=t("cli.train.rounds"))] = 0,
    seed: Annotated[int | None, typer.Option(help=t("cli.train.seed"))] = None,
    record: Annotated[Path | None, typer.Option(metavar="FILE", help=t("cli.train.record"))] = None,
) -> None:
    rules = rules_or_exit(preset, rule)
    if rounds < 0:
        fail(t("cli.train.badRounds", value=rounds))
    from croupier.lab.blackjack.solve import solve
    from croupier.lab.blackjack.train import Trainer, load_record, record_path, save_record
    from croupier.lab.compiler import compiling_notice

    path = record or record_path()
    try:
        kept = load_record(path)
    except ValueError as error:
        fail(t("cli.train.badRecord", file=str(path), reason=str(error)))
    with compiling_notice():
        trainer = Trainer(solve(rules), kept, seed)
    before = (kept.answered, kept.right, kept.cost)
    typer.echo(t("cli.train.welcome"))
    try:
        _practise(trainer, rounds)
    except KeyboardInterrupt:
        typer.echo()
    _show_score(kept, before)
    try:
        save_record(kept, path)
    except OSError as error:
        fail(t("cli.train.badRecord", file=str(path), reason=str(error)))


def _practise(trainer: "Trainer", rounds: int) -> None:
    """Ask hand after hand, until `rounds` hands were played or the input ends."""
    number = 0
    while not rounds or number < rounds:
        number += 1
        asked: Question | int = trainer.deal()
        typer.echo(t("cli.train.hand", number=number))
        while not isinstance(asked, int):
            play = _ask(asked)
            if play is None:
                return
            _judge(trainer, asked, play)
            if play != "hit":
                break
            asked = trainer.draw(asked)
        if isinstance(asked, int):
            typer.echo(t("cli.train.bust" if asked > 21 else "cli.train.twentyOne", total=asked))


def _ask(question: "Question") -> str | None:
    """An allowed play, by key or by word; None at the end of the input or of the practice."""
    hand = t(f"cli.train.kind.{question.kind}", total=question.total, card=question.cards[0])
    typer.echo(t("cli.train.question", cards=" ".join(question.cards), hand=hand, up=question.up))
    choices = ", ".join(f"{KEYS[play]} {t(f'cli.train.play.{play}')}" for play in question.values)
    typer.echo(t("cli.train.choices", choices=choices, quit=QUIT))
    while True:
        typer.echo(t("cli.train.prompt"), nl=False)
        line = sys.stdin.readline()
        word = line.strip().lower()
        if not sys.stdin.isatty():
            typer.echo(word)
        if not line or word in {QUIT, *t("cli.train.words.quit").split()}:
            return None
        for play in question.values:
            if word in {KEYS[play], play, *t(f"cli.train.words.{play}").split()}:
                return play
        typer.echo(t("cli.train.unknown", word=word, choices=choices))


def _judge(trainer: "Trainer", question: "Question", play: str) -> None:
    cost = trainer.answer(question, play)
    facts = {
        "best": t(f"cli.train.play.{question.best}"),
        "bestValue": f"{question.values[question.best]:+.4f}",
        "play": t(f"cli.train.play.{play}"),
        "value": f"{question.values[play]:+.4f}",
        "cost": f"{cost:.4f}",
    }
    typer.echo(t("cli.train.wrong" if cost else "cli.train.right", **facts))


def _show_score(record: "Record", before: tuple[int, int, float]) -> None:
    answered, right, cost = record.answered - before[0], record.right - before[1], record.cost - before[2]
    if answered:
        typer.echo(t("cli.train.score", right=right, answered=answered, cost=f"{cost:.4f}"))
        typer.echo(t("cli.train.scoreEver", right=record.right, answered=record.answered, cost=f"{record.cost:.4f}"))
    weakest = record.weakest(WEAKEST_SHOWN)
    if weakest:
        typer.echo(t("cli.train.weakest", places="; ".join(_place(place) for place in weakest)))


def _place(place: str) -> str:
    kind, hand, up = place.split()
    return t("cli.train.place", hand=t(f"cli.train.kind.{kind}", total=hand, card=hand), up=up)
