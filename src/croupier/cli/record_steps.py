"""Rounds step by step, in a terminal or a pipe: the part of `croupier replay` that shows and exports steps."""

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import typer

from croupier.cli.console import print_json
from croupier.cli.texts import LANGUAGE, t
from croupier.game.options import written
from croupier.shown_text import harmless

if TYPE_CHECKING:
    from croupier.cli.coach import Coaching, CoachOptions
    from croupier.clients.snapshot import Snapshot
    from croupier.game.game import Told
    from croupier.lab.poker.streets import StreetEquity
    from croupier.table.round import Round

NEXT: Final = ("\r", "\n", " ", "\x1b[C")
BACK: Final = ("b", "B", "\x1b[D")
NEXT_ROUND: Final = ("n", "N")
ROUND_BACK: Final = ("p", "P")
QUIT: Final = ("q", "Q", "\x04", "\x1b")
INTERRUPTED: Final = "\x03"


class ReplayedRound:
    """A replayed round with all its steps. With `seat`, only the events that this seat heard."""

    def __init__(
        self, played: "Round", number: int, rounds: int, seat: int | None, players: Sequence[str] = ()
    ) -> None:
        """`number` is the round's place among the `rounds` of the file, from 1; `players` has names by seat."""
        from croupier.table.round_steps import steps

        self.played = played
        self.number = number
        self.rounds = rounds
        self.seat = seat
        self.players = players
        self.steps = steps(played)
        self._equities: dict[int, tuple[StreetEquity, ...]] | None = None
        self._coaching: Coaching | None = None

    @property
    def game(self) -> str:
        return str(self.played.rules.game)

    def told(self, step: int) -> "Iterator[Told[Any]]":
        """The events of a step that may be shown."""
        for told in self.steps[step].told:
            if self.seat is None or told.to.hears(self.seat):
                yield told

    def events(self) -> tuple[Any, ...]:
        return tuple(told.event for step in range(len(self.steps)) for told in self.told(step))

    def equities(self, step: int) -> "tuple[StreetEquity, ...]":
        """The equities on each street dealt in this step; none if a hand of the record is unknown."""
        if self._equities is None:
            from croupier.cli.hand_histories import equities_by_step

            self._equities = {} if self.seat is not None else equities_by_step(self.steps)
        return self._equities.get(step, ())

    def coaching(self, options: "CoachOptions") -> "Coaching":
        """What the coach says, worked out once."""
        if self._coaching is None:
            from croupier.cli.coach import coaching

            self._coaching = coaching(self, options)
        return self._coaching

    def seats(self) -> tuple[int, ...]:
        """The seats of the equities, in order."""
        order: tuple[int, ...] = self.played.state.order
        return order


class StepWriter:
    """Writes steps as text in the user's language."""

    def __init__(self, replayed: ReplayedRound, *, with_equity: bool, coach: "CoachOptions | None" = None) -> None:
        from croupier.clients.terminal.table import table_of
        from croupier.clients.terminal.words import Words

        self._replayed, self._with_equity, self._coach = replayed, with_equity, coach

        class NamedWords(Words):
            """Names come from the file, since there is no room."""

            def name(self, public: object, seat: int) -> str:
                players = replayed.players
                name = harmless(players[seat]) if seat < len(players) else ""
                return name or self.t("play.empty_seat", seat=seat + 1)

        self._words = NamedWords(LANGUAGE)
        self._table = table_of(replayed.game, self._words)

    def step(self, number: int) -> list[str]:
        """A heading, the events, the equities of new streets, and the situation."""
        replayed = self._replayed
        heading = {
            "round": replayed.number,
            "rounds": replayed.rounds,
            "step": number + 1,
            "steps": len(replayed.steps),
        }
        lines = [t("replay.heading", game=self._words.game(replayed.game), **heading)]
        for told in replayed.told(number):
            lines += self._sentences(number, told)
        if self._with_equity:
            lines += [self._equity(equity) for equity in replayed.equities(number)]
        now = replayed.steps[number]
        lines += self._table.position(self._snapshot(number))
        if self._coach is not None:
            is_last = number == len(replayed.steps) - 1
            lines += replayed.coaching(self._coach).lines(number, self._name, is_last=is_last)
        if now.over:
            changes = (f"{self._name(seat)} {payout:+}" for seat, payout in enumerate(now.payouts))
            lines.append(t("replay.payouts", payouts=self._words.join(changes)))
        elif number == len(replayed.steps) - 1:
            lines.append(t("replay.unfinished"))
        return lines

    def _name(self, seat: int) -> str:
        return self._words.name(None, seat)

    def _sentences(self, number: int, told: "Told[Any]") -> list[str]:
        """An event in sentences. What only one seat heard is told as that seat's."""
        now = self._snapshot(number, told.event)
        if not told.to.others and len(told.to.seats) == 1:
            return self._table.private_sentences(now, told.to.seats[0], told.event)
        return self._table.tell(now)

    def _snapshot(self, number: int, *events: Any) -> "Snapshot":
        """A step as a spectator of a room sees it: tables are made for rooms."""
        from croupier.clients.snapshot import Snapshot
        from croupier.table.commands import RoomOptions
        from croupier.table.room import Phase
        from croupier.table.roomview import RoomView

        now = self._replayed.steps[number]
        public = RoomView(
            room_code="",
            room_id="",
            game=self._replayed.game,
            edition=now.rules.edition,
            preset="",
            rules=written(now.rules),
            options=RoomOptions(),
            phase=Phase.PLAYING,
            paused=False,
            host="",
            members=(),
            hand=self._replayed.number,
            version=number,
            game_version=number,
            turn=now.turn,
            deadline_ms=None,
            next_round_at_ms=None,
            scheme="",
            deal=0,
            waits_for=(),
            agreeing=(),
            gathering=False,
            payouts=now.payouts if now.over else None,
            open_table=False,
            entry="open",
            waiting=(),
            removed=(),
        )
        return Snapshot(public, "", None, now.view(), (), events)

    def _equity(self, equity: "StreetEquity") -> str:
        parts = (
            f"{self._name(seat)} {part:.1%}"
            for seat, part in zip(self._replayed.seats(), equity.equities, strict=True)
            if part
        )
        return t("replay.equity", street=t(f"street.{equity.street}"), equities=self._words.join(parts))


