"""Hold'em in numbers. Amounts are parts of all chips at the table; seats are counted from the player's own, clockwise.

An observation tells the whole hand: besides the situation it has the last actions, those of earlier streets included.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from random import Random
from typing import Final, Self

from msgspec.structs import replace

from croupier.cards import PACK
from croupier.game.game import Offer
from croupier.games.poker import Bet, HoldemAction, HoldemRules, HoldemSetup, HoldemView, Raise
from croupier.games.poker.rules.actions import ALL_IN, CALL, CHECK, FOLD, MUCK, SHOW, RunIt, ShowCard
from croupier.games.poker.rules.config import RUNS_MAX, SEATS_MAX
from croupier.games.poker.rules.events import Acted, Move, Post, Posted, Street, StreetDealt
from croupier.lab.environments.parts import Layout, Part, marks, part_of
from croupier.lab.environments.pot_shares import checked_shares, share_names

HISTORY: Final = 64
"""How many of the hand's last actions an observation has."""
ACTION_FACTS: Final = 5
BOARDS_MAX: Final = 3
SEEN_CARDS: Final = 6
STREETS: Final = (Street.PREFLOP, Street.FLOP, Street.TURN, Street.RIVER, Street.SHOWDOWN)
LAST_STREET: Final = STREETS.index(Street.RIVER)
SEAT_FACTS: Final = 7
MOVES: Final = tuple(Move)
POT_SHARES: Final = {"raise_half_pot": 0.5, "raise_pot": 1.0, "raise_two_pots": 2.0}
"""Bets and raises by a share of the pot, as it is after a call."""
RUNS: Final = {f"run_{times}": times for times in range(1, RUNS_MAX + 1)}
"""How often the rest of the board may be dealt."""
SHOWN_CARDS: Final = {f"show_card_{card + 1}": card for card in range(SEEN_CARDS)}


def _action_names(sizes: Iterable[str]) -> tuple[str, ...]:
    return ("fold", "check_or_call", "raise_least", *sizes, "all_in", "show", "muck", *RUNS, *SHOWN_CARDS)


_FIXED: Final[tuple[tuple[str, tuple[HoldemAction, ...]], ...]] = (
    ("fold", (FOLD,)),
    ("check_or_call", (CHECK, CALL)),
    ("all_in", (ALL_IN,)),
    ("show", (SHOW,)),
    ("muck", (MUCK,)),
)


class HoldemEncoding:
    """Rewards are in big blinds."""

    layout = Layout(
        (
            Part("own_cards", 52, "1 for each of the player's own cards, in the order of cards.PACK"),
            Part("board", 52, "the same for the board"),
            Part("street", len(STREETS), "before the flop, flop, turn, river, showdown"),
            Part("amounts", 3, "the pot with all bets, the bet to be met, what a call costs"),
            Part(
                "seats",
                SEATS_MAX * SEAT_FACTS,
                "for each seat from the player's own: is there, is in, is all-in, stack, bet, button, turn",
            ),
            Part("other_boards", (BOARDS_MAX - 1) * 52, "as `board`, for the boards after the first"),
            Part(
                "seen_cards",
                SEATS_MAX * SEEN_CARDS,
                "for each seat from the player's own: its cards if seen, as their places in cards.PACK + 1 out of 52",
            ),
            Part(
                "history",
                HISTORY * ACTION_FACTS,
                "the last actions from the oldest: 1, seat from the player's own out of 10, street before the "
                "flop 0 to river 1, move from fold 0 to raise 1, what the seat had bet on the street then; else 0",
            ),
        ),
        _action_names(POT_SHARES),
    )

    def __init__(self, rules: HoldemRules) -> None:
        self._shares: Mapping[str, float] = POT_SHARES
        self.unit = rules.first_big_blind

    def with_pot_shares(self, shares: Sequence[float]) -> Self:
        """The same encoding with other sizes of bets and raises."""
        sizes = checked_shares(shares)
        sized = copy(self)
        sized._shares = dict(zip(share_names(sizes), sizes, strict=True))
        sized.layout = replace(self.layout, actions=_action_names(sized._shares))
        return sized

    def setup(self, setup: HoldemSetup, random: Random) -> HoldemSetup:
        return replace(setup, button=random.randrange(len(setup.stacks)))

    def observe(self, view: HoldemView, seat: int) -> Mapping[str, Sequence[float]]:
        all_chips = view.total + sum(each.chips for each in view.seats)
        seats: list[float] = []
        for place in range(SEATS_MAX):
            if place >= len(view.seats):
                seats += [0.0] * SEAT_FACTS
                continue
            shown = view.seats[(seat + place) % len(view.seats)]
            seats += (1.0, float(shown.in_hand), float(shown.all_in))
            seats += (part_of(shown.chips, all_chips), part_of(shown.bet, all_chips))
            seats += (float(shown.seat == view.button), float(shown.seat in view.to_act))
        boards = [marks(52, (card.number for card in board)) for board in view.other_boards]
        boards += [[0.0] * 52 for _ in range(BOARDS_MAX - 1 - len(boards))]
        return {
            "own_cards": marks(52, (card.number for card in view.seats[seat].cards if card is not None)),
            "board": marks(52, (card.number for card in view.board)),
            "street": [float(view.street is street) for street in STREETS],
            "amounts": [part_of(amount, all_chips) for amount in (view.total, view.bet, view.to_call)],
            "seats": seats,
            "other_boards": [value for board in boards for value in board],
            "seen_cards": _seen_cards(view, seat),
            "history": _history(view, seat, all_chips),
        }

    def describe(self, observation: Sequence[float]) -> str:
        """An observation in words. Amounts are percentages of all chips at the table."""
        if len(observation) != self.layout.size:
            raise ValueError(f"an observation of poker has {self.layout.size} numbers, not {len(observation)}")
        parts = {part.name: [float(n) for n in observation[self.layout.place(part.name)]] for part in self.layout.parts}
        return "\n".join(_lines(parts))

    def choices(self, view: HoldemView, menu: tuple[Offer[HoldemAction], ...]) -> dict[int, HoldemAction]:
        number = self.layout.actions.index
        offered = {offer.action: offer for offer in menu}
        found: dict[int, HoldemAction] = {}
        for name, actions in _FIXED:
            for action in actions:
                if action in offered:
                    found[number(name)] = action
        for offer in menu:
            if isinstance(offer.action, RunIt):
                found |= {number(name): offer.choose(times) for name, times in RUNS.items() if times <= offer.high}
            elif isinstance(offer.action, ShowCard):
                found |= {number(name): offer.choose(card) for name, card in SHOWN_CARDS.items() if card in offer.among}
        sized = next((offer for offer in menu if isinstance(offer.action, Bet | Raise)), None)
        if sized is not None:
            found |= {number(name): action for name, action in _sizes(view, sized, self._shares).items()}
        return found


