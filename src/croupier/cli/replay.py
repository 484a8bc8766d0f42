"""`croupier replay`: step through records of rounds, and play poker hand histories (PHH) through the engine.

A file that begins with a brace holds records, since every record is a line of JSON. Any other file is PHH.
"""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from croupier.cli.console import EXIT_BAD_INPUT, EXIT_FAULTS, fail, print_json
from croupier.cli.record_steps import EXPORTS
from croupier.cli.texts import finding_text, refusal_text, t

if TYPE_CHECKING:
    from croupier.game.refusal import Refusal
    from croupier.games.poker.histories.phh import Entry, Outcome
    from croupier.table.round import Round

PEEK_BYTES = 4096


def replay(  # an option each
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help=t("cli.replay.files"))],
    steps: Annotated[bool, typer.Option("--steps", help=t("cli.stepping.steps"))] = False,
    round_: Annotated[int | None, typer.Option("--round", min=1, help=t("cli.stepping.round"))] = None,
    seat: Annotated[int | None, typer.Option(min=1, help=t("cli.stepping.seat"))] = None,
    equity: Annotated[bool, typer.Option(help=t("cli.stepping.equity"))] = True,
    export: Annotated[str | None, typer.Option(metavar="|".join(EXPORTS), help=t("cli.stepping.export"))] = None,
    as_json: Annotated[bool, typer.Option("--json", help=t("cli.json"))] = False,
) -> None:
    if export is not None and export not in EXPORTS:
        fail(t("cli.stepping.no_export", export=export, allowed=", ".join(EXPORTS)))
    options = ReplayOptions(steps, round_, seat, equity, export, as_json)
    hands = faults = unreadable = 0
    shows_hands = False
    for file in files:
        try:
            with Path(file).open("rb") as opened:
                if opened.peek(PEEK_BYTES).lstrip().startswith(b"{"):
                    faults += _records(file, opened.read().decode(), options)
                else:
                    more, faulty = _histories(file, _lines(opened), options)
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

    @property
    def has_steps(self) -> bool:
        """Whether hand histories are stepped through or exported, and not only played to the end."""
        return self.steps or self.round is not None or self.seat is not None or self.export is not None


def _lines(opened: IO[bytes]) -> Iterator[str]:
    """The lines of a file. A very long line comes in parts."""
    from croupier.games.poker.histories.phh import HAND_CHARACTERS_MAX

    while line := opened.readline(HAND_CHARACTERS_MAX):
        yield line.decode(errors="surrogateescape")


def _histories(file: str, lines: Iterator[str], options: ReplayOptions) -> tuple[int, int]:
    """Play a PHH file and print each hand before reading the next. Return the numbers of hands and of faulty hands."""
    from croupier.games.poker.histories.phh import read

    if options.has_steps:
        entries = tuple(read(lines))
        return len(entries), _step_through(file, entries, options)
    hands = faults = 0
    for entry in read(lines):
        line = _result(file, entry)
        hands += 1
        faults += "error" in line
        _print_result(options.as_json, line)
    return hands, faults


def _step_through(file: str, entries: "tuple[Entry, ...]", options: ReplayOptions) -> int:
    """Show or export the hands of a PHH file step by step. Return the number of faulty hands."""
    from croupier.games.poker.histories.phh import PhhHand
    from croupier.games.poker.histories.phh import replay as play

    if options.export == "jsonl":
        fail(t("cli.stepping.no_proofs", file=file))
    rounds: list[tuple[Round | None, tuple[str, ...]]] = []
    faults = 0
    for entry in entries:
        line = _result(file, entry)
        if "error" in line:
            faults += 1
            typer.echo(t("cli.replay.fault", file=file, hand=entry.name, message=line["error"]), err=True)
        hand = entry.hand if isinstance(entry.hand, PhhHand) else None
        rounds.append((None, ()) if hand is None else (play(hand).played, hand.players))
    _show(file, rounds, options)
    return faults


def _records(file: str, content: str, options: ReplayOptions) -> int:
    """Show or export the rounds of a file of records. Return the number of faults found by their check."""
    from croupier.table.verify import verify

    verdict = verify(content.splitlines())
    for number, found in verdict.findings:
        message = finding_text(found)
        typer.echo(t("cli.stepping.fault", file=file, line=number, code=found.code, message=message), err=True)
    _check_round(file, len(verdict.rounds), options)
    if options.export == "jsonl":
        _print_records(content, options.round)
    else:
        _show(file, [(played, ()) for played in verdict.rounds], options)
    return len(verdict.findings)


