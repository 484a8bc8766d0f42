"""Usual ranges by position: six players, 100 big blinds, one raise or two before the flop. They are a starting point
for a player to change, not a solution. Amounts are in tenths of a big blind.
"""

from typing import Final

import msgspec

OPENS: Final = {
    "UTG": "66+,A3s+,K8s+,Q9s+,J9s+,T9s,98s:0.5,87s:0.5,76s:0.5,ATo+,KJo+,QJo:0.5",
    "HJ": "55+,A2s+,K6s+,Q9s+,J9s+,T9s,98s,87s,76s,65s:0.5,ATo+,A9o:0.5,KTo+,QTo:0.5,QJo",
    "CO": "33+,A2s+,K3s+,Q6s+,J8s+,T7s+,97s+,87s,76s,65s,54s,A8o+,A5o,KTo+,QTo+,JTo",
    "BTN": "22+,A2s+,K2s+,Q3s+,J4s+,T6s+,96s+,85s+,75s+,64s+,53s+,A3o+,K8o+,Q9o+,J9o+,T8o+,98o",
    "SB": "22+,A2s+,K2s+,Q4s+,J6s+,T6s+,96s+,85s+,75s+,64s+,54s,A4o+,K9o+,Q9o+,J9o+,T9o",
}
"""First in, with a raise."""
CALLS: Final = {
    ("BB", "UTG"): "22-99,TT:0.5,A2s-AJs,K8s-KQs,Q8s-QJs,J8s+,T8s+,97s+,86s+,75s+,64s+,54s,AJo-AQo,KQo:0.5",
    ("BB", "HJ"): "22-99,TT:0.5,A2s-AJs,K6s-KJs,Q8s-QJs,J8s+,T8s+,97s+,86s+,75s+,64s+,53s+,ATo-AQo,KJo+,QJo",
    ("BB", "CO"): "22-99,A2s-ATs,K2s-KJs,Q5s-QJs,J7s+,T7s+,96s+,85s+,75s+,64s+,53s+,43s,A8o-AQo,KTo+,QTo+,JTo",
    ("BB", "BTN"): "22-88,99:0.5,A2s-A9s,ATs:0.5,K2s-KTs,Q2s-QTs,J3s-JTs,T5s+,95s+,84s+,74s+,63s+,53s+,43s,"
    "A2o-AJo,K8o-KQo,Q9o+,J8o+,T8o+,98o,87o",
    ("BB", "SB"): "22-88,99:0.5,A2s-A9s,K2s-KTs,Q2s-QTs,J3s-JTs,T4s+,94s+,84s+,74s+,63s+,53s+,42s+,"
    "A2o-AJo,K5o-KQo,Q8o+,J8o+,T7o+,97o+,87o,76o",
    ("BTN", "UTG"): "55-JJ,ATs-AQs,KJs+,QJs,JTs,T9s,98s:0.5,AQo:0.5",
    ("BTN", "CO"): "22-TT,A8s-AJs,KTs-KQs,QTs+,JTs,T9s,98s,87s,76s,AJo-AQo,KQo",
    ("SB", "BTN"): "22-88,A6s-A9s,KTs,QTs+,JTs,T9s,98s,87s,AJo:0.5,KQo:0.5",
}
"""A call of a raise: who calls, and whose raise."""
THREE_BETS: Final = {
    ("BB", "UTG"): "QQ+,JJ:0.5,AKs,AQs:0.5,A5s-A4s,KJs:0.25,76s:0.25,AKo",
    ("BB", "CO"): "TT+,AJs+,A5s-A2s:0.5,KQs,K9s:0.5,QJs:0.25,76s:0.5,65s:0.5,AQo:0.5,AKo,A5o:0.25",
    ("BB", "BTN"): "TT+,99:0.5,ATs+,A5s-A2s:0.5,KJs+,QJs,K6s:0.5,J9s:0.5,T8s:0.5,87s:0.5,76s:0.5,65s:0.5,AQo+,KQo:0.5",
    ("BB", "SB"): "TT+,99:0.5,ATs+,A5s-A2s:0.5,KJs+,QJs,K5s:0.5,Q8s:0.5,T8s:0.5,76s:0.5,65s:0.5,AQo+,K9o:0.25",
    ("SB", "BTN"): "99+,ATs+,A5s-A4s,KJs+,QJs:0.5,JTs:0.5,AJo+,KQo",
    ("BTN", "CO"): "TT+,AJs+,A5s-A3s,KQs,KJs:0.5,QJs:0.25,98s:0.25,76s:0.25,AKo,AQo:0.5,AJo:0.25,KQo:0.25",
    ("BTN", "UTG"): "QQ+,JJ:0.5,AKs,AQs:0.5,A5s-A4s:0.5,KQs:0.5,AKo,AQo:0.25",
}
"""A raise of a raise: who raises again, and whose raise."""
THREE_BET_CALLS: Final = {
    ("UTG", "BB"): "77-QQ,KK+:0.25,AJs-AQs,AKs:0.5,KQs,KJs:0.5,QJs:0.5,JTs:0.5,AQo:0.25,AKo:0.5",
    ("CO", "BB"): "66-JJ,QQ:0.5,KK+:0.25,ATs-AQs,AKs:0.5,KTs+,QTs+,JTs,T9s,98s:0.5,AQo,AKo:0.5",
    ("BTN", "BB"): "44-TT,JJ:0.75,QQ+:0.25,A7s-AQs,A5s-A4s,AKs:0.5,K9s+,Q9s+,J9s+,T9s,98s,87s,76s,65s,AJo-AQo,KQo,"
    "AKo:0.5",
    ("SB", "BB"): "55-TT,JJ:0.75,QQ+:0.25,A8s-AQs,A5s-A4s,AKs:0.5,K9s+,Q9s+,J9s+,T9s,98s,87s,AJo-AQo,KQo,AKo:0.5",
    ("BTN", "SB"): "55-TT,JJ:0.75,QQ+:0.25,ATs-AQs,AKs:0.5,KTs+,QTs+,JTs,T9s,98s,87s:0.5,AQo,AJo:0.5,KQo:0.5,AKo:0.5",
    ("CO", "BTN"): "77-JJ,QQ:0.5,KK+:0.25,ATs-AQs,AKs:0.5,KJs+,QJs,JTs,T9s:0.5,AQo,AKo:0.5",
    ("UTG", "BTN"): "88-QQ,KK+:0.25,AJs-AQs,AKs:0.5,KQs,QJs:0.25,AKo:0.5",
}
"""A call of such a raise: who calls, and whose raise."""


