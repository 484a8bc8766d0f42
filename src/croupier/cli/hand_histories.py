"""Poker in `croupier replay`: hand histories played through the engine, exports, and the equities of a hand."""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import typer

from croupier.cli.console import fail, print_json
from croupier.cli.texts import refusal_text, t

if TYPE_CHECKING:
    from croupier.cli.record_steps import ReplayedRound
    from croupier.cli.replay import ReplayOptions
    from croupier.game.refusal import Refusal
    from croupier.games.poker import HoldemRules
    from croupier.games.poker.histories.formats import Format
    from croupier.games.poker.histories.phh import Entry, Outcome, PhhHand
    from croupier.games.poker.histories.source import Source
    from croupier.lab.poker.streets import StreetEquity
    from croupier.table.round import Round

Show: TypeAlias = "Callable[[str, list[Replayable], ReplayOptions], None]"
"""Shows or exports the rounds of a file."""


def replay_histories(
    file: str, kind: "Format", lines: Iterator[str], options: "ReplayOptions", show: Show
) -> tuple[int, int]:
    """Play a file and print each hand before reading the next. Return the numbers of hands and of faulty hands."""
    from croupier.games.poker.histories.formats import read

    if options.has_steps:
        entries = tuple(read(kind, lines))
        return len(entries), _step_through(file, entries, options, show)
    hands = faults = 0
    for entry in read(kind, lines):
        line, _ = _result(file, entry)
        hands += 1
        faults += "error" in line
        _print_result(options.as_json, line)
    return hands, faults


class History(NamedTuple):
    """A hand from a file, and its result."""

    hand: "PhhHand"
    outcome: "Outcome"

    @property
    def source(self) -> "Source":
        from croupier.games.poker.histories.source import source_of

        return source_of(self.hand, self.outcome.decimals)

    @property
    def raked(self) -> dict[int, int]:
        from croupier.games.poker.histories.ohh.writer import chips_of

        return chips_of(self.outcome.raked, self.outcome.decimals)


class Replayable(NamedTuple):
    """A round of a file, None if it cannot be played; with the history that it was read from, if any."""

    played: "Round | None"
    history: History | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return () if self.history is None else self.history.hand.players


def _step_through(file: str, entries: "tuple[Entry, ...]", options: "ReplayOptions", show: Show) -> int:
    """Show or export the hands of a file step by step. Return the number of faulty hands."""
    if options.export == "jsonl":
        fail(t("cli.replay.no_proofs", file=file))
    rounds: list[Replayable] = []
    faults = 0
    for entry in entries:
        line, history = _result(file, entry)
        if "error" in line:
            faults += 1
            typer.echo(t("cli.replay.fault", file=file, hand=entry.name, message=line["error"]), err=True)
        rounds.append(Replayable(None if history is None else history.outcome.played, history))
    show(file, rounds, options)
    return faults


def _result(file: str, entry: "Entry") -> tuple[dict[str, Any], History | None]:
    """The result of a hand: its stacks and payouts, or its fault; and the hand if it was played."""
    from croupier.games.poker.histories.phh import PhhHand
    from croupier.games.poker.histories.phh import replay as play

    if not isinstance(entry.hand, PhhHand):
        return _fault(file, entry.name, entry.hand), None
    outcome = play(entry.hand)
    if outcome.fault is not None:
        fault = outcome.fault
        return _fault(file, entry.name, fault.refusal, fault.action, fault.text), None
    line: dict[str, Any] = {
        "file": file,
        "hand": entry.name,
        "finishingStacks": [_number(stack) for stack in outcome.stacks],
        "payouts": [_number(payout) for payout in outcome.payouts],
        "finished": outcome.is_over,
    }
    if outcome.rake:
        line["rake"] = _number(outcome.rake)
    if outcome.agrees is not None:
        line["agrees"] = outcome.agrees
    return line, History(entry.hand, outcome)


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
    if "rake" in line:
        typer.echo(t("cli.replay.rake", rake=line["rake"]))
    if line.get("agrees") is False:
        typer.echo(t("cli.replay.disagrees"))


def is_poker(played: "Round") -> bool:
    """Whether a round can be written as a hand history."""
    from croupier.games.poker import HoldemRules

    return isinstance(played.rules, HoldemRules)


