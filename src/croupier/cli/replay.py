"""`croupier replay`: plays poker hand histories (PHH) through the engine and says what everybody ends with."""

from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.texts import t

if TYPE_CHECKING:
    from croupier.rules.refusal import Refusal
    from croupier.table.phh import Entry, Outcome

EXIT_FAULTS = 1
EXIT_UNREADABLE = 2


def replay(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help=t("cli.replay.files"))],
    as_json: Annotated[bool, typer.Option("--json", help=t("cli.json"))] = False,
) -> None:
    from croupier.rules.refusal import Refusal
    from croupier.table.phh import read

    hands = faults = unreadable = 0
    for file in files:
        try:
            content = Path(file).read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            fault = error.strerror if isinstance(error, OSError) else str(error)
            typer.echo(t("cli.unreadable", file=file, fault=fault), err=True)
            unreadable += 1
            continue
        entries = read(content)
        if isinstance(entries, Refusal):
            hands, faults = hands + 1, faults + 1
            _tell(as_json, _fault(file, None, entries))
            continue
        for entry in entries:
            line = _line(file, entry)
            hands, faults = hands + 1, faults + ("error" in line)
            _tell(as_json, line)
    if not as_json:
        typer.echo(t("cli.replay.summary", hands=hands, faults=faults))
    raise typer.Exit(EXIT_UNREADABLE if unreadable else EXIT_FAULTS if faults else 0)


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


def _fault(file: str, hand: str | None, refusal: "Refusal", action: int = 0, text: str = "") -> dict[str, Any]:
    message = t(f"code.{refusal.code}", **refusal.facts)
    if action and text:
        message = t("cli.replay.at_action", action=action, text=text, message=message)
    line: dict[str, Any] = {"file": file} | ({} if hand is None else {"hand": hand})
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
