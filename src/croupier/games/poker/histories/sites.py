"""Hands in the text formats of poker sites: PokerStars and GGPoker. Both write a hand line by line, almost alike.

A hand begins with its heading and ends before the next one. What the players did becomes the fields of a PHH hand, and
everything after that, play, checks and exports, is as for a PHH file. Lines that change nothing, such as chat, are
passed over.
"""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any, Final

from croupier.game.refusal import Refusal
from croupier.games.poker.histories.headings import AMOUNT, START, Heading, amount, heading
from croupier.games.poker.histories.phh.notation import Entry, PhhCode, entry
from croupier.games.poker.histories.phh.reader import HAND_CHARACTERS_MAX
from croupier.games.poker.histories.positions import HandNotes

_TABLE: Final = re.compile(r"Table '(?P<table>.*)'(?: (?P<size>\d+)-max)?.* Seat #(?P<button>\d+) is the button")
_SEAT: Final = re.compile(rf"Seat (?P<seat>\d+): (?P<name>.+?) \((?P<stack>{AMOUNT}) in chips.*?\)(?P<rest>.*)$")
_POST: Final = re.compile(
    rf"(?P<name>.+?): (?:posts (?:(?P<what>.+?) )?|straddle )(?P<amount>{AMOUNT})(?P<all_in> and is all-in)?$"
)
_OUT: Final = re.compile(r"(?P<name>.+?): (?:is sitting out|sits out)$")
_DEALT: Final = re.compile(r"Dealt to (?P<name>.+?)(?: \[(?P<cards>[^]]+)\])?$")
_ACT: Final = re.compile(
    rf"(?P<name>.+?): (?P<what>folds|checks|calls|bets|raises)\b(?: (?P<amount>{AMOUNT}))?(?: to (?P<to>{AMOUNT}))?"
)
_SHOWS: Final = re.compile(r"(?P<name>.+?): (?:shows|showed) \[(?P<cards>[^]]+)\]")
_MUCKS: Final = re.compile(r"(?P<name>.+?): (?:mucks hand|doesn't show hand)$")
_COLLECTED: Final = re.compile(rf"(?P<name>.+?) collected (?P<amount>{AMOUNT}) from ")
_RETURNED: Final = re.compile(rf"Uncalled bet \((?P<amount>{AMOUNT})\) returned to (?P<name>.+)$")
_CHAT: Final = re.compile(r".+? said, \"")
_STREET: Final = re.compile(
    r"\*\*\* (?:(?P<run>FIRST|SECOND|THIRD) )?(?:FLOP|TURN|RIVER) \*\*\*.*\[(?P<cards>[^][]+)\]$"
)
_SUMMARY: Final = "*** SUMMARY ***"
_FATE: Final = re.compile(r"Seat (?P<seat>\d+): .*?(?: (?:mucked|showed) \[(?P<cards>[^]]+)\](?P<rest>.*))?$")
_WON: Final = re.compile(rf"\bwon \((?P<amount>{AMOUNT})\)")
_NOT_AWARDED: Final = "pot not awarded as player cashed out"
_RUNS: Final = ("FIRST", "SECOND", "THIRD")
_BOTH: Final = "small & big blinds"
_POSTS: Final = {
    "small blind": "small", "big blind": "big", "the ante": "ante", "ante": "ante", "straddle": "straddle",
    "missed blind": "dead", "dead": "dead", "small blind (dead)": "dead", "button blind": "big",
}  # fmt: skip
_OUT_OF_TURN: Final = {"big": "extra", "small": "dead"}
"""What a second blind is: one that its player has missed."""


def read(lines: Iterable[str]) -> Iterator[Entry]:
    """Every hand as soon as the next one begins. What stands before the first is passed over."""
    kept: list[str] = []
    characters = number = 0
    for line in lines:
        if START.match(line):
            if number:
                yield _entry(kept, characters, number)
            kept, characters, number = [], 0, number + 1
        characters += len(line)
        if characters <= HAND_CHARACTERS_MAX:
            kept.append(line.strip("\r\n\ufeff "))
    yield _entry(kept, characters, number) if number else Entry("", Refusal(PhhCode.PHH_NO_HANDS))


def _entry(lines: list[str], characters: int, number: int) -> Entry:
    if characters > HAND_CHARACTERS_MAX:
        return Entry(str(number), Refusal(PhhCode.PHH_HAND_TOO_LONG, {"allowed": HAND_CHARACTERS_MAX}))
    begun = heading(lines[0])
    if isinstance(begun, Refusal):
        return Entry(str(number), begun)
    try:
        return _SiteHand(begun, lines[1:]).entry()
    except _Fault as fault:
        return Entry(begun.number, fault.refusal)


class _Fault(Exception):  # noqa: N818  # never leaves this file
    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal


def _bad_line(line: str) -> _Fault:
    return _Fault(Refusal(PhhCode.HISTORY_BAD_LINE, {"line": line[:80]}))


