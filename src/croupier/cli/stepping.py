"""Records of rounds, step by step, in a terminal or a pipe: the part of `croupier replay` for our own files."""

import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import typer

from croupier.cli.texts import LANGUAGE, t

if TYPE_CHECKING:
    from croupier.lab.equity import StreetEquity
    from croupier.rules.game import Told
    from croupier.table.round import Round

EXPORTS: Final = ("jsonl", "phh", "text")
NEXT: Final = ("\r", "\n", " ", "\x1b[C")
BACK: Final = ("b", "B", "\x1b[D")
NEXT_ROUND: Final = ("n", "N")
ROUND_BACK: Final = ("p", "P")
QUIT: Final = ("q", "Q", "\x04", "\x1b")
INTERRUPTED: Final = "\x03"


class Replayed:
    """A round of a record with all its steps. `seat` limits what is told to what that seat heard."""

    def __init__(
        self, played: "Round", number: int, rounds: int, seat: int | None, players: Sequence[str] = ()
    ) -> None:
        """`number`, from 1, of so many `rounds` of the file; `players` are names by seat."""
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
        """What came of a step, as far as it may be told."""
        for told in self.steps[step].told:
            if self.seat is None or told.to.hears(self.seat):
                yield told

    def events(self) -> tuple[Any, ...]:
        return tuple(told.event for step in range(len(self.steps)) for told in self.told(step))

    def equities(self, step: int) -> "tuple[StreetEquity, ...]":
        """Everybody's equity on each street that was dealt in this step, where all hands of the record are known."""
        if self._equities is None:
            self._equities = {} if self.seat is not None else _equities(self.steps)
        return self._equities.get(step, ())

    def seats(self) -> tuple[int, ...]:
        """The seats that equities are of."""
        order: tuple[int, ...] = self.played.state.order
        return order


def _equities(some: "Sequence[Round]") -> "dict[int, tuple[StreetEquity, ...]]":
    """By step. Only Hold'em has equities."""
    from croupier.rules.holdem import Hand
    from croupier.rules.holdem.events import Acted, HoleCardsDealt, Move, Street, StreetDealt
    from croupier.rules.holdem.state import cards_of

    final = some[-1].state
    if not isinstance(final, Hand) or not final.hole:
        return {}
    hands = [cards_of(final, seat) for seat in final.order]
    if not all(len(hand) == 2 for hand in hands):
        return {}
    from croupier.lab.compiling import compiling_notice
    from croupier.lab.equity import street_equities

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


class Teller:
    """Writes steps for a person, in the person's language."""

    def __init__(self, replayed: Replayed, *, with_equity: bool) -> None:
        from croupier.clients.terminal.story import story_of
        from croupier.clients.terminal.words import Words

        self._replayed, self._with_equity = replayed, with_equity

        class NamedWords(Words):
            """Names come from the file: a room that could tell them is not there."""

            def name(self, public: object, seat: int) -> str:
                players = replayed.players
                return players[seat] if seat < len(players) else self.t("play.empty_seat", seat=seat + 1)

        self._words = NamedWords(LANGUAGE)
        self._story = story_of(replayed.game, self._words)

    def step(self, number: int) -> list[str]:
        """A heading, what happened, the equities of new streets, and how things stand."""
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
        """An event in sentences. The cards that only one seat was told are told as that seat's."""
        from croupier.rules.holdem.events import HoleCards
        from croupier.rules.sequence.events import CardDrawn, HandTaken

        match told.event:
            case HoleCards(seat, cards) | HandTaken(seat, cards):
                return [t("stepping.gets", name=self._name(seat), cards=self._words.cards(cards))]
            case CardDrawn(seat, card):
                return [t("stepping.draws", name=self._name(seat), card=self._words.card(card))]
        return self._story.tell(self._moment(number, told.event))

    def _moment(self, number: int, event: Any) -> Any:
        """The event as a spectator of a room would meet it: the tellers know rooms."""
        from croupier.clients.moment import Moment
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
        """How a game with a board or a pot stands."""
        from croupier.rules.holdem import HoldemView
        from croupier.rules.sequence import SequenceView
        from croupier.rules.sequence.text import board_text

        match self._replayed.steps[number].view():
            case HoldemView(total=total) as view if total:
                stacks = self._words.join(f"{self._name(seat.seat)} {seat.stack}" for seat in view.seats)
                board = self._words.cards(view.board) or "–"
                return [t("stepping.holdem", board=board, pot=total, stacks=stacks)]
            case SequenceView() as view:
                return board_text(view).splitlines()
        return []


def show(rounds: Sequence[Replayed], *, with_equity: bool) -> None:
    """Steps through the rounds: by keys where a person sits at a terminal, else one after the other."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        _by_keys(rounds, with_equity=with_equity)
        return
    for replayed in rounds:
        teller = Teller(replayed, with_equity=with_equity)
        for number in range(len(replayed.steps)):
            typer.echo("\n".join(teller.step(number)) + "\n")


def _by_keys(rounds: Sequence[Replayed], *, with_equity: bool) -> None:
    place, number = 0, 0
    while True:
        teller = Teller(rounds[place], with_equity=with_equity)
        # The tellers remember what they told, so a step is told after all before it.
        lines = [teller.step(earlier) for earlier in range(number + 1)][-1]
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
    """One of the keys that mean something; any other is passed over."""
    import click

    known = (*NEXT, *BACK, *NEXT_ROUND, *ROUND_BACK, *QUIT)
    while True:
        key = click.getchar()
        if key == INTERRUPTED:
            raise KeyboardInterrupt
        if key in known:
            return key


def print_json(file: str, rounds: Sequence[Replayed], *, with_equity: bool) -> None:
    """A line of JSON for every step."""
    import msgspec

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
            typer.echo(msgspec.json.encode(line).decode())


def export(kind: str, rounds: Sequence[Replayed]) -> str:
    """Rounds as a `.phh` or `.phhs` file, or as the text that trackers read. All of them are of Hold'em."""
    if kind == "phh":
        from croupier.table.phh import write as write_phh

        hands = [write_phh(replayed.events(), replayed.players) for replayed in rounds]
        if len(hands) == 1:
            return hands[0]
        return "\n".join(f"[{replayed.number}]\n{hand}" for replayed, hand in zip(rounds, hands, strict=True))
    from croupier.table.tracker import write

    return "\n\n".join(write(replayed.events(), replayed.players, number=replayed.number) for replayed in rounds)