def show(rounds: Sequence[ReplayedRound], *, with_equity: bool, coach: "CoachOptions | None" = None) -> None:
    """Step through the rounds: by keys in a terminal, otherwise one after the other."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        _by_keys(rounds, with_equity=with_equity, coach=coach)
        return
    for replayed in rounds:
        writer = StepWriter(replayed, with_equity=with_equity, coach=coach)
        for number in range(len(replayed.steps)):
            typer.echo("\n".join(writer.step(number)) + "\n")


def _by_keys(rounds: Sequence[ReplayedRound], *, with_equity: bool, coach: "CoachOptions | None") -> None:
    place, number = 0, 0
    while True:
        writer = StepWriter(rounds[place], with_equity=with_equity, coach=coach)
        # A table remembers what it told, so all earlier steps are told first.
        lines = [writer.step(earlier) for earlier in range(number + 1)][-1]
        typer.echo("\n".join(lines))
        typer.echo(t("replay.keys"), err=True)
        last = len(rounds[place].steps) - 1
        key = _key()
        if key in QUIT:
            return
        if key in NEXT and number < last:
            number += 1
        elif key in (*NEXT, *NEXT_ROUND) and place < len(rounds) - 1:
            place, number = place + 1, 0
        elif key in BACK and number > 0:
            number -= 1
        elif key in BACK and place > 0:
            place, number = place - 1, len(rounds[place - 1].steps) - 1
        elif key in ROUND_BACK and place > 0:
            place, number = place - 1, 0
        elif key in NEXT:
            return


def _key() -> str:
    """The next key that does something. Other keys are ignored."""
    import click

    known = (*NEXT, *BACK, *NEXT_ROUND, *ROUND_BACK, *QUIT)
    while True:
        key = click.getchar()
        if key == INTERRUPTED:
            raise KeyboardInterrupt
        if key in known:
            return key


def print_steps(
    file: str, rounds: Sequence[ReplayedRound], *, with_equity: bool, coach: "CoachOptions | None" = None
) -> None:
    """Print a line of JSON for every step."""
    for replayed in rounds:
        for number, now in enumerate(replayed.steps):
            line: dict[str, Any] = {"file": file, "round": replayed.number, "step": number + 1, "game": replayed.game}
            if number:
                # A seat that was left out of the deal is a move without a step.
                move = now.moves[len(replayed.steps[number - 1].moves)]
                line |= {"seat": move.seat, "action": move.action}
            line["events"] = [told.event for told in replayed.told(number)]
            equities = replayed.equities(number) if with_equity else ()
            if equities:
                line["equities"] = [
                    {
                        "street": equity.street,
                        "board": equity.board,
                        "bySeat": {
                            str(seat): part for seat, part in zip(replayed.seats(), equity.equities, strict=True)
                        },
                    }
                    for equity in equities
                ]
            if now.over:
                line["payouts"] = now.payouts
            if coach is not None:
                line |= replayed.coaching(coach).json(number, is_last=number == len(replayed.steps) - 1)
            print_json(line)
