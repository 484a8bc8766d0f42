"""Rounds step by step, in a terminal or a pipe: the part of `croupier replay` that shows and exports steps."""

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import typer

from croupier.cli.console import print_json
from croupier.cli.texts import LANGUAGE, t

if TYPE_CHECKING:
    from croupier.game.game import Told
    from croupier.lab.poker.streets import StreetEquity
    from croupier.table.round import Round

EXPORTS: Final = ("jsonl", "phh", "text")
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
        from croupier.table.stepping import steps

        self.played = played
        self.number = number
        self.rounds = rounds
        self.seat = seat
        self.players = players
        self.steps = steps(played)
        self._equities: dict[int, tuple[StreetEquity, ...]] | None = None

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
            self._equities = {} if self.seat is not None else _equities(self.steps)
        return self._equities.get(step, ())

    def seats(self) -> tuple[int, ...]:
        """The seats of the equities, in order."""
        order: tuple[int, ...] = self.played.state.order
        return order


def _equities(some: "Sequence[Round]") -> "dict[int, tuple[StreetEquity, ...]]":
    """Equities by step. Only poker has them."""
    from croupier.games.poker import Hand
    from croupier.games.poker.rules.events import Acted, HoleCardsDealt, Move, Street, StreetDealt
    from croupier.games.poker.rules.state import cards_of

    final = some[-1].state
    if not isinstance(final, Hand) or not final.hole:
        return {}
    hands = [cards_of(final, seat) for seat in final.order]
    if not all(len(hand) == 2 for hand in hands):
        return {}
    from croupier.lab.compiler import compiling_notice
    from croupier.lab.poker.streets import street_equities

    dealt_in: dict[Street, int] = {}
    folded: dict[int, Street] = {}
    street = Street.PREFLOP
    for number, step in enumerate(some):
        for told in step.told:
            match told.event:
                case HoleCardsDealt():
                    dealt_in[Street.PREFLOP] = number
                case StreetDealt(street=street):
                    dealt_in[street] = number
                case Acted(seat=seat, move=Move.FOLD):
                    folded[final.order.index(seat)] = street
    with compiling_notice():
        found = street_equities(["".join(map(str, hand)) for hand in hands], final.board, folded)
    by_step: dict[int, tuple[StreetEquity, ...]] = {}
    for equity in found:
        number = dealt_in[equity.street]
        by_step[number] = (*by_step.get(number, ()), equity)
    return by_step


