"""`croupier train`: practice in plain lines, for terminals, pipes and screen readers."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from croupier.cli.blackjack_rules import Preset, Rule, rules_help, rules_or_exit
from croupier.cli.console import fail, game_commands
from croupier.cli.pushfold_options import Ante, BigBlindAnte, Blinds, Payouts, Players, Stack, Stacks, spot_or_exit
from croupier.cli.texts import t

if TYPE_CHECKING:
    from croupier.lab.blackjack.train import Question, Trainer
    from croupier.lab.poker.pushfold import train as pushfold_train
    from croupier.lab.practice import Record

KEYS: Final = {"hit": "h", "stand": "s", "double": "d", "split": "p", "surrender": "r"}
PUSHFOLD_KEYS: Final = {"push": "p", "call": "c", "fold": "f"}
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
    from croupier.lab.blackjack.train import Trainer
    from croupier.lab.compiler import compiling_notice

    path, kept = _record_or_exit(record, "blackjack")
    with compiling_notice():
        trainer = Trainer(solve(rules), kept, seed)
    before = (kept.answered, kept.right, kept.cost)
    typer.echo(t("cli.train.welcome"))
    try:
        _practise(trainer, rounds)
    except KeyboardInterrupt:
        typer.echo()
    _show_score(kept, before, "cli.train", _place)
    _save_or_exit(kept, path)


@app.command(help=t("cli.train.pushfold.help"))
def pushfold(  # noqa: PLR0913, PLR0917  # an option each
    stack: Stack = 10.0,
    players: Players = 2,
    stacks: Stacks = "",
    blinds: Blinds = "0.5/1",
    ante: Ante = 0.0,
    big_blind_ante: BigBlindAnte = 0.0,
    payouts: Payouts = "",
    rounds: Annotated[int, typer.Option(help=t("cli.train.rounds"))] = 0,
    seed: Annotated[int | None, typer.Option(help=t("cli.train.seed"))] = None,
    record: Annotated[Path | None, typer.Option(metavar="FILE", help=t("cli.train.record"))] = None,
) -> None:
    spot = spot_or_exit(stack, players, stacks, blinds, ante, big_blind_ante, payouts)
    if rounds < 0:
        fail(t("cli.train.badRounds", value=rounds))
    from croupier.lab.compiler import compiling_notice
    from croupier.lab.poker.pushfold.solve import solve
    from croupier.lab.poker.pushfold.train import Trainer

    path, kept = _record_or_exit(record, "pushfold")
    with compiling_notice():
        trainer = Trainer(solve(spot), kept, seed)
    before = (kept.answered, kept.right, kept.cost)
    typer.echo(t("cli.train.pushfold.welcome"))
    try:
        _practise_pushfold(trainer, rounds)
    except KeyboardInterrupt:
        typer.echo()
    _show_score(kept, before, "cli.train.pushfold", _pushfold_place)
    _save_or_exit(kept, path)


def _record_or_exit(record: Path | None, practice: str) -> "tuple[Path, Record]":
    from croupier.lab.practice import load_record, record_path

    path = record or record_path(practice)
    try:
        kept = load_record(path)
    except ValueError as error:
        fail(t("cli.train.badRecord", file=str(path), reason=str(error)))
    _save_or_exit(kept, path)  # fail now, not after an hour of practice
    return path, kept


def _save_or_exit(record: "Record", path: Path) -> None:
    from croupier.lab.practice import save_record

    try:
        save_record(record, path)
    except OSError as error:
        fail(t("cli.train.badRecord", file=str(path), reason=error.strerror or str(error)))


def _practise_pushfold(trainer: "pushfold_train.Trainer", rounds: int) -> None:
    number = 0
    while not rounds or number < rounds:
        number += 1
        asked = trainer.deal()
        typer.echo(t("cli.train.hand", number=number))
        name = "facing" if asked.after else "first"
        typer.echo(t(f"cli.train.pushfold.{name}", seat=asked.seat, hand=asked.hand, before=" + ".join(asked.after)))
        choice = _choice({play: PUSHFOLD_KEYS[play] for play in asked.values}, "cli.train.pushfold")
        if choice is None:
            return
        cost = trainer.answer(asked, choice)
        facts = {
            "best": t(f"cli.train.pushfold.play.{asked.best}"),
            "difference": f"{abs(asked.values[asked.best] - asked.values[choice]):.4f}",
            "margin": f"{max(asked.values.values()) - min(asked.values.values()):.4f}",
            "often": f"{100 * asked.frequency:.0f} %",
        }
        typer.echo(t(f"cli.train.pushfold.{'wrong' if cost else 'right'}", **facts))


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
    return _choice({play: KEYS[play] for play in question.values}, "cli.train")


def _choice(keys: dict[str, str], texts: str) -> str | None:
    """One of the choices, by key or by word; None at the end of the input or of the practice."""
    choices = ", ".join(f"{key} {t(f'{texts}.play.{play}')}" for play, key in keys.items())
    typer.echo(t("cli.train.choices", choices=choices, quit=QUIT))
    while True:
        typer.echo(t("cli.train.prompt"), nl=False)
        line = sys.stdin.readline()
        word = line.strip().lower()
        if not sys.stdin.isatty():
            typer.echo(word)
        if not line or word in {QUIT, *t("cli.train.words.quit").split()}:
            return None
        for play, key in keys.items():
            if word in {key, play, *t(f"{texts}.words.{play}").split()}:
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


def _show_score(record: "Record", before: tuple[int, int, float], texts: str, place_name: Callable[[str], str]) -> None:
    answered, right, cost = record.answered - before[0], record.right - before[1], record.cost - before[2]
    if answered:
        typer.echo(t(f"{texts}.score", right=right, answered=answered, cost=f"{cost:.4f}"))
        facts = {"right": record.right, "answered": record.answered, "cost": f"{record.cost:.4f}"}
        typer.echo(t(f"{texts}.scoreEver", **facts))
    weakest = record.weakest(WEAKEST_SHOWN)
    if weakest:
        typer.echo(t("cli.train.weakest", places="; ".join(map(place_name, weakest))))


def _place(place: str) -> str:
    kind, hand, up = place.split()
    return t("cli.train.place", hand=t(f"cli.train.kind.{kind}", total=hand, card=hand), up=up)


def _pushfold_place(place: str) -> str:
    seat, *after, hand = place.split()
    name = "placeFacing" if after else "placeFirst"
    return t(f"cli.train.pushfold.{name}", seat=seat, hand=hand, before=" + ".join(after))
