"""The coach in `croupier replay --coach`: what the solution plays at every decision, and what each choice gave away."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from croupier.cli.console import fail, fail_with, has_progress
from croupier.cli.texts import refusal_text, t

if TYPE_CHECKING:
    from croupier.cli.record_steps import ReplayedRound
    from croupier.game.refusal import Refusal
    from croupier.lab.poker.coach.lesson import Decision, Lesson

SECONDS_MIN: Final = 0.1
SECONDS_MAX: Final = 3600.0
SHOWN_MIN: Final = 0.0005
"""A share that rounds to nothing is not told."""


class CoachOptions(NamedTuple):
    """How a hand is coached. Without ranges, those by position are taken."""

    ranges: tuple[str, str] | None
    seconds: float | None
    as_json: bool


def coach_options(
    wanted: bool, ranges: tuple[str, str], seconds: float | None, *, as_json: bool
) -> CoachOptions | None:
    """What was asked for on the command line, checked; None without `--coach`."""
    given = {"--ranges": any(ranges), "--coach-seconds": seconds is not None}
    if not wanted:
        if unused := next((name for name, is_given in given.items() if is_given), None):
            fail(t("code.COACH_OPTION", option=unused))
        return None
    if seconds is not None and not SECONDS_MIN <= seconds <= SECONDS_MAX:
        fail(t("code.COACH_SECONDS", low=SECONDS_MIN, high=int(SECONDS_MAX), seconds=seconds))
    if any(ranges):
        _check_ranges(ranges)
    return CoachOptions(ranges if any(ranges) else None, seconds, as_json)


def _check_ranges(ranges: tuple[str, str]) -> None:
    from croupier.lab.poker.ranges import EquityError, parse

    try:
        for each in ranges:
            parse(each)
    except EquityError as error:
        fail_with(error.refusal)


class Coaching(NamedTuple):
    """What the coach says about a round: by step, and at the end. `refusal` says why there is nothing to say."""

    lesson: "Lesson | None"
    by_step: "dict[int, Decision]"
    refusal: "Refusal | None"

    def json(self, step: int, *, is_last: bool) -> dict[str, Any]:
        """What a step's line of JSON has in addition."""
        line: dict[str, Any] = {}
        if step in self.by_step:
            line["coach"] = self.by_step[step]
        if is_last and self.lesson is not None:
            line["givenAway"] = {str(seat): lost for seat, lost in self.lesson.given_away.items()}
            line["ranges"] = self.lesson.ranges
        if is_last and self.refusal is not None:
            line["coachRefusal"] = {"code": self.refusal.code, "message": refusal_text(self.refusal)}
        return line

    def lines(self, step: int, name: Callable[[int], str], *, is_last: bool) -> list[str]:
        """What is said after a step, in the user's language."""
        found = _decision_lines(self.by_step[step], name) if step in self.by_step else []
        if is_last and self.refusal is not None:
            found.append(t("cli.coach.cannot", message=refusal_text(self.refusal)))
        if is_last and self.lesson is not None:
            oop, ip = self.lesson.ranges
            found.append(t("cli.coach.ranges_were", oop=oop, ip=ip))
            totals = sorted(self.lesson.given_away.items())
            found += [t("cli.coach.total", name=name(seat), lost=f"{lost:.2f}") for seat, lost in totals]
        return found


def coaching(replayed: "ReplayedRound", options: CoachOptions) -> Coaching:
    """Coach a round of a file. A round of another game, or without a heads-up pot, has a refusal."""
    from croupier.cli.hand_histories import is_poker
    from croupier.lab.compiler import compiling_notice
    from croupier.lab.poker.coach.errors import CoachError
    from croupier.lab.poker.coach.hand import CoachRules, read_hand
    from croupier.lab.poker.coach.lesson import lesson
    from croupier.lab.poker.ranges import EquityError
    from croupier.lab.poker.solver.errors import SolveError

    rules = replayed.played.rules
    steps = [step for step in range(len(replayed.steps)) for _ in replayed.told(step)]
    found: Lesson | None = None
    try:
        if not is_poker(replayed.played):
            raise CoachError("COACH_GAME")  # the one way out of this block
        shown = CoachRules(**{name: _plain(getattr(rules, name)) for name in CoachRules.__struct_fields__})
        hand = read_hand(replayed.events(), shown)
        with compiling_notice(), _progress(replayed.number, shown=has_progress(as_json=options.as_json)) as progress:
            for found in lesson(hand, options.ranges, seconds=options.seconds):
                progress(found)
    except (CoachError, SolveError, EquityError) as error:
        return Coaching(None, {}, error.refusal)
    assert found is not None, "a hand that can be coached has a last report"
    by_step = {steps[each.event]: each for each in found.decisions if each.event is not None}
    return Coaching(found, by_step, None)


def _plain(value: Any) -> Any:
    """An option as on the wire."""
    return str(value) if isinstance(value, str) else value


@contextmanager
def _progress(number: int, *, shown: bool) -> "Iterator[Callable[[Lesson], None]]":
    if not shown:
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("") as line:
        yield lambda found: line.update(t("cli.coach.working", round=number, street=t(f"street.{found.street}")))


def _decision_lines(decision: "Decision", name: Callable[[int], str]) -> list[str]:
    known = decision.lost is not None and decision.lost_share is not None
    shares = []
    for each in decision.options:
        share = each.frequency if each.frequency is not None else each.range_frequency
        if share < SHOWN_MIN and each.action != decision.action:
            continue
        if each.value is None:
            shares.append(f"{each.action} {share:.1%}")
        else:
            shares.append(
                t("cli.coach.option_value", action=each.action, share=f"{share:.1%}", ev=f"{each.value:z.2f}")
            )
    heading = t(
        "cli.coach.decision",
        street=t(f"street.{decision.street}"),
        name=name(decision.seat),
        hand=f" {decision.hand}" if decision.hand else "",
        pot=decision.pot,
        options=", ".join(shares),
    )
    if not known:
        return [heading, t("cli.coach.unknown", action=decision.action)]
    assert decision.lost is not None
    assert decision.lost_share is not None
    if decision.lost <= decision.within:
        return [heading, t("cli.coach.best", action=decision.action, within=f"{decision.within:.2f}")]
    facts = {"lost": f"{decision.lost:.2f}", "share": f"{decision.lost_share:.1%}"}
    return [heading, t("cli.coach.lost", action=decision.action, **facts)]
