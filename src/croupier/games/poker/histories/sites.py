"""Hands in the text formats of poker sites: PokerStars and GGPoker. Both write a hand line by line, almost alike.

A hand begins with its heading and ends before the next one. What the players did becomes the fields of a PHH hand, and
everything after that, play, checks and exports, is as for a PHH file.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from msgspec.structs import replace

from croupier.game.refusal import Refusal
from croupier.games.poker.histories.phh.notation import Entry, PhhCode, entry, wrong_variant
from croupier.games.poker.histories.phh.reader import HAND_CHARACTERS_MAX
from croupier.games.poker.histories.phh.variants import RULES, with_betting
from croupier.games.poker.histories.positions import HandNotes
from croupier.games.poker.histories.source import SYMBOLS
from croupier.games.poker.rules.config import Betting, Split

HEADING: Final = re.compile(r"\ufeff?(?P<site>PokerStars|Poker Hand #)")
"""How the first line of a hand begins."""
_AMOUNT: Final = r"(?:[A-Z]{1,3}\$|[$€£¥₽₩₹])?[0-9][0-9,]*(?:\.[0-9]+)?"
_TITLE: Final = re.compile(
    r"\ufeff?(?:PokerStars .*?(?:Hand|Game)|Poker Hand) #(?P<number>[\w-]+): *(?P<event>Tournament #\d+,.*? )?"
    r"(?P<game>[^(]*?) *(?:- *Level *(?P<level>\S+) *)?\((?P<small>" + _AMOUNT + ")/(?P<big>" + _AMOUNT + r")"
    r"(?:\((?P<ante>" + _AMOUNT + r")\))?(?P<currency> [A-Z]{3})?[^)]*\)"
    r"[ -]*(?P<date>\d{4}/\d{1,2}/\d{1,2}) (?P<time>\d{1,2}:\d\d:\d\d)(?: (?P<zone>\w+))?"
)
_KINDS: Final = {
    "Hold'em": RULES["NT"],
    "6+ Hold'em": RULES["NS"],
    "ShortDeck": RULES["NS"],
    "Omaha": RULES["PO"],
    "PLO": RULES["PO"],
    "5 Card Omaha": replace(RULES["PO"], hole_cards=5),
    "PLO-5": replace(RULES["PO"], hole_cards=5),
    "6 Card Omaha": replace(RULES["PO"], hole_cards=6),
    "PLO-6": replace(RULES["PO"], hole_cards=6),
    "Omaha Hi/Lo": replace(RULES["PO"], pot=Split.HIGH_LOW),
    "5 Card Omaha Hi/Lo": replace(RULES["PO"], pot=Split.HIGH_LOW, hole_cards=5),
}
_LIMITS: Final = {"No Limit": Betting.NO_LIMIT, "Pot Limit": Betting.POT_LIMIT, "Limit": Betting.FIXED_LIMIT}
GAMES: Final = {**_KINDS} | {
    f"{kind} {limit}": with_betting(rules, betting)
    for kind, rules in _KINDS.items()
    for limit, betting in _LIMITS.items()
}
"""The rules by what a heading calls the game."""
_TABLE: Final = re.compile(r"Table '(?P<table>.*)' (?P<size>\d+)-max.*Seat #(?P<button>\d+) is the button")
_SEAT: Final = re.compile(rf"Seat (?P<seat>\d+): (?P<name>.+?) \((?P<stack>{_AMOUNT}) in chips.*?\)(?P<rest>.*)$")
_POST: Final = re.compile(rf"(?P<name>.+?): posts (?P<what>.+?) (?P<amount>{_AMOUNT})(?P<all_in> and is all-in)?$")
_DEALT: Final = re.compile(r"Dealt to (?P<name>.+?) \[(?P<cards>[^]]+)\]$")
_ACT: Final = re.compile(
    rf"(?P<name>.+?): (?P<what>folds|checks|calls|bets|raises)\b(?: (?P<amount>{_AMOUNT}))?(?: to (?P<to>{_AMOUNT}))?"
)
_SHOWS: Final = re.compile(r"(?P<name>.+?): (?:shows|showed) \[(?P<cards>[^]]+)\]")
_MUCKS: Final = re.compile(r"(?P<name>.+?): (?:mucks hand|doesn't show hand)$")
_COLLECTED: Final = re.compile(rf"(?P<name>.+?) collected (?P<amount>{_AMOUNT}) from ")
_MUCKED: Final = re.compile(r"Seat (?P<seat>\d+): .* mucked \[(?P<cards>[^]]+)\]")
_STREET: Final = re.compile(r"\*\*\* (?P<street>FLOP|TURN|RIVER) \*\*\*.*\[(?P<cards>[^]]+)\]$")
_SECOND: Final = re.compile(r"\*\*\* (?:FIRST|SECOND|THIRD) (?:FLOP|TURN|RIVER|BOARD) \*\*\*")
_POSTS: Final = {
    "small blind": "small", "big blind": "big", "the ante": "ante", "ante": "ante", "straddle": "straddle",
    "missed blind": "dead", "dead": "dead", "button blind": "big",
}  # fmt: skip
_SITES: Final = {"PokerStars": "PokerStars", "Poker Hand #": "GGPoker"}


def read(lines: Iterable[str]) -> Iterator[Entry]:
    """Every hand as soon as the next one begins."""
    kept: list[str] = []
    characters = number = 0
    for line in lines:
        if HEADING.match(line) and characters:
            number += bool(kept)
            yield from _entries(kept, characters, number)
            kept, characters = [], 0
        characters += len(line)
        if characters <= HAND_CHARACTERS_MAX:
            kept.append(line.strip("\r\n\ufeff "))
    yield from _entries(kept, characters, number + 1)


def _entries(lines: list[str], characters: int, number: int) -> Iterator[Entry]:
    if characters > HAND_CHARACTERS_MAX:
        yield Entry(str(number), Refusal(PhhCode.PHH_HAND_TOO_LONG, {"allowed": HAND_CHARACTERS_MAX}))
    elif any(lines):
        yield _SiteHand(lines).entry(str(number))


class _Fault(Exception):  # noqa: N818  # never leaves this file
    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.code)
        self.refusal = refusal


class _SiteHand:
    """One hand while it is read."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._notes = HandNotes()
        self._away: set[str] = set()
        self._acted: set[str] = set()
        self._facts: dict[str, Any] = {}

    def entry(self, number: str) -> Entry:
        title = _TITLE.match(self._lines[0])
        if title is None:
            return Entry(number, Refusal(PhhCode.HISTORY_BAD_HEADING, {"line": self._lines[0][:80]}))
        number = title["number"]
        game = " ".join(title["game"].split())
        rules = GAMES.get(game)
        if rules is None:
            return Entry(number, wrong_variant(game))
        self._notes.rules = rules
        self._begin(title)
        try:
            for line in self._lines[1:]:
                self._take(line)
        except _Fault as fault:
            return Entry(number, fault.refusal)
        notes = self._notes
        dealt_in = [name for name in notes.stacks if name in self._acted or name not in self._away]
        fields, sources = notes.fields(dealt_in)
        order = notes.order(dealt_in)
        return entry(number, {**fields, **self._facts, "players": order}, sources)

    def _begin(self, title: re.Match[str]) -> None:
        notes = self._notes
        notes.small_blind, notes.big_blind = _amount(title["small"]), _amount(title["big"])
        if notes.rules.betting is Betting.FIXED_LIMIT:
            # Limit games are named by their bets: the big blind is the small bet, the small blind about half of it.
            notes.small_blind, notes.big_blind = notes.small_blind / 2, notes.small_blind
        when = datetime.strptime(f"{title['date']} {title['time']}", "%Y/%m/%d %H:%M:%S")
        site = HEADING.match(self._lines[0])
        assert site is not None, "a hand begins with its heading"
        symbol = re.sub(r"[0-9.,]", "", title["big"])
        self._facts = {"venue": _SITES[site["site"]], "hand": title["number"]}
        self._facts |= {"time": when.time(), "day": when.day, "month": when.month, "year": when.year}
        if title["zone"]:
            self._facts["time_zone_abbreviation"] = title["zone"]
        if title["event"]:
            self._facts["event"] = title["event"].strip(" ,")
        if symbol:
            self._facts["currency_symbol"] = symbol
            self._facts["currency"] = (title["currency"] or SYMBOLS.get(symbol, "")).strip() or "USD"

    def _take(self, line: str) -> None:  # one branch a kind of line
        notes = self._notes
        if _SECOND.match(line):
            raise _Fault(Refusal(PhhCode.HISTORY_TWO_BOARDS))
        if found := _TABLE.match(line):
            notes.button = int(found["button"])
            self._facts |= {"table": found["table"], "seat_count": int(found["size"])}
        elif found := _MUCKED.match(line):
            self._hold(next(name for name, seat in notes.seats.items() if seat == int(found["seat"])), found["cards"])
        elif found := _SEAT.match(line):
            notes.seats[found["name"]] = int(found["seat"])
            notes.stacks[found["name"]] = _amount(found["stack"])
            if "sitting out" in found["rest"] or "out of hand" in found["rest"]:
                self._away.add(found["name"])
        elif found := _POST.match(line):
            self._post(found)
        elif found := _DEALT.match(line):
            self._hold(self._name(found["name"], line), found["cards"])
        elif found := _STREET.match(line):
            notes.deal_board("".join(found["cards"].split()), line)
        elif found := _ACT.match(line):
            self._act(found, line)
        elif found := _SHOWS.match(line):
            name = self._name(found["name"], line)
            self._hold(name, found["cards"])
            notes.act(name, f"sm {''.join(found['cards'].split())}", line)
        elif found := _MUCKS.match(line):
            notes.act(self._name(found["name"], line), "sm", line)
        elif found := _COLLECTED.match(line):
            name = self._name(found["name"], line)
            notes.winnings[name] = notes.winnings.get(name, Decimal(0)) + _amount(found["amount"])

    def _post(self, found: re.Match[str]) -> None:
        name, amount, what = self._name(found["name"], found[0]), _amount(found["amount"]), found["what"]
        notes, all_in = self._notes, bool(found["all_in"])
        if what == "small & big blinds":
            notes.post(name, "extra", min(amount, notes.big_blind), all_in=all_in)
            if amount > notes.big_blind:
                notes.post(name, "dead", amount - notes.big_blind, all_in=all_in)
            return
        kind = _POSTS.get(what)
        if kind is None:
            raise _Fault(Refusal(PhhCode.HISTORY_BAD_LINE, {"line": found[0][:80]}))
        if kind == "big" and any(blind == notes.big_blind for blind in notes.blinds.values()):
            kind = "extra"
        notes.post(name, kind, amount, all_in=all_in)

    def _act(self, found: re.Match[str], line: str) -> None:
        name = self._name(found["name"], line)
        match found["what"]:
            case "folds":
                what = "f"
            case "checks" | "calls":
                what = "cc"
            case "bets":
                what = f"cbr {_amount(found['amount'] or '0')}"
            case _:
                what = f"cbr {_amount(found['to'] or '0')}"
        self._notes.act(name, what, line)

    def _hold(self, name: str, cards: str) -> None:
        self._notes.cards[name] = "".join(cards.split())

    def _name(self, name: str, line: str) -> str:
        if name not in self._notes.stacks:
            raise _Fault(Refusal(PhhCode.HISTORY_NO_SUCH_NAME, {"name": name[:40], "line": line[:80]}))
        self._acted.add(name)
        return name


def _amount(written: str) -> Decimal:
    return Decimal(re.sub(r"[^0-9.]", "", written))