def _check_round(file: str, rounds: int, options: ReplayOptions) -> None:
    if options.round is not None and options.round > rounds:
        fail(t("cli.stepping.no_round", file=file, round=options.round, rounds=rounds))


def _show(file: str, rounds: "list[tuple[Round | None, tuple[str, ...]]]", options: ReplayOptions) -> None:
    """Show or export rounds, with their players' names if known. Unplayable rounds are left out."""
    from croupier.cli import record_steps

    _check_round(file, len(rounds), options)
    chosen = []
    for number, (played, names) in enumerate(rounds, start=1):
        if played is None or options.round not in (None, number):
            continue
        seats = played.rules.seats(played.state)
        if options.seat is not None and options.seat > seats:
            fail(t("cli.stepping.no_seat", round=number, seat=options.seat, seats=seats))
        if options.export is not None and played.rules.game != "holdem":
            fail(t("cli.stepping.holdem_only", round=number, game=played.rules.game, export=options.export))
        viewer = None if options.seat is None else options.seat - 1
        chosen.append(record_steps.ReplayedRound(played, number, len(rounds), viewer, names))
    if options.export is not None:
        typer.echo(record_steps.export(options.export, chosen), nl=False)
    elif options.as_json:
        record_steps.print_steps(file, chosen, with_equity=options.equity)
    elif chosen:
        record_steps.show(chosen, with_equity=options.equity)


def _print_records(content: str, round_: int | None) -> None:
    """Print the records themselves, one a line."""
    lines = [line for line in content.splitlines() if line.strip()]
    for line in lines if round_ is None else lines[round_ - 1 : round_]:
        typer.echo(line)


def _result(file: str, entry: "Entry") -> dict[str, Any]:
    """The result of a hand: its stacks and payouts, or its fault."""
    from croupier.games.poker.histories.phh import PhhHand
    from croupier.games.poker.histories.phh import replay as play

    if not isinstance(entry.hand, PhhHand):
        return _fault(file, entry.name, entry.hand)
    outcome = play(entry.hand)
    if outcome.fault is not None:
        fault = outcome.fault
        return _fault(file, entry.name, fault.refusal, fault.action, fault.text)
    line: dict[str, Any] = {
        "file": file,
        "hand": entry.name,
        "finishingStacks": [_number(stack) for stack in outcome.stacks],
        "payouts": [_number(payout) for payout in outcome.payouts],
        "finished": outcome.is_over,
    }
    if entry.hand.finishing_stacks is not None:
        line["agrees"] = _agrees(outcome, entry.hand.finishing_stacks)
    return line


def _agrees(outcome: "Outcome", recorded: tuple[Decimal, ...]) -> bool:
    """Whether the final stacks of the file equal the engine's."""
    pairs = zip(outcome.stacks, recorded, strict=True)
    return all(stack is None or stack == record for stack, record in pairs)


def _fault(file: str, hand: str, refusal: "Refusal", action: int = 0, text: str = "") -> dict[str, Any]:
    message = refusal_text(refusal)
    if action and text:
        message = t("cli.replay.at_action", action=action, text=text, message=message)
    line: dict[str, Any] = {"file": file} | ({"hand": hand} if hand else {})
    return (
        line | {"error": message, "code": refusal.code, "facts": refusal.facts} | ({"action": action} if action else {})
    )


def _number(amount: Decimal | None) -> int | float | None:
    if amount is None:
        return None
    return int(amount) if amount == amount.to_integral_value() else float(amount)


def _print_result(as_json: bool, line: dict[str, Any]) -> None:
    if as_json:
        print_json(line)
        return
    hand = line.get("hand", "–")
    if "error" in line:
        typer.echo(t("cli.replay.fault", file=line["file"], hand=hand, message=line["error"]))
        return
    key = "cli.replay.hand" if line["finished"] else "cli.replay.unfinished"
    stacks = " ".join(
        f"p{number} {'?' if stack is None else stack} ({payout:+})"
        for number, (stack, payout) in enumerate(zip(line["finishingStacks"], line["payouts"], strict=True), start=1)
    )
    typer.echo(t(key, file=line["file"], hand=hand, stacks=stacks))
    if line.get("agrees") is False:
        typer.echo(t("cli.replay.disagrees"))
