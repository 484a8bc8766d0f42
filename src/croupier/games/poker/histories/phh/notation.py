"""The notation: a file is TOML, a hand is its fields and a list of actions such as `p3 cbr 40` or `d db AhKs2c`.

Amounts are kept as exact decimals. A player's number in the file counts from 1, everywhere else from 0.
"""

from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from operator import add
from typing import Any, Final, TypeAlias

import msgspec

from croupier.cards import Card
from croupier.game.refusal import Refusal
from croupier.games.poker.histories.phh.variants import NAMES, NO_LIMIT_HOLDEM, OWN_RULES, PLAYED, RULES, rules_of
from croupier.games.poker.rules.config import Betting
from croupier.games.poker.rules.rules import HoldemRules

DECIMALS_MAX: Final = 9
DIGITS_MAX: Final = 40
"""Of an amount, before its point: far more than anybody has, and few enough to reckon with."""
OPENING_BET: Final = "_opening_bet"
STRADDLE: Final = "_straddle"
DEAD_POSTS: Final = "_dead_posts"
SEVEN_DEUCE: Final = "_seven_deuce"


class PhhCode(StrEnum):
    """Why a hand in a file cannot be read or played, where the rules' own codes do not say it."""

    PHH_NOT_TOML = "PHH_NOT_TOML"
    PHH_NO_HANDS = "PHH_NO_HANDS"
    PHH_HAND_TOO_LONG = "PHH_HAND_TOO_LONG"
    PHH_FIELD_MISSING = "PHH_FIELD_MISSING"
    PHH_BAD_FIELD = "PHH_BAD_FIELD"
    PHH_WRONG_VARIANT = "PHH_WRONG_VARIANT"
    PHH_BAD_ACTION = "PHH_BAD_ACTION"
    PHH_BAD_CARDS = "PHH_BAD_CARDS"
    PHH_NO_SUCH_PLAYER = "PHH_NO_SUCH_PLAYER"
    PHH_TOO_MANY_DECIMALS = "PHH_TOO_MANY_DECIMALS"
    PHH_REPEATED_CARD = "PHH_REPEATED_CARD"
    PHH_TOO_MANY_CARDS = "PHH_TOO_MANY_CARDS"
    PHH_BOARD_TOO_EARLY = "PHH_BOARD_TOO_EARLY"
    PHH_BOARD_MISSING = "PHH_BOARD_MISSING"
    PHH_NOT_IN_HAND = "PHH_NOT_IN_HAND"
    PHH_WINNER_UNKNOWN = "PHH_WINNER_UNKNOWN"
    HISTORY_BAD_HEADING = "HISTORY_BAD_HEADING"
    HISTORY_BAD_LINE = "HISTORY_BAD_LINE"
    HISTORY_NO_SUCH_NAME = "HISTORY_NO_SUCH_NAME"
    HISTORY_TWO_BOARDS = "HISTORY_TWO_BOARDS"
    OHH_NOT_JSON = "OHH_NOT_JSON"
    OHH_BAD_FIELD = "OHH_BAD_FIELD"


class PhhHand(msgspec.Struct, frozen=True):
    """One hand: the fields that its play depends on, its name, and all fields as they were written."""

    name: str
    stacks: tuple[Decimal, ...]
    """Infinite where the stack is not known."""
    antes: tuple[Decimal, ...]
    blinds: tuple[Decimal, ...]
    """Negative for a post that does not move the place of the first to act."""
    bet_min: Decimal
    antes_trimmed: bool
    opening_bet: Decimal
    """What a call before the flop costs at least, though the blinds be short: a field of our own files."""
    actions: tuple[str, ...]
    straddle: Decimal = Decimal(0)
    """What the least raise before the flop must add because of a straddle: a field of our own files."""
    dead_posts: tuple[Decimal, ...] = ()
    """Of the antes, what is a dead blind: a field of our own files."""
    seven_deuce: tuple[Decimal, ...] = ()
    """What players paid each other after the hand for a seven and a deuce, negative for who paid: our own files."""
    finishing_stacks: tuple[Decimal, ...] | None = None
    winnings: tuple[Decimal, ...] | None = None
    """What each player took from the pots, after rake."""
    players: tuple[str, ...] = ()
    rules: HoldemRules = RULES[NO_LIMIT_HOLDEM]
    sources: tuple[str, ...] = ()
    """The lines of another format that the actions were made from; none in PHH itself."""
    fields: Mapping[str, Any] = {}


class Entry(msgspec.Struct, frozen=True):
    """A hand of a file, or why it is none."""

    name: str
    hand: PhhHand | Refusal


class HoleDealing(msgspec.Struct, frozen=True):
    player: int
    cards: tuple[Card | None, ...]


class BoardDealing(msgspec.Struct, frozen=True):
    cards: tuple[Card, ...]


class Folding(msgspec.Struct, frozen=True):
    player: int


class CheckingOrCalling(msgspec.Struct, frozen=True):
    player: int


