"""`croupier verify`: check records of rounds, and name each fault and what could not be checked."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from croupier.cli.console import EXIT_FAULTS, fail, print_json
from croupier.cli.texts import finding_text, t

if TYPE_CHECKING:
    from croupier.dealing.findings import Finding
    from croupier.table.verdict import Verdict


def verify(
    file: Annotated[str, typer.Argument(metavar="RECORD", help=t("cli.verify.file"))],
    mine: Annotated[str | None, typer.Option("--mine", metavar="LOG", help=t("cli.verify.mine"))] = None,
    as_json: Annotated[bool, typer.Option("--json", help=t("cli.json"))] = False,
) -> None:
    from croupier.wire.records import verify as verify_lines

    records = _read(file)
    log = None if mine is None else _read(mine)
    verdict = verify_lines(records, log)
    if as_json:
        _print_json(verdict)
    else:
        _print_text(verdict)
    raise typer.Exit(0 if verdict.ok else EXIT_FAULTS)


def _read(file: str) -> list[bytes]:
    try:
        return (sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()).splitlines()
    except OSError as error:
        fail(t("cli.unreadable", file=file, fault=error.strerror or str(error)))


def _print_json(verdict: "Verdict") -> None:
    report = {
        "ok": verdict.ok,
        "rounds": len(verdict.rounds),
        "findings": [_plain(line, found, "finding") for line, found in verdict.findings],
        "notices": [_plain(line, found, "notice") for line, found in verdict.notices],
        "checked": verdict.checked,
    }
    print_json(report)


def _plain(line: int, found: "Finding", kind: str) -> dict[str, Any]:
    file = "log" if found.code.startswith("LOG_") else "record"
    message = finding_text(found, kind)
    return {"file": file, "line": line, "code": found.code, "facts": found.facts, "message": message}


def _print_text(verdict: "Verdict") -> None:
    from croupier.cards import text

    for number, played in enumerate(verdict.rounds, start=1):
        if played is None:
            typer.echo(t("cli.verify.round_unplayable", round=number))
            continue
        cards = text("??" if card is None else card for card in played.dealt)
        typer.echo(t("cli.verify.round", round=number, game=played.rules.game, cards=cards, moves=len(played.moves)))
        if played.over:
            typer.echo(t("cli.verify.payouts", payouts=" ".join(f"{amount:+}" for amount in played.payouts)))
    for line, found in verdict.findings:
        key = "cli.verify.log_fault" if found.code.startswith("LOG_") else "cli.verify.fault"
        typer.echo(t(key, line=line, code=found.code, message=finding_text(found)))
    _print_checked(verdict)
    typer.echo(t("cli.verify.good") if verdict.ok else t("cli.verify.bad", count=len(verdict.findings)))
    if verdict.notices:
        typer.echo(t("cli.verify.to_know"))
    for _, found in verdict.notices:
        typer.echo(t("cli.verify.notice", message=finding_text(found, "notice")))
    typer.echo(t("cli.verify.scope"))


def _print_checked(verdict: "Verdict") -> None:
    """Print what was checked."""
    checked = verdict.checked
    typer.echo(t("cli.verify.checked.rounds", rounds=checked.rounds))
    typer.echo(t("cli.verify.checked.deals", deals=checked.deals, cards=checked.cards, unseen=checked.unseen))
    if checked.links or checked.voids:
        typer.echo(t("cli.verify.checked.links", links=checked.links, voids=checked.voids))
    if checked.log_lines is not None:
        typer.echo(t("cli.verify.checked.log", lines=checked.log_lines))
