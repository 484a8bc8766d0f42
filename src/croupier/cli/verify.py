"""`croupier verify`: checks records of rounds, and names each fault it finds."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from croupier.cli.texts import t

EXIT_FAULTS = 1
EXIT_UNREADABLE = 2


def verify(
    file: Annotated[str, typer.Argument(metavar="FILE", help=t("cli.verify.file"))],
    as_json: Annotated[bool, typer.Option("--json", help=t("cli.json"))] = False,
) -> None:
    from croupier.table.verify import verify as verify_lines

    try:
        raw = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        typer.echo(t("cli.unreadable", file=file, fault=error.strerror or str(error)), err=True)
        raise typer.Exit(EXIT_UNREADABLE) from None
    verdict = verify_lines(raw.splitlines())
    if as_json:
        _print_json(verdict)
    else:
        _print_text(verdict)
    raise typer.Exit(0 if verdict.ok else EXIT_FAULTS)


def _message(found: Any) -> str:
    return t(f"finding.{found.code}", **found.facts)


def _print_json(verdict: Any) -> None:
    import msgspec

    findings = [
        {"line": number, "code": found.code, "facts": found.facts, "message": _message(found)}
        for number, found in verdict.findings
    ]
    report = {"ok": verdict.ok, "rounds": len(verdict.rounds), "findings": findings}
    typer.echo(msgspec.json.encode(report).decode())


def _print_text(verdict: Any) -> None:
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
        typer.echo(t("cli.verify.fault", line=line, code=found.code, message=_message(found)))
    typer.echo(t("cli.verify.good") if verdict.ok else t("cli.verify.bad", count=len(verdict.findings)))
    typer.echo(t("cli.verify.scope"))