class BettingTo(msgspec.Struct, frozen=True):
    player: int
    amount: Decimal


class Showing(msgspec.Struct, frozen=True):
    """Shows these cards; all of them unknown, or none, is a muck. `dealt` shows what was dealt."""

    player: int
    cards: tuple[Card | None, ...] = ()
    dealt: bool = False


class Remark(msgspec.Struct, frozen=True):
    """Commentary only."""


PhhAction: TypeAlias = HoleDealing | BoardDealing | Folding | CheckingOrCalling | BettingTo | Showing | Remark


def entry(name: str, fields: Mapping[str, Any], sources: tuple[str, ...] = ()) -> Entry:
    """The hand that these fields are, with this name unless they give it another."""
    own = fields.get("hand")
    name = str(own) if isinstance(own, str | int) else name
    return Entry(name, _hand(name, fields, sources))


def wrong_variant(name: str) -> Refusal:
    """Why a hand of this game, named by its code or in words, is not taken."""
    allowed = ", ".join(f"{NAMES[code]} ({code})" for code in PLAYED)
    named = f"{NAMES[name]} ({name})" if name in NAMES else name
    return Refusal(PhhCode.PHH_WRONG_VARIANT, {"variant": named, "allowed": allowed})


def _hand(name: str, fields: Mapping[str, Any], sources: tuple[str, ...]) -> PhhHand | Refusal:
    variant = fields.get("variant")
    if variant is None:
        return Refusal(PhhCode.PHH_FIELD_MISSING, {"field": "variant"})
    if variant not in PLAYED:
        return wrong_variant(str(variant))
    own = fields.get(OWN_RULES)
    rules = rules_of(str(variant), own) if own is None or isinstance(own, Mapping) else None
    if rules is None:
        return _bad(fields, OWN_RULES)
    bet_field = "small_bet" if rules.betting is Betting.FIXED_LIMIT else "min_bet"
    for field in ("antes", "blinds_or_straddles", bet_field, "starting_stacks", "actions"):
        if field not in fields:
            return Refusal(PhhCode.PHH_FIELD_MISSING, {"field": field})
    stacks = _amounts(fields["starting_stacks"])
    if not stacks or not all(stack > 0 for stack in stacks):
        return _bad(fields, "starting_stacks")
    antes, blinds = _padded(fields["antes"], len(stacks)), _padded(fields["blinds_or_straddles"], len(stacks))
    if antes is None or not all(ante.is_finite() and ante >= 0 for ante in antes):
        return _bad(fields, "antes")
    if blinds is None or not all(blind.is_finite() for blind in blinds):
        return _bad(fields, "blinds_or_straddles")
    bet_min = _amount(fields[bet_field])
    if bet_min is None or not bet_min.is_finite() or bet_min <= 0:
        return _bad(fields, bet_field)
    if "big_bet" in fields and bet_field == "small_bet" and _amount(fields["big_bet"]) != 2 * bet_min:
        return _bad(fields, "big_bet")
    opening_bet = _amount(fields.get(OPENING_BET, 0))
    if opening_bet is None or not opening_bet.is_finite() or opening_bet < 0:
        return _bad(fields, OPENING_BET)
    straddle = _amount(fields.get(STRADDLE, 0))
    if straddle is None or not straddle.is_finite() or straddle < 0:
        return _bad(fields, STRADDLE)
    dead = _one_each(fields.get(DEAD_POSTS), len(stacks)) or ()
    if DEAD_POSTS in fields and not (dead and all(part <= ante for part, ante in zip(dead, antes, strict=True))):
        return _bad(fields, DEAD_POSTS)
    bonus = _amounts(fields.get(SEVEN_DEUCE, [])) or ()
    fits = len(bonus) == len(stacks) and all(part.is_finite() for part in bonus) and not sum(bonus)
    if SEVEN_DEUCE in fields and not fits:
        return _bad(fields, SEVEN_DEUCE)
    actions = fields["actions"]
    if not isinstance(actions, list) or not all(isinstance(action, str) for action in actions):
        return _bad(fields, "actions")
    trimmed = fields.get("ante_trimming_status", False)
    if not isinstance(trimmed, bool):
        return _bad(fields, "ante_trimming_status")
    players = fields.get("players", ())
    return PhhHand(
        name=name,
        stacks=stacks,
        antes=antes,
        blinds=blinds,
        bet_min=bet_min,
        antes_trimmed=trimmed,
        opening_bet=opening_bet,
        actions=tuple(actions),
        straddle=straddle,
        dead_posts=dead,
        seven_deuce=bonus,
        finishing_stacks=_one_each(fields.get("finishing_stacks"), len(stacks)),
        winnings=_one_each(fields.get("winnings"), len(stacks)),
        players=tuple(map(str, players)) if isinstance(players, list) else (),
        rules=rules,
        sources=sources,
        fields=fields,
    )


