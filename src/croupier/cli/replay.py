"""`croupier replay`: step through records of rounds, and play poker hand histories through the engine.

A file of JSON holds records or Open Hand History; any other file a site's text or PHH.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final, NamedTuple

import typer

from croupier.cli.console import EXIT_BAD_INPUT, EXIT_FAULTS, fail
from croupier.cli.texts import finding_text, t

if TYPE_CHECKING:
    from croupier.cli.coach import CoachOptions
    from croupier.cli.hand_histories import Replayable

EXPORTS: Final = ("jsonl", "phh", "ohh", "text")
PEEK_BYTES: Final = 4096


def replay(  # noqa: PLR0913, PLR0917  # an option each
    files: Annotated[list[str], typer.Argument(metavar="FILE", help=t("cli.replay.files"))],
    steps: Annotated[bool, typer.Option("--steps", help=t("cli.replay.steps"))] = False,
    round_: Annotated[int | None, typer.Option("--round", min=1, help=t("cli.replay.round"))] = None,
    seat: Annotated[int | None, typer.Option(min=1, help=t("cli.replay.seat"))] = None,
    equity: Annotated[bool, typer.Option(help=t("cli.replay.equity"))] = True,
    export: Annotated[str | None, typer.Option(metavar="|".join(EXPORTS), help=t("cli.replay.export"))] = None,
    coach: Annotated[bool, typer.Option("--coach", help=t("cli.coach.coach"))] = False,
    ranges: Annotated[tuple[str, str], typer.Option(metavar="OOP IP", help=t("cli.coach.ranges"))] = ("", ""),
    coach_seconds: Annotated[float | None, typer.Option(help=t("cli.coach.seconds"))] = None,
    as_json: Annotated[bool, typer.Option("--json", help=t("cli.json"))] = False,
) -> None:
    if export is not None and export not in EXPORTS:
        fail(t("cli.replay.no_export", export=export, allowed=", ".join(EXPORTS)))
    from croupier.cli.coach import coach_options

    coached = coach_options(coach, ranges, coach_seconds, as_json=as_json)
    options = ReplayOptions(steps, round_, seat, equity, export, as_json, coached)
    hands = faults = unreadable = 0
    shows_hands = False
    for file in files:
        try:
            with Path(file).open("rb") as opened:
                from croupier.cli.hand_histories import replay_histories
                from croupier.lab.poker.history_files import history_format, history_lines

                kind = history_format(opened.peek(PEEK_BYTES)[:PEEK_BYTES])
                if kind is None:
                    faults += _records(file, opened.read().decode(), options)
                else:
                    more, faulty = replay_histories(file, kind, history_lines(opened), options, _show)
                    hands, faults = hands + more, faults + faulty
                    shows_hands = not options.has_steps
        except BrokenPipeError:
            raise  # The reader of the output has gone; the file is fine.
        except (OSError, UnicodeDecodeError) as error:
            fault = error.strerror if isinstance(error, OSError) else str(error)
            typer.echo(t("cli.unreadable", file=file, fault=fault), err=True)
            unreadable += 1
    if shows_hands and not as_json:
        typer.echo(t("cli.replay.summary", hands=hands, faults=faults))
    raise typer.Exit(EXIT_BAD_INPUT if unreadable else EXIT_FAULTS if faults else 0)


class ReplayOptions(NamedTuple):
    """What to do with the rounds of a file. Rounds and seats count from 1."""

    steps: bool
    round: int | None
    seat: int | None
    equity: bool
    export: str | None
    as_json: bool
    coach: "CoachOptions | None" = None

    @property
    def has_steps(self) -> bool:
        """Whether hand histories are stepped through or exported, and not only played to the end."""
        asked = self.round, self.seat, self.export, self.coach
        return self.steps or any(each is not None for each in asked)


def _records(file: str, content: str, options: ReplayOptions) -> int:
    """Show or export the rounds of a file of records. Return the number of faults found by their check."""
    from croupier.wire.records import verify

    verdict = verify(content.split("\n"))  # and not where Unicode would break a line: a seed may hold any character
    for number, found in verdict.findings:
        message = finding_text(found)
        typer.echo(t("cli.replay.record_fault", file=file, line=number, code=found.code, message=message), err=True)
    _check_round(file, len(verdict.rounds), options)
    if options.export == "jsonl":
        _print_records(content, options.round)
    else:
        from croupier.cli.hand_histories import Replayable

        _show(file, [Replayable(played) for played in verdict.rounds], options)
    return len(verdict.findings)


def _check_round(file: str, rounds: int, options: ReplayOptions) -> None:
    if options.round is not None and options.round > rounds:
        fail(t("cli.replay.no_round", file=file, round=options.round, rounds=rounds))


def _show(file: str, rounds: "list[Replayable]", options: ReplayOptions) -> None:
    """Show or export rounds, with their players' names if known. Unplayable rounds are left out."""
    from croupier.cli import hand_histories, record_steps

    _check_round(file, len(rounds), options)
    chosen = []
    histories = []
    for number, replayable in enumerate(rounds, start=1):
        played = replayable.played
        if played is None or options.round not in (None, number):
            continue
        seats = played.rules.seats(played.state)
        if options.seat is not None and options.seat > seats:
            fail(t("cli.replay.no_seat", round=number, seat=options.seat, seats=seats))
        if options.export is not None and not hand_histories.is_poker(played):
            fail(t("cli.replay.other_game", round=number, game=played.rules.game, export=options.export))
        viewer = None if options.seat is None else options.seat - 1
        chosen.append(record_steps.ReplayedRound(played, number, len(rounds), viewer, replayable.names))
        histories.append(replayable.history)
    if options.export is not None:
        typer.echo(hand_histories.export(options.export, chosen, histories), nl=False)
    elif options.as_json:
        record_steps.print_steps(file, chosen, with_equity=options.equity, coach=options.coach)
    elif chosen:
        record_steps.show(chosen, with_equity=options.equity, coach=options.coach)


def _print_records(content: str, round_: int | None) -> None:
    """Print the records themselves, one a line."""
    lines = [line.rstrip("\r") for line in content.split("\n") if line.strip()]
    for line in lines if round_ is None else lines[round_ - 1 : round_]:
        typer.echo(line)
