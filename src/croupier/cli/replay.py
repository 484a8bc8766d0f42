"""`croupier replay`: steps through records of rounds, and plays poker hand histories (PHH) through the engine.

A file is one of records when its first sign is a brace, as every line of JSON begins; else it is PHH.
"""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import IO, TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from croupier.cli.blackjack_rules import fail
from croupier.cli.stepping import EXPORTS
from croupier.cli.texts import finding_text, t

if TYPE_CHECKING:
    from croupier.rules.refusal import Refusal
    from croupier.table.phh import Entry, Outcome
    from croupier.table.round import Round

EXIT_FAULTS = 1
EXIT_UNREADABLE = 2
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
    wishes = Wishes(steps, round_, seat, equity, export, as_json)
    hands = faults = unreadable = 0
    shows_hands = False
    for file in files:
        try:
            with Path(file).open("rb") as opened:
                if opened.peek(PEEK_BYTES).lstrip().startswith(b"{"):
                    faults += _records(file, opened.read().decode(), wishes)
                else:
                    more, faulty = _histories(file, _lines(opened), wishes)
                    hands, faults = hands + more, faults + faulty
                    shows_hands = not wishes.looks_closer
        except BrokenPipeError:
            raise  # Who read the output has gone: no fault of the file.
        except (OSError, UnicodeDecodeError) as error:
            fault = error.strerror if isinstance(error, OSError) else str(error)
            typer.echo(t("cli.unreadable", file=file, fault=fault), err=True)
            unreadable += 1
    if shows_hands and not as_json:
        typer.echo(t("cli.replay.summary", hands=hands, faults=faults))
    raise typer.Exit(EXIT_UNREADABLE if unreadable else EXIT_FAULTS if faults else 0)


class Wishes(NamedTuple):
    """What is to be done with the rounds of a file. Rounds and seats count from 1."""

    steps: bool
    round: int | None
    seat: int | None
    equity: bool
    export: str | None
    as_json: bool

    @property
    def looks_closer(self) -> bool:
        """Whether hand histories are to be stepped through or exported, not only played to their end."""
        return self.steps or self.round is not None or self.seat is not None or self.export is not None


def _lines(opened: IO[bytes]) -> Iterator[str]:
    """The lines of a file, one at a time; a very long one comes in parts."""
    from croupier.table.phh import HAND_CHARACTERS_MAX

    while line := opened.readline(HAND_CHARACTERS_MAX):
        yield line.decode(errors="surrogateescape")


def _histories(file: str, lines: Iterator[str], wishes: Wishes) -> tuple[int, int]:
    """Plays a PHH file, and tells of each hand before it reads the next: how many there are, and how many faulty."""
    from croupier.table.phh import read

    if wishes.looks_closer:
        entries = tuple(read(lines))
        return len(entries), _closer(file, entries, wishes)
    hands = faults = 0
    for entry in read(lines):
        line = _line(file, entry)
        hands += 1
        faults += "error" in line
        _tell(wishes.as_json, line)
    return hands, faults


def _closer(file: str, entries: "tuple[Entry, ...]", wishes: Wishes) -> int:
    """Shows or exports the hands of a PHH file step by step: how many of them are faulty."""
    from croupier.table.phh import PhhHand
    from croupier.table.phh import replay as play

    if wishes.export == "jsonl":
        fail(t("cli.stepping.no_proofs", file=file))
    rounds: list[tuple[Round | None, tuple[str, ...]]] = []
    faults = 0
    for entry in entries:
        line = _line(file, entry)
        if "error" in line:
            faults += 1
            typer.echo(t("cli.replay.fault", file=file, hand=entry.name, message=line["error"]), err=True)
        hand = entry.hand if isinstance(entry.hand, PhhHand) else None
        rounds.append((None, ()) if hand is None else (play(hand).played, hand.players))
    _show(file, rounds, wishes)
    return faults


def _records(file: str, content: str, wishes: Wishes) -> int:
    """Shows or exports the rounds of a file of records: how many faults a check of them finds."""
    from croupier.table.verify import verify

    verdict = verify(content.splitlines())
    for number, found in verdict.findings:
        message = finding_text(found)
        typer.echo(t("cli.stepping.fault", file=file, line=number, code=found.code, message=message), err=True)
    _check_round(file, len(verdict.rounds), wishes)
    if wishes.export == "jsonl":
        _print_records(content, wishes.round)
    else:
        _show(file, [(played, ()) for played in verdict.rounds], wishes)
    return len(verdict.findings)


def _check_round(file: str, rounds: int, wishes: Wishes) -> None:
    if wishes.round is not None and wishes.round > rounds:
        fail(t("cli.stepping.no_round", file=file, round=wishes.round, rounds=rounds))


def _show(file: str, rounds: "list[tuple[Round | None, tuple[str, ...]]]", wishes: Wishes) -> None:
    """Shows or exports rounds with the names of their players, if there are any; those that cannot be are left out."""
    from croupier.cli import stepping

    _check_round(file, len(rounds), wishes)
    chosen = []
    for number, (played, names) in enumerate(rounds, start=1):
        if played is None or wishes.round not in (None, number):
            continue
        seats = played.rules.seats(played.state)
        if wishes.seat is not None and wishes.seat > seats:
            fail(t("cli.stepping.no_seat", round=number, seat=wishes.seat, seats=seats))
        if wishes.export is not None and played.rules.game != "holdem":
            fail(t("cli.stepping.holdem_only", round=number, game=played.rules.game, export=wishes.export))
        viewer = None if wishes.seat is None else wishes.seat - 1
        chosen.append(stepping.Replayed(played, number, len(rounds), viewer, names))
    if wishes.export is not None:
        typer.echo(stepping.export(wishes.export, chosen), nl=False)
    elif wishes.as_json:
        stepping.print_json(file, chosen, with_equity=wishes.equity)
    elif chosen:
        stepping.show(chosen, with_equity=wishes.equity)


def _print_records(content: str, round_: int | None) -> None:
    """The records themselves, one a line."""
    lines = [line for line in content.splitlines() if line.strip()]
    for line in lines if round_ is None else lines[round_ - 1 : round_]:
        typer.echo(line)


def _line(file: str, entry: "Entry") -> dict[str, Any]:
    """One hand's line: its stacks and payouts, or what is wrong with it."""
    from croupier.table.phh import PhhHand
    from croupier.table.phh import replay as play

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
    """Whether the file's own final stacks are those that the engine came to."""
    pairs = zip(outcome.stacks, recorded, strict=True)
    return all(stack is None or stack == record for stack, record in pairs)


def _fault(file: str, hand: str, refusal: "Refusal", action: int = 0, text: str = "") -> dict[str, Any]:
    message = t(f"code.{refusal.code}", **refusal.facts)
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


def _tell(as_json: bool, line: dict[str, Any]) -> None:
    if as_json:
        import msgspec

        typer.echo(msgspec.json.encode(line).decode())
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