class _SiteHand:
    """One hand while it is read."""

    def __init__(self, begun: Heading, lines: list[str]) -> None:
        self._heading = begun
        self._notes = HandNotes()
        self._notes.rules = begun.rules
        self._notes.small_blind, self._notes.big_blind = begun.small_blind, begun.big_blind
        self._away: set[str] = set()
        self._acted: set[str] = set()
        self._dealt: set[str] = set()
        self._facts: dict[str, Any] = dict(begun.facts)
        self._posted: set[str] = set()
        self._is_over = False
        for line in lines:
            self._take(line)
        if not (self._notes.button and self._notes.stacks):
            raise _bad_line(next(filter(None, lines), ""))

    def entry(self) -> Entry:
        notes = self._notes
        if len(self._dealt) > 1:
            # Every player is named who got cards, seen or not.
            self._away = notes.stacks.keys() - self._dealt
        if not notes.is_bomb_pot and max(notes.blinds.values(), default=Decimal(0)) < notes.big_blind:
            notes.price = notes.big_blind  # Nobody had it to post.
        dealt_in = [name for name in notes.stacks if name in self._acted or name not in self._away]
        fields, sources = notes.fields(dealt_in)
        order = notes.order(dealt_in)
        return entry(self._heading.number, {**fields, **self._facts, "players": order}, sources)

    def _take(self, line: str) -> None:
        if self._is_over:
            self._take_summary(line)
        elif line == _SUMMARY:
            self._is_over = True
        elif found := _STREET.match(line):
            self._deal(found, line)
        elif not (_CHAT.match(line) or self._take_seats(line)):
            self._take_action(line)

    def _take_seats(self, line: str) -> bool:
        """Whether the line tells of the table: who sits where, who got cards."""
        notes = self._notes
        if found := _TABLE.match(line):
            notes.button = int(found["button"])
            self._facts["table"] = found["table"]
            self._facts |= {"seat_count": int(found["size"])} if found["size"] else {}
        elif found := _SEAT.match(line):
            notes.seats[found["name"]] = int(found["seat"])
            notes.stacks[found["name"]] = amount(found["stack"])
            if "sitting out" in found["rest"] or "out of hand" in found["rest"]:
                self._away.add(found["name"])
        elif found := _OUT.match(line):
            self._away.add(found["name"])
        elif found := _DEALT.match(line):
            self._dealt.add(self._known(found["name"], line))
            self._hold(found["name"], found["cards"] or "")
        else:
            return False
        return True

    def _take_action(self, line: str) -> None:
        notes = self._notes
        if found := _POST.match(line):
            self._post(found)
        elif found := _ACT.match(line):
            self._act(found, line)
        elif found := _SHOWS.match(line):
            name = self._actor(found["name"], line)
            self._hold(name, found["cards"])
            notes.act(name, f"sm {''.join(found['cards'].split())}", line)
        elif found := _MUCKS.match(line):
            notes.act(self._actor(found["name"], line), "sm", line)
        elif found := _COLLECTED.match(line):
            name = self._actor(found["name"], line)
            notes.winnings[name] = notes.winnings.get(name, Decimal(0)) + amount(found["amount"])
        elif (found := _RETURNED.match(line)) and not notes.actions and found["name"] in notes.antes:
            # Of an ante that all the others were short of.
            notes.antes[found["name"]] -= amount(found["amount"])

    def _take_summary(self, line: str) -> None:
        """Hands that were mucked, and pots that went to the site because their winner had sold them."""
        found = _FATE.match(line)
        name = next((name for name, seat in self._notes.seats.items() if found and seat == int(found["seat"])), None)
        if found is None or name is None or found["cards"] is None:
            return
        self._hold(name, found["cards"])
        if _NOT_AWARDED in found["rest"]:
            self._notes.winnings[name] = sum((amount(won) for won in _WON.findall(found["rest"])), Decimal(0))

    def _deal(self, found: re.Match[str], line: str) -> None:
        """Deal a street. The boards of a hand that is run more than once are told one after the other."""
        notes = self._notes
        run = 1 + _RUNS.index(found["run"] or "FIRST")
        if run < notes.runs:
            raise _Fault(Refusal(PhhCode.HISTORY_TWO_BOARDS))
        notes.runs = run
        notes.deal_board("".join(found["cards"].split()), line)

    def _post(self, found: re.Match[str]) -> None:
        name, money, what = self._actor(found["name"], found[0]), amount(found["amount"]), found["what"]
        notes, all_in = self._notes, bool(found["all_in"])
        big = notes.big_blind
        if what == _BOTH:
            notes.post(name, "extra", min(money, big), all_in=all_in)
            if money > big:
                notes.post(name, "dead", money - big, all_in=all_in)
            return
        kind = ("extra" if money >= big else "dead") if what is None else _POSTS.get(what)
        if ": straddle " in found[0]:
            kind = "straddle"
        if kind is None:
            raise _bad_line(found[0])
        if kind in self._posted and kind in _OUT_OF_TURN:
            kind = _OUT_OF_TURN[kind]
        self._posted.add(kind)
        notes.post(name, kind, money, all_in=all_in)

    def _act(self, found: re.Match[str], line: str) -> None:
        match found["what"]:
            case "folds":
                what = "f"
            case "checks" | "calls":
                what = "cc"
            case kind:
                total = found["amount"] if kind == "bets" else found["to"]
                if total is None:
                    raise _bad_line(line)
                what = f"cbr {amount(total)}"
        self._notes.act(self._actor(found["name"], line), what, line)

    def _hold(self, name: str, cards: str) -> None:
        """Note cards of a player, unless more of them are known."""
        held = "".join(cards.split())
        if len(held) > len(self._notes.cards.get(name, "")):
            self._notes.cards[name] = held

    def _known(self, name: str, line: str) -> str:
        if name not in self._notes.stacks:
            raise _Fault(Refusal(PhhCode.HISTORY_NO_SUCH_NAME, {"name": name[:40], "line": line[:80]}))
        return name

    def _actor(self, name: str, line: str) -> str:
        self._acted.add(self._known(name, line))
        return name