class StepWriter:
    """Writes steps as text in the user's language."""

    def __init__(self, replayed: ReplayedRound, *, with_equity: bool) -> None:
        from croupier.clients.terminal.story import story_of
        from croupier.clients.terminal.words import Words

        self._replayed, self._with_equity = replayed, with_equity

        class NamedWords(Words):
            """Names come from the file, since there is no room."""

            def name(self, public: object, seat: int) -> str:
                players = replayed.players
                return players[seat] if seat < len(players) else self.t("play.empty_seat", seat=seat + 1)

        self._words = NamedWords(LANGUAGE)
        self._story = story_of(replayed.game, self._words)

    def step(self, number: int) -> list[str]:
        """A heading, the events, the equities of new streets, and the situation."""
        replayed = self._replayed
        heading = {
            "round": replayed.number,
            "rounds": replayed.rounds,
            "step": number + 1,
            "steps": len(replayed.steps),
        }
        lines = [t("stepping.heading", game=self._words.game(replayed.game), **heading)]
        for told in replayed.told(number):
            lines += self._sentences(number, told)
        if self._with_equity:
            lines += [self._equity(equity) for equity in replayed.equities(number)]
        lines += self._situation(number)
        now = replayed.steps[number]
        if now.over:
            changes = (f"{self._name(seat)} {payout:+}" for seat, payout in enumerate(now.payouts))
            lines.append(t("stepping.payouts", payouts=self._words.join(changes)))
        elif number == len(replayed.steps) - 1:
            lines.append(t("stepping.unfinished"))
        return lines

    def _name(self, seat: int) -> str:
        return self._words.name(None, seat)

    def _sentences(self, number: int, told: "Told[Any]") -> list[str]:
        """An event in sentences. Private cards are shown as their seat's."""
        from croupier.games.poker.rules.events import HoleCards
        from croupier.games.sequence.rules.events import CardDrawn, HandTaken

        match told.event:
            case HoleCards(seat, cards) | HandTaken(seat, cards):
                return [t("stepping.gets", name=self._name(seat), cards=self._words.cards(cards))]
            case CardDrawn(seat, card):
                return [t("stepping.draws", name=self._name(seat), card=self._words.card(card))]
        return self._story.tell(self._moment(number, told.event))

    def _moment(self, number: int, event: Any) -> Any:
        """The event as a spectator of a room sees it: stories are written for rooms."""
        from croupier.clients.snapshot import Moment
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
            rules=now.rules,
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
            entry="open",
            waiting=(),
        )
        return Moment(public, "", None, now.view(), (), (event,))

    def _equity(self, equity: "StreetEquity") -> str:
        parts = (
            f"{self._name(seat)} {part:.1%}"
            for seat, part in zip(self._replayed.seats(), equity.equities, strict=True)
            if part
        )
        return t("stepping.equity", street=t(f"street.{equity.street}"), equities=self._words.join(parts))

    def _situation(self, number: int) -> list[str]:
        """The board and the pot, in games that have them."""
        from croupier.games.poker import HoldemView
        from croupier.games.sequence import SequenceView
        from croupier.games.sequence.rules.text import board_text

        match self._replayed.steps[number].view():
            case HoldemView(total=total) as view if total:
                stacks = self._words.join(f"{self._name(seat.seat)} {seat.chips}" for seat in view.seats)
                board = self._words.cards(view.board) or "–"
                return [t("stepping.holdem", board=board, pot=total, stacks=stacks)]
            case SequenceView() as view:
                return board_text(view).splitlines()
        return []


def show(rounds: Sequence[ReplayedRound], *, with_equity: bool) -> None:
    """Step through the rounds: by keys in a terminal, otherwise one after the other."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        _by_keys(rounds, with_equity=with_equity)
        return
    for replayed in rounds:
        writer = StepWriter(replayed, with_equity=with_equity)
        for number in range(len(replayed.steps)):
            typer.echo("\n".join(writer.step(number)) + "\n")


def _by_keys(rounds: Sequence[ReplayedRound], *, with_equity: bool) -> None:
    place, number = 0, 0
    while True:
        writer = StepWriter(rounds[place], with_equity=with_equity)
        # Stories remember what they told, so all earlier steps are told first.
        lines = [writer.step(earlier) for earlier in range(number + 1)][-1]
        typer.echo("\n".join(lines))
        typer.echo(t("stepping.keys"), err=True)
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
    """The next key that has a meaning. Other keys are ignored."""
    import click

    known = (*NEXT, *BACK, *NEXT_ROUND, *ROUND_BACK, *QUIT)
    while True:
        key = click.getchar()
        if key == INTERRUPTED:
            raise KeyboardInterrupt
        if key in known:
            return key


def print_steps(file: str, rounds: Sequence[ReplayedRound], *, with_equity: bool) -> None:
    """Print a line of JSON for every step."""
    for replayed in rounds:
        for number, now in enumerate(replayed.steps):
            line: dict[str, Any] = {"file": file, "round": replayed.number, "step": number + 1, "game": replayed.game}
            if number:
                move = replayed.played.moves[number - 1]
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
            print_json(line)


def export(kind: str, rounds: Sequence[ReplayedRound]) -> str:
    """Poker rounds as a `.phh` or `.phhs` file, or as the text that trackers read."""
    if kind == "phh":
        from croupier.games.poker.histories.phh import write as write_phh

        hands = [write_phh(replayed.events(), replayed.players) for replayed in rounds]
        if len(hands) == 1:
            return hands[0]
        return "\n".join(f"[{replayed.number}]\n{hand}" for replayed, hand in zip(rounds, hands, strict=True))
    from croupier.games.poker.histories.pokerstars import write

    return "\n\n".join(write(replayed.events(), replayed.players, number=replayed.number) for replayed in rounds)