def with_dead_posts(hand: PhhHand) -> PhhHand | None:
    """The hand with every small blind that was posted out of turn lying in the pot; None where there is none."""
    full = max(hand.blinds)
    dead = tuple(-post if -full < post < 0 else Decimal(0) for post in hand.blinds)
    if not any(dead):
        return None
    nothing = (Decimal(0),) * len(dead)
    return msgspec.structs.replace(
        hand,
        blinds=tuple(Decimal(0) if part else post for post, part in zip(hand.blinds, dead, strict=True)),
        antes=tuple(map(add, hand.antes, dead)),
        dead_posts=tuple(map(add, hand.dead_posts or nothing, dead)),
    )


def _one_each(values: object, players: int) -> tuple[Decimal, ...] | None:
    """An amount for each player, none of them negative; None where the field is anything else."""
    amounts = _amounts(values)
    return amounts if amounts and len(amounts) == players and min(amounts) >= 0 else None


def _bad(fields: Mapping[str, Any], field: str) -> Refusal:
    value = fields[field]
    written = f"[{', '.join(map(str, value))}]" if isinstance(value, list) else str(value)
    return Refusal(PhhCode.PHH_BAD_FIELD, {"field": field, "value": written[:80]})


def _amount(value: object) -> Decimal | None:
    """A number of the file, exactly; None where it is none."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        return None
    amount = Decimal(value)
    return amount if amount.is_infinite() or _is_writable(amount) else None


def _amounts(values: object) -> tuple[Decimal, ...] | None:
    if not isinstance(values, list):
        return None
    amounts = tuple(_amount(value) for value in values)
    return None if None in amounts else tuple(amount for amount in amounts if amount is not None)


def _padded(values: object, count: int) -> tuple[Decimal, ...] | None:
    """A list that may be shorter than the players are many: the rest is 0."""
    amounts = _amounts(values)
    if amounts is None or len(amounts) > count:
        return None
    return amounts + (Decimal(0),) * (count - len(amounts))


def parse(text: str) -> PhhAction | Refusal:
    """One action. What follows `#` is commentary."""
    words = text.split("#", 1)[0].split()
    match words:
        case []:
            return Remark()
        case ["d", "db", *cards] if cards:
            known = _cards("".join(cards))
            if known is None or None in known:
                return Refusal(PhhCode.PHH_BAD_CARDS, {"cards": " ".join(cards)})
            return BoardDealing(tuple(card for card in known if card is not None))
        case ["d", "dh", player, *cards] if cards:
            return _with_cards(text, player, cards, HoleDealing)
        case [player, "f"]:
            return _of_player(text, player, Folding)
        case [player, "cc"]:
            return _of_player(text, player, CheckingOrCalling)
        case [player, "cbr", amount]:
            number, value = _player(player), _decimal(amount)
            if number is None or value is None:
                return Refusal(PhhCode.PHH_BAD_ACTION, {"action": text})
            return BettingTo(number, value)
        case [player, "sm"]:
            return _of_player(text, player, Showing)
        case [player, "sm", "-"]:
            number = _player(player)
            return Refusal(PhhCode.PHH_BAD_ACTION, {"action": text}) if number is None else Showing(number, dealt=True)
        case [player, "sm", *cards]:
            return _with_cards(text, player, cards, Showing)
        case _:
            return Refusal(PhhCode.PHH_BAD_ACTION, {"action": text})


def _of_player(
    text: str, player: str, kind: type[Folding] | type[CheckingOrCalling] | type[Showing]
) -> PhhAction | Refusal:
    number = _player(player)
    return Refusal(PhhCode.PHH_BAD_ACTION, {"action": text}) if number is None else kind(number)


def _with_cards(
    text: str, player: str, words: list[str], kind: type[HoleDealing] | type[Showing]
) -> PhhAction | Refusal:
    number, cards = _player(player), _cards("".join(words))
    if number is None:
        return Refusal(PhhCode.PHH_BAD_ACTION, {"action": text})
    if cards is None:
        return Refusal(PhhCode.PHH_BAD_CARDS, {"cards": " ".join(words)})
    return kind(number, cards)


def _player(word: str) -> int | None:
    number = word.removeprefix("p")
    if number == word or not (number.isascii() and number.isdigit() and len(number) <= 4 and int(number)):
        return None
    return int(number) - 1


def _decimal(word: str) -> Decimal | None:
    try:
        amount = Decimal(word.replace(",", ""))
    except InvalidOperation:
        return None
    return amount if _is_writable(amount) else None


def _is_writable(amount: Decimal) -> bool:
    """Whether this is a number that can be written out: an exponent makes some that no memory could hold."""
    return amount.is_finite() and amount.adjusted() < DIGITS_MAX


def _cards(word: str) -> tuple[Card | None, ...] | None:
    """The cards of `AhKs` or `????`; None where it is neither."""
    pieces = [word[start : start + 2] for start in range(0, len(word), 2)]
    try:
        return tuple(None if piece == "??" else Card(piece) for piece in pieces)
    except ValueError:
        return None
