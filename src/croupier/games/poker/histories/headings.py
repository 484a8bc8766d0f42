"""The first line of a hand in the text of a poker site: which game, for which stakes, and when.

A tournament's name may hold anything, brackets and names of other games too: the game is what stands last in it. A
mixed game names the one that is played in brackets.
"""

import re
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from croupier.game.refusal import Refusal
from croupier.games.poker.histories.phh.notation import PhhCode, wrong_variant
from croupier.games.poker.histories.phh.variants import RULES, with_betting
from croupier.games.poker.histories.source import SYMBOLS, ZONE_HOURS
from croupier.games.poker.rules.config import Betting, Split
from croupier.games.poker.rules.rules import HoldemRules

START: Final = re.compile(r"\ufeff?(?P<site>PokerStars|Poker Hand #)")
"""How the first line of a hand begins."""
AMOUNT: Final = r"(?:[A-Z]{1,3}\$|[$€£¥₽₩₹])?[0-9][0-9,]*(?:\.[0-9]+)?"
CHARACTERS_MAX: Final = 500
"""No heading is longer."""

_DATE: Final = r"\d{4}/\d{1,2}/\d{1,2} \d{1,2}:\d\d:\d\d"
_LINE: Final = re.compile(
    r"\ufeff?(?:PokerStars .*?(?:Hand|Game)|Poker Hand) #(?P<number>[\w-]+): *(?:\{[^}]*\})?(?P<what>.*)"
    r"\((?P<stakes>[^()]*(?:\([^()]*\))?[^()]*)\)[ -]*"
    rf"(?P<date>{_DATE})(?: (?P<zone>[A-Za-z]+))?(?: \[(?P<eastern>{_DATE}) ET\])?"
)
_STAKES: Final = re.compile(
    rf"(?:(?P<game>[^,]*Limit), *)?(?:Button Blind *)?(?P<first>{AMOUNT})(?:/(?P<second>{AMOUNT}))?"
    rf"(?:\({AMOUNT}\))?.*?(?P<currency>\b[A-Z]{{3}})?"
)
_LEVEL: Final = re.compile(r"-? *(?:Match Round [^,]*, *)?Level *\S+$")
_TOURNAMENT: Final = re.compile(r"(?:Zoom )?Tournament #\d+,")
_IN_BRACKETS: Final = re.compile(r"\((?P<game>[^()]*)\)$")
_KINDS: Final = {
    "Hold'em": RULES["NT"],
    "NLH": RULES["NT"],
    "6+ Hold'em": RULES["NS"],
    "ShortDeck": RULES["NS"],
    "Omaha": RULES["PO"],
    "PLO": RULES["PO"],
    "5 Card Omaha": replace(RULES["PO"], hole_cards=5),
    "PLO-5": replace(RULES["PO"], hole_cards=5),
    "Omaha5": replace(RULES["PO"], hole_cards=5),
    "6 Card Omaha": replace(RULES["PO"], hole_cards=6),
    "PLO-6": replace(RULES["PO"], hole_cards=6),
    "Omaha6": replace(RULES["PO"], hole_cards=6),
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
_LONGEST_FIRST: Final = sorted(GAMES, key=len, reverse=True)
_SITES: Final = {"PokerStars": "PokerStars", "Poker Hand #": "GGPoker"}


class Heading(msgspec.Struct, frozen=True):
    """What a heading says. `facts` are the fields of a PHH hand that its play does not depend on."""

    number: str
    rules: HoldemRules
    small_blind: Decimal
    big_blind: Decimal
    facts: dict[str, Any]


def heading(line: str) -> Heading | Refusal:
    """Read the first line of a hand."""
    line = line[:CHARACTERS_MAX]
    site, found = START.match(line), _LINE.match(line)
    stakes = found and _STAKES.fullmatch(found["stakes"].strip())
    when = _when(found) if found else None
    if site is None or found is None or stakes is None or when is None:
        return Refusal(PhhCode.HISTORY_BAD_HEADING, {"line": line[:80]})
    event, game = _event_and_game(found["what"], stakes["game"] or "")
    if game not in GAMES:
        return wrong_variant(game)
    rules = GAMES[game]
    time, zone = when
    facts: dict[str, Any] = {"venue": _SITES[site["site"]], "hand": found["number"]}
    facts |= {"time": time.time(), "day": time.day, "month": time.month, "year": time.year}
    facts |= {"time_zone_abbreviation": zone} if zone else {}
    facts |= {"event": event} if event else {}
    if symbol := re.sub(r"[0-9.,]", "", stakes["first"]):
        facts |= {"currency_symbol": symbol, "currency": stakes["currency"] or SYMBOLS.get(symbol, "USD")}
    return Heading(found["number"], rules, *_blinds(rules, stakes["first"], stakes["second"]), facts)


def amount(written: str) -> Decimal:
    """An amount of money or chips, without its sign and commas."""
    return Decimal(re.sub(r"[^0-9.]", "", written))


def _when(found: re.Match[str]) -> tuple[datetime, str] | None:
    """The time and its zone: Eastern time, which sites add, where the zone is not one that is known here."""
    zone = found["zone"] or ""
    is_known = not found["eastern"] or zone.upper() in ZONE_HOURS
    try:
        time = datetime.strptime(found["date"] if is_known else found["eastern"], "%Y/%m/%d %H:%M:%S")
    except ValueError:
        return None
    return time, zone if is_known else "ET"


def _event_and_game(what: str, mixed: str) -> tuple[str, str]:
    """The tournament, if it is one, and the game."""
    text = _LEVEL.sub("", " ".join(what.split())).strip(" -")
    inside = _IN_BRACKETS.search(text)
    game = mixed or (inside["game"] if inside is not None and inside["game"] in GAMES else "")
    if _TOURNAMENT.match(text) is None:
        return "", game or text
    game = game or next((name for name in _LONGEST_FIRST if text.endswith(name)), "")
    name = text.removesuffix(f"({game})").removesuffix(game).strip(" ,")
    return name, game or text


def _blinds(rules: HoldemRules, first: str, second: str | None) -> tuple[Decimal, Decimal]:
    """A single amount is the blind of the button. Limit games are named by their bets: the small bet is the big blind,
    and about half of it the small one."""
    if second is None:
        return Decimal(0), amount(first)
    small, big = amount(first), amount(second)
    return (small / 2, small) if rules.betting is Betting.FIXED_LIMIT else (small, big)
