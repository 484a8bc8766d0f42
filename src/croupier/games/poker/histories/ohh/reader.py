"""The hands of an Open Hand History file: one JSON object each, with an empty line between them.

The amount of a raise is what the player's bets on the street come to. Some programs write what was added instead; where
only that reading fits the pots of the hand, it is taken.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from msgspec.structs import replace

from croupier.game.refusal import Refusal
from croupier.games.poker.histories.ohh.writer import BET_TYPES, LATER_BOARDS, game_type
from croupier.games.poker.histories.phh.notation import OPENING_BET, SEVEN_DEUCE, Entry, PhhCode, entry, wrong_variant
from croupier.games.poker.histories.phh.reader import HAND_CHARACTERS_MAX
from croupier.games.poker.histories.phh.variants import RULES, with_betting
from croupier.games.poker.histories.positions import HandNotes
from croupier.games.poker.histories.source import SYMBOLS
from croupier.games.poker.rules.config import RUNS_MAX, Betting, Split, Used
from croupier.games.poker.rules.rules import HoldemRules

_POSTS: Final = {
    "Post Ante": "ante", "Post SB": "small", "Post BB": "big", "Straddle": "straddle", "Post Dead": "dead",
    "Post Extra Blind": "extra",
}  # fmt: skip
_VARIANTS: Final = {
    (game_type(rules), BET_TYPES[betting]): with_betting(rules, betting)
    for base in (RULES["NT"], RULES["NS"], RULES["PO"], RULES["FO/8"], replace(RULES["PO"], pot=Split.TWO_BOARDS))
    for cards in ((4, 5, 6) if base.used is Used.TWO else (2,))
    for rules in (replace(base, hole_cards=cards),)
    for betting in Betting
}
"""The rules by kind of game and of betting."""
_IGNORED: Final = {"Added Chips", "Sits Down", "Stands Up", "Add to Pot"}


class _Fault(Exception):  # noqa: N818  # never leaves this file
    def __init__(self, field: str, value: object) -> None:
        super().__init__(field)
        self.refusal = Refusal(PhhCode.OHH_BAD_FIELD, {"field": field, "value": str(value)[:80]})


def read(lines: Iterable[str]) -> Iterator[Entry]:
    """Every hand as soon as its last line is there."""
    number = 0
    for text in _texts(lines):
        number += 1
        if len(text) > HAND_CHARACTERS_MAX:
            yield Entry(str(number), Refusal(PhhCode.PHH_HAND_TOO_LONG, {"allowed": HAND_CHARACTERS_MAX}))
            continue
        try:
            text.encode()
            found = json.loads(text, parse_float=Decimal)
        except (ValueError, ArithmeticError, RecursionError) as error:
            yield Entry(str(number), Refusal(PhhCode.OHH_NOT_JSON, {"fault": str(error)[:200]}))
            continue
        yield _entry(str(number), found)
    if not number:
        yield Entry("", Refusal(PhhCode.PHH_NO_HANDS))


def _texts(lines: Iterable[str]) -> Iterator[str]:
    """Cut a file after each object: a line that is whole by itself, a brace in the first column, or an empty line."""
    kept: list[str] = []
    characters = 0
    for line in lines:
        bare = line.strip("\ufeff \r\n\t")
        if bare:
            characters += len(line)
            if characters <= HAND_CHARACTERS_MAX + 1:
                kept.append(line.strip("\ufeff"))
        one_line = len(kept) == 1 and bare.startswith("{") and bare.endswith("}")
        if kept and (not bare or line.startswith("}") or one_line):
            yield "".join(kept)
            kept, characters = [], 0
    if kept:
        yield "".join(kept)


def _entry(number: str, found: object) -> Entry:
    hand = found.get("ohh", found) if isinstance(found, Mapping) else None
    if not isinstance(hand, Mapping):
        return Entry(number, Refusal(PhhCode.OHH_BAD_FIELD, {"field": "ohh", "value": str(found)[:80]}))
    name = str(hand.get("game_number", number))
    limit = hand.get("bet_limit")
    betting = limit.get("bet_type") if isinstance(limit, Mapping) else None
    rules = _VARIANTS.get((str(hand.get("game_type")), str(betting)))
    if rules is None:
        return Entry(name, wrong_variant(f"{hand.get('game_type')} {betting}"))
    try:
        read_as_total = _OhhHand(hand, rules, raises_added=False)
        chosen = read_as_total
        if not read_as_total.fits:
            read_as_added = _OhhHand(hand, rules, raises_added=True)
            chosen = read_as_added if read_as_added.fits else read_as_total
        return chosen.entry(name)
    except _Fault as fault:
        return Entry(name, fault.refusal)


class _OhhHand:
    """One hand while it is read. `raises_added`: the amount of a raise is what was added."""

    def __init__(self, hand: Mapping[str, Any], rules: HoldemRules, *, raises_added: bool) -> None:
        self._hand, self._rules, self._raises_added = hand, rules, raises_added
        self._notes = HandNotes()
        self._names: dict[str, str] = {}
        self._away: set[str] = set()
        self._acted: set[str] = set()
        self._paid: dict[str, Decimal] = {}
        self._bets: dict[str, Decimal] = {}
        self._is_preflop = True
        self._sit()
        rounds = _list(hand, "rounds")
        for street in (each for each in rounds if _text(each, "street") != "Showdown"):
            self._is_preflop = _text(street, "street") == "Preflop"
            self._bets.clear() if not self._is_preflop else None
            self._street(street)
        self._take_own_fields()
        for street in (each for each in rounds if _text(each, "street") == "Showdown"):
            self._street(street)
        for pot in _list(hand, "pots"):
            for win in _list(pot, "player_wins"):
                player = self._player(win)
                self._notes.winnings[player] = self._notes.winnings.get(player, Decimal(0)) + _amount(win, "win_amount")
        self._trim_ante()

    @property
    def fits(self) -> bool:
        """Whether the pots hold what was put in, with or without the bet that nobody called; true without pots."""
        pots = sum((_amount(pot, "amount") for pot in _list(self._hand, "pots")), Decimal(0))
        paid = sorted(self._paid.values())
        uncalled = paid[-1] - paid[-2] if len(paid) > 1 else Decimal(0)
        return not pots or pots in {sum(paid), sum(paid) - uncalled}

    def entry(self, name: str) -> Entry:
        notes = self._notes
        dealt_in = [player for player in notes.stacks if player in self._acted or player not in self._away]
        fields, sources = notes.fields(dealt_in)
        players = [self._names[player] for player in notes.order(dealt_in)]
        return entry(name, {**fields, **self._facts(name), "players": players}, sources)

    def _sit(self) -> None:
        notes, hand = self._notes, self._hand
        notes.button = int(_amount(hand, "dealer_seat"))
        notes.small_blind, notes.big_blind = _amount(hand, "small_blind_amount"), _amount(hand, "big_blind_amount")
        notes.rules = self._rules
        for player in _list(hand, "players"):
            key = str(player.get("id"))
            notes.stacks[key] = _amount(player, "starting_stack")
            notes.seats[key] = int(_amount(player, "seat"))
            self._names[key] = str(player.get("name") or player.get("display") or "")
            if player.get("is_sitting_out") is True:
                self._away.add(key)

    def _street(self, street: Mapping[str, Any]) -> None:
        cards = _cards(street)
        if cards:
            self._notes.deal_board(cards, f"{_text(street, 'street')} {cards}")
        for action in _list(street, "actions"):
            self._act(action)

    def _take_own_fields(self) -> None:
        """What our own files say besides."""
        notes, hand = self._notes, self._hand
        if OPENING_BET in hand:
            notes.price = _amount(hand, OPENING_BET)
        if notes.price < 0:
            raise _Fault(OPENING_BET, notes.price)
        boards = hand.get(LATER_BOARDS) or []
        if not isinstance(boards, list) or len(boards) >= RUNS_MAX:
            raise _Fault(LATER_BOARDS, boards)
        notes.runs = 1 + len(boards)
        for number, board in enumerate(boards, start=2):
            if not isinstance(board, list) or not all(isinstance(cards, list) for cards in board):
                raise _Fault(LATER_BOARDS, board)
            for cards in board:
                dealt = _cards({"cards": cards})
                notes.deal_board(dealt, f"Board {number} {dealt}")
        paid = hand.get(SEVEN_DEUCE) or []
        if not isinstance(paid, list) or len(paid) not in {0, len(notes.stacks)}:
            raise _Fault(SEVEN_DEUCE, paid)
        for player, amount in zip(notes.stacks, paid, strict=False):
            notes.seven_deuce[player] = _amount({SEVEN_DEUCE: amount}, SEVEN_DEUCE)

    def _trim_ante(self) -> None:
        """Of the ante of a bomb pot goes back what nobody else has matched, unless a pot of the record has it."""
        notes = self._notes
        if notes.blinds or len(notes.antes) < 2 or len({*notes.antes.values()}) == 1:
            return
        pots = sum((_amount(pot, "amount") for pot in _list(self._hand, "pots")), Decimal(0))
        raked = sum((_amount(pot, "rake") for pot in _list(self._hand, "pots")), Decimal(0))
        second, highest = sorted(notes.antes.values())[-2:]
        if {pots, pots + raked} & {sum(self._paid.values())} or highest == second:
            return
        notes.antes = {player: min(ante, second) for player, ante in notes.antes.items()}

    def _act(self, action: Mapping[str, Any]) -> None:
        kind = _text(action, "action")
        if kind in _IGNORED:
            return
        player, amount = self._player(action), _amount(action, "amount")
        line = f"{self._names[player]}: {kind}" + (f" {amount}" if amount else "")
        notes, bet, is_all_in = self._notes, self._bets.get(player, Decimal(0)), action.get("is_allin") is True
        if kind in _POSTS:
            notes.post(player, _POSTS[kind], amount, all_in=is_all_in)
            self._pay(player, amount, live=kind not in {"Post Ante", "Post Dead"})
            return
        match kind:
            case "Dealt Cards":
                if cards := _cards(action):
                    notes.cards[player] = cards
            case "Fold":
                notes.act(player, "f", line)
            case "Check" | "Call":
                self._pay(player, amount)
                if kind == "Call" and self._is_preflop and not is_all_in and self._bets[player] < notes.price:
                    # Where this was played, a blind that is short lowers the price.
                    notes.price = Decimal(0)
                notes.act(player, "cc", line)
            case "Bet" | "Raise":
                total = amount + bet if self._raises_added else amount
                self._pay(player, total - bet)
                notes.act(player, f"cbr {total}", line)
            case "Shows Cards":
                cards = _cards(action)
                if cards:
                    notes.cards[player] = cards
                notes.act(player, f"sm {cards}".strip(), line)
            case "Mucks Cards":
                if cards := _cards(action):
                    notes.cards[player] = cards
                notes.act(player, "sm", line)
            case _:
                raise _Fault("action", kind)

    def _pay(self, player: str, amount: Decimal, *, live: bool = True) -> None:
        self._paid[player] = self._paid.get(player, Decimal(0)) + amount
        if live:
            self._bets[player] = self._bets.get(player, Decimal(0)) + amount

    def _player(self, value: Mapping[str, Any]) -> str:
        key = str(value.get("player_id"))
        if key not in self._names:
            raise _Fault("player_id", key)
        self._acted.add(key)
        return key

    def _facts(self, name: str) -> dict[str, Any]:
        hand = self._hand
        facts: dict[str, Any] = {"hand": name}
        if site := _text(hand, "site_name"):
            facts["venue"] = site
        if table := _text(hand, "table_name"):
            facts["table"] = table
        tournament = hand.get("tournament_info")
        if isinstance(tournament, Mapping) and (event := _text(tournament, "name")):
            facts["event"] = event
        try:
            when = datetime.fromisoformat(_text(hand, "start_date_utc").replace("Z", ""))
        except ValueError:
            pass
        else:
            facts |= {"time": when.time(), "day": when.day, "month": when.month, "year": when.year}
            facts["time_zone_abbreviation"] = "UTC"
        size = hand.get("table_size")
        if isinstance(size, int):
            facts["seat_count"] = size
        if currency := _text(hand, "currency"):
            facts["currency"] = currency
            symbol = next((sign for sign, code in SYMBOLS.items() if code == currency), "")
            facts |= {"currency_symbol": symbol} if symbol else {}
        return facts


def _list(value: Mapping[str, Any], field: str) -> list[Mapping[str, Any]]:
    """A list of objects; nothing where the field is missing."""
    found = value.get(field) or []
    if not isinstance(found, list) or not all(isinstance(each, Mapping) for each in found):
        raise _Fault(field, found)
    return found


def _amount(value: Mapping[str, Any], field: str) -> Decimal:
    """A number, exactly; 0 where the field is missing."""
    found = value.get(field)
    if found is None:
        return Decimal(0)
    if isinstance(found, bool) or not isinstance(found, int | Decimal) or not abs(Decimal(found)) < 10**30:
        raise _Fault(field, found)
    amount = Decimal(found)
    # JSON writers make 2.00 of 2; what is whole is written whole.
    return amount.to_integral_value() if amount == amount.to_integral_value() else amount


def _text(value: Mapping[str, Any], field: str) -> str:
    found = value.get(field, "")
    return found if isinstance(found, str) else ""


def _cards(value: Mapping[str, Any]) -> str:
    found = value.get("cards") or []
    if isinstance(found, str):
        return "".join(found.split())
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise _Fault("cards", found)
    return "".join(found)