class PositionRange(msgspec.Struct, frozen=True):
    """A range with what its holder did before the flop: `open`, `call`, `three_bet` or `three_bet_call`."""

    act: str
    position: str
    against: str
    range: str


class Pot(msgspec.Struct, frozen=True):
    """Two players who saw the flop: who acts first, who raised last, the pot and what is behind."""

    oop: str
    ip: str
    raiser: str
    raises: int
    ranges: tuple[str, str]
    pot: int
    stack: int


def position_ranges() -> tuple[PositionRange, ...]:
    """Every range by itself."""
    found = [PositionRange("open", position, "", text) for position, text in OPENS.items()]
    for act, some in (("call", CALLS), ("three_bet", THREE_BETS), ("three_bet_call", THREE_BET_CALLS)):
        found += [PositionRange(act, position, against, text) for (position, against), text in some.items()]
    return tuple(found)


def pots() -> tuple[Pot, ...]:
    """Usual pots of two players: a raise and a call, or a raise, a second one and a call."""
    found = []
    for (caller, opener), text in CALLS.items():
        opened = 30 if opener == "SB" else 25
        dead = 15 - sum({"SB": 5, "BB": 10}.get(each, 0) for each in (caller, opener))
        found.append(_pot(caller, text, opener, OPENS[opener], 1, opened, dead))
    for (raiser, opener), text in THREE_BETS.items():
        raised = 75 if raiser == "BTN" else 110
        dead = 15 - sum({"SB": 5, "BB": 10}.get(each, 0) for each in (raiser, opener))
        found.append(_pot(raiser, text, opener, THREE_BET_CALLS[opener, raiser], 2, raised, dead))
    return tuple(found)


def _pot(one: str, own: str, other: str, theirs: str, raises: int, paid: int, dead: int) -> Pot:
    """After the flop the blinds act first, then the others in their order."""
    first_after = ("SB", "BB", "UTG", "HJ", "CO", "BTN")
    ranges = {one: own, other: theirs}
    oop, ip = sorted(ranges, key=first_after.index)
    return Pot(oop, ip, one if raises == 2 else other, raises, (ranges[oop], ranges[ip]), 2 * paid + dead, 1000 - paid)