def _sizes(view: HoldemView, offer: Offer[HoldemAction], shares: Mapping[str, float]) -> dict[str, HoldemAction]:
    """The bets and raises: each size once, and none that is an all-in, which has a number of its own."""
    wanted = {"raise_least": offer.low}
    for name, share in shares.items():
        wanted[name] = max(offer.low, view.bet + round(share * (view.total + view.to_call)))
    found: dict[str, HoldemAction] = {}
    used: set[int] = set()
    for name, amount in wanted.items():
        if amount < offer.high and amount not in used:
            used.add(amount)
            found[name] = offer.choose(amount)
    return found


def _seen_cards(view: HoldemView, seat: int) -> list[float]:
    values: list[float] = []
    for place in range(SEATS_MAX):
        cards = view.seats[(seat + place) % len(view.seats)].cards if place < len(view.seats) else ()
        seen = [(card.number + 1) / 52 if card is not None else 0.0 for card in cards]
        values += seen + [0.0] * (SEEN_CARDS - len(seen))
    return values


def _history(view: HoldemView, seat: int, all_chips: int) -> list[float]:
    """The actions of the view's history; nothing where the view has none."""
    street, bets = 0, dict[int, int]()
    acted: list[tuple[float, ...]] = []
    for event in view.history:
        match event:
            case Posted(seat=poster, amount=amount, post=post) if post is not Post.ANTE:
                bets[poster] = bets.get(poster, 0) + amount
            case StreetDealt(board=0):
                street, bets = STREETS.index(event.street), {}
            case Acted(seat=actor, move=move):
                bets[actor] = max(event.to, bets.get(actor, 0))
                place = (actor - seat) % len(view.seats) / SEATS_MAX
                kind = MOVES.index(move) / (len(MOVES) - 1)
                acted.append((1.0, place, street / LAST_STREET, kind, part_of(bets[actor], all_chips)))
            case _:
                pass
    values = [fact for facts in acted[-HISTORY:] for fact in facts]
    return values + [0.0] * (HISTORY * ACTION_FACTS - len(values))


def _lines(parts: Mapping[str, list[float]]) -> Iterator[str]:
    street = STREETS[parts["street"].index(1.0)].lower() if any(parts["street"]) else "over"
    boards = [parts["board"], *_grouped(parts["other_boards"], 52)]
    shown = " / ".join(_cards(board) for board in boards if any(board)) or "-"
    yield f"{street}, board: {shown}, own cards: {_cards(parts['own_cards']) or '-'}"
    pot, bet, to_call = (100 * amount for amount in parts["amounts"])
    yield f"pot {pot:.1f} %, bet {bet:.1f} %, to call {to_call:.1f} %"
    seen = _grouped(parts["seen_cards"], SEEN_CARDS)
    for place, (is_there, inside, all_in, stack, own_bet, button, turn) in enumerate(
        _grouped(parts["seats"], SEAT_FACTS)
    ):
        if not is_there:
            continue
        cards = " ".join(str(PACK[round(value * 52) - 1]) for value in seen[place] if value)
        facts = (
            ("not in the hand", not inside),
            ("all-in", all_in),
            ("button", button),
            ("to act", turn),
            (cards, cards),
        )
        words = "".join(f", {word}" for word, is_so in facts if is_so)
        yield f"seat +{place}: stack {100 * stack:.1f} %, bet {100 * own_bet:.1f} %{words}"
    for is_there, seat, at, move, to in _grouped(parts["history"], ACTION_FACTS):
        if is_there:
            when = STREETS[round(at * LAST_STREET)].lower()
            name = MOVES[round(move * (len(MOVES) - 1))].lower()
            yield f"{when}: seat +{round(seat * SEATS_MAX)} {name}, bet {100 * to:.1f} %"


def _grouped(values: Sequence[float], size: int) -> list[Sequence[float]]:
    return [values[start : start + size] for start in range(0, len(values), size)]


def _cards(places: Sequence[float]) -> str:
    return " ".join(str(PACK[number]) for number, mark in enumerate(places) if mark)