def export(kind: str, rounds: "Sequence[ReplayedRound]", histories: "Sequence[History | None]") -> str:
    """Poker rounds as a `.phh` or `.phhs` file, as Open Hand History, or as the text that trackers read."""
    both = list(zip(rounds, histories, strict=True))
    if kind == "phh":
        hands = [_as_phh(replayed, history) for replayed, history in both]
        if len(hands) == 1:
            return hands[0]
        return "\n".join(f"[{replayed.number}]\n{hand}" for replayed, hand in zip(rounds, hands, strict=True))
    if kind == "ohh":
        return "".join(f"{_as_ohh(replayed, history)}\n\n" for replayed, history in both)
    return "\n\n".join(_as_text(replayed, history) for replayed, history in both)


def rules_of(replayed: "ReplayedRound") -> "HoldemRules":
    """The rules of a round of poker."""
    from croupier.games.poker import HoldemRules

    rules = replayed.played.rules
    assert isinstance(rules, HoldemRules), "only poker is written as a hand history"
    return rules


def _as_phh(replayed: "ReplayedRound", history: "History | None") -> str:
    from croupier.games.poker.histories.phh import rewrite, write

    if history is not None:
        return rewrite(history.hand, replayed.seat)
    return write(replayed.events(), replayed.players, rules_of(replayed))


def _as_ohh(replayed: "ReplayedRound", history: "History | None") -> str:
    from croupier.games.poker.histories.ohh import write

    events, hero = replayed.events(), replayed.seat
    if history is None:
        return write(events, replayed.players, hero=hero, rules=rules_of(replayed))
    return write(
        events, replayed.players, source=history.source, raked=history.raked, hero=hero, rules=rules_of(replayed)
    )


def _as_text(replayed: "ReplayedRound", history: "History | None") -> str:
    from croupier.games.poker.histories.pokerstars import write

    rules = rules_of(replayed)
    if history is None:
        return write(replayed.events(), replayed.players, number=replayed.number, rules=rules)
    return write(replayed.events(), replayed.players, source=history.source, raked=history.raked, rules=rules)


def equities_by_step(some: "Sequence[Round]") -> "dict[int, tuple[StreetEquity, ...]]":
    """The equities of poker hands by step; none in any other game, or if a hand is unknown.

    Of a hand that was run more than once, those on the first board."""
    from croupier.games.poker import Hand
    from croupier.games.poker.rules.events import Acted, HoleCardsDealt, Move, Street, StreetDealt
    from croupier.games.poker.rules.state import cards_of

    final = some[-1].state
    if not isinstance(final, Hand) or not final.hole:
        return {}
    hands = [cards_of(final, seat) for seat in final.order]
    if not all(len(hand) == final.options.hole_cards for hand in hands):
        return {}
    from croupier.lab import is_installed

    if not is_installed():
        _say_that_the_lab_is_missing()
        return {}
    from croupier.lab.compiler import compiling_notice
    from croupier.lab.poker.streets import street_equities
    from croupier.lab.poker.variants import variant_of

    variant = variant_of(final.options)
    if variant is None:
        return {}

    dealt_in: dict[Street, int] = {}
    folded: dict[int, Street] = {}
    street = Street.PREFLOP
    for number, step in enumerate(some):
        for told in step.told:
            match told.event:
                case HoleCardsDealt():
                    dealt_in[Street.PREFLOP] = number
                case StreetDealt(street=street, board=0):
                    dealt_in[street] = number
                case Acted(seat=seat, move=Move.FOLD):
                    folded[final.order.index(seat)] = street
    with compiling_notice():
        texts = ["".join(map(str, hand)) for hand in hands]
        second = final.other_boards[0] if variant.boards > 1 and final.other_boards else ()
        found = street_equities(texts, final.board, folded, variant=variant.name, board2=second)
    by_step: dict[int, tuple[StreetEquity, ...]] = {}
    for equity in found:
        number = dealt_in[equity.street]
        by_step[number] = (*by_step.get(number, ()), equity)
    return by_step


@cache
def _say_that_the_lab_is_missing() -> None:
    from croupier.lab import EXTRA

    typer.echo(t("cli.replay.no_lab", extra=EXTRA), err=True)
