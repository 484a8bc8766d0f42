"""Players, posts and actions of a foreign history, turned into the fields of a PHH hand.

A reader of another format tells what it finds, line by line; `HandNotes` knows who sits where and how PHH wants it:
the first player sits left of the button, the last on it, heads-up the forced bets stand the other way round, a blind
that was posted out of turn is negative, and a dead post counts as an ante that everybody plays for.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

from croupier.games.poker.histories.phh.notation import DEAD_POSTS, OPENING_BET, SEVEN_DEUCE
from croupier.games.poker.histories.phh.variants import NO_LIMIT_HOLDEM, OWN_RULES, RULES, code_of
from croupier.games.poker.rules.config import Betting

HEADS_UP: Final = 2
_BOARD: Final = "d db"


class HandNotes:
    """What a history said of one hand so far. Players are known by any name that tells them apart."""

    def __init__(self) -> None:
        self.stacks: dict[str, Decimal] = {}
        self.seats: dict[str, int] = {}
        self.button = 0
        self.small_blind = self.big_blind = Decimal(0)
        self.rules = RULES[NO_LIMIT_HOLDEM]
        self.blinds: dict[str, Decimal] = {}
        self.antes: dict[str, Decimal] = {}
        self.dead: dict[str, Decimal] = {}
        self.out_of_turn: set[str] = set()
        self.cards: dict[str, str] = {}
        self.winnings: dict[str, Decimal] = {}
        self.seven_deuce: dict[str, Decimal] = {}
        self.price = Decimal(0)
        """What a call before the flop costs at least, where the posts do not say it because one is short."""
        self.runs = 1
        """How often the rest of the board was dealt."""
        self.actions: list[tuple[str, str]] = []
        """A template with the player's place, or a whole action; and the line that it comes from."""

    def post(self, player: str, kind: str, amount: Decimal, *, all_in: bool) -> None:
        """Note a forced bet: `ante`, `small`, `big`, `straddle`, `extra` (live, out of turn) or `dead`."""
        match kind:
            case "ante":
                self.antes[player] = amount
            case "dead":
                self.dead[player] = self.dead.get(player, Decimal(0)) + amount
            case _:
                full = {"small": self.small_blind, "straddle": 2 * self.big_blind}.get(kind, self.big_blind)
                self.blinds[player] = max(amount, full) if all_in else amount
                if all_in and amount < full and kind in {"big", "straddle"}:
                    # A caller pays what should have been posted.
                    self.price = max(self.price, full)
                if kind == "extra":
                    self.out_of_turn.add(player)

    def act(self, player: str, what: str, line: str) -> None:
        self.actions.append((f"{{{player}}} {what}", line))

    def deal_board(self, cards: str, line: str) -> None:
        self.actions.append((f"{_BOARD} {cards}", line))

    @property
    def is_bomb_pot(self) -> bool:
        """Whether nobody acted before the flop."""
        return not self.actions or self.actions[0][0].startswith(_BOARD)

    def order(self, dealt_in: list[str]) -> list[str]:
        """The players from the left of the button on, the button last."""
        return sorted(dealt_in, key=lambda player: (self.seats[player] <= self.button, self.seats[player]))

    def fields(self, dealt_in: list[str]) -> tuple[dict[str, Any], tuple[str, ...]]:
        """The fields that the play depends on, and the line of every action."""
        order = self.order(dealt_in)
        number = {player: f"p{place}" for place, player in enumerate(order, start=1)}
        turned = -1 if len(order) == HEADS_UP else 1
        ante = max(self.antes.values(), default=Decimal(0))
        antes = [(ante if player in self.antes else Decimal(0)) + self.dead.get(player, 0) for player in order]
        blinds = [self._blind(player) for player in order]
        actions, sources = [], []
        for player in order:
            actions.append(f"d dh {number[player]} {self.cards.get(player, '??' * self.rules.hole_cards)}")
            sources.append(actions[-1])
        for template, line in self.actions:
            actions.append(_filled(template, number))
            sources.append(line)
        bet = self.big_blind
        code, own = code_of(self.rules)
        own |= {"run_times": self.runs} if self.runs > 1 else {}
        is_fixed = self.rules.betting is Betting.FIXED_LIMIT
        fields: dict[str, Any] = {
            "variant": code,
            **({OWN_RULES: own} if own else {}),
            "ante_trimming_status": sum(1 for each in antes if each) > 1,
            "antes": antes[::turned],
            "blinds_or_straddles": blinds[::turned],
            **({"small_bet": bet, "big_bet": 2 * bet} if is_fixed else {"min_bet": bet}),
            "starting_stacks": [self.stacks[player] for player in order],
            "actions": actions,
            "seats": [self.seats[player] for player in order],
        }
        if self.dead:
            fields[DEAD_POSTS] = [self.dead.get(player, Decimal(0)) for player in order][::turned]
        if self.price:
            fields[OPENING_BET] = self.price
        if self.seven_deuce:
            fields[SEVEN_DEUCE] = [self.seven_deuce[player] for player in order]
        if self.winnings:
            fields["winnings"] = [self.winnings.get(player, Decimal(0)) for player in order]
        return fields, tuple(sources)

    def _blind(self, player: str) -> Decimal:
        blind = self.blinds.get(player, Decimal(0))
        return -blind if player in self.out_of_turn else blind


def _filled(template: str, number: Mapping[str, str]) -> str:
    """The action with the place of its player."""
    player, closed, rest = template[1:].partition("} ")
    return f"{number[player]} {rest}" if template.startswith("{") and closed else template
