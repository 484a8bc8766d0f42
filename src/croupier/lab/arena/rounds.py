"""Rounds of the arena: every deal is played once in every seating, and every round can be proved and replayed.

`shuffle-1` shuffles the cards. The server seed comes from the match's seed, the client seed from that and the deal's
number. So a block of deals can be played anywhere, and the number of workers changes nothing. The records of one
seating follow each other as the scheme demands. Seatings share their shuffles, so each has a file of its own.
"""

from collections import Counter
from hashlib import sha256
from random import Random
from time import perf_counter
from typing import Any, Final

import msgspec

from croupier.game.game import AnyRules, offered
from croupier.game.refusal import Refusal
from croupier.game.registry import GAMES
from croupier.lab.arena.entrants import UNREADABLE, BotError, seat_bot
from croupier.table.record import line, record
from croupier.table.round import Round, Seeds, begin

BLOCK_DEALS: Final = 25
"""Deals of a block. Programs are restarted for each block, so their memory does not depend on the workers."""
FAULT_TEXTS_MAX: Final = 3
TEXT_CHARACTERS_MAX: Final = 200


class Match(msgspec.Struct, frozen=True):
    """A match to be played."""

    rules: AnyRules
    bots: tuple[str, ...]
    seats: int
    deals: int
    seed: int
    seconds_max: float
    records: bool
    """Whether records are written."""

    @property
    def is_solo(self) -> bool:
        """Whether the game has one seat: every bot plays against the house."""
        return self.rules.seat_range[1] == 1

    @property
    def seatings(self) -> int:
        """How many times each deal is played."""
        return len(self.bots)

    @property
    def blocks(self) -> int:
        return -(-self.deals // BLOCK_DEALS)

    def bot_at(self, seating: int, seat: int) -> int:
        """The bot in a seat. From one seating to the next, every bot moves on by one seat."""
        return (seat - seating) % len(self.bots)

    def seeds(self, deal: int) -> Seeds:
        server_seed = sha256(f"croupier arena {self.seed}".encode()).hexdigest()
        return Seeds(server_seed, f"deal {deal} of match {self.seed}")


class Usage(msgspec.Struct):
    """A bot's time and faults. `faults` counts by code; `examples` has a few texts for each."""

    decisions: int = 0
    seconds: float = 0.0
    seconds_longest: float = 0.0
    faults: dict[str, int] = {}
    examples: dict[str, list[str]] = {}

    def __add__(self, other: "Usage") -> "Usage":
        examples = {
            code: [*self.examples.get(code, ()), *other.examples.get(code, ())][:FAULT_TEXTS_MAX]
            for code in (*self.examples, *other.examples)
        }
        return Usage(
            self.decisions + other.decisions,
            self.seconds + other.seconds,
            max(self.seconds_longest, other.seconds_longest),
            dict(Counter(self.faults) + Counter(other.faults)),
            examples,
        )

    def fault(self, code: str, text: str) -> None:
        self.faults[code] = self.faults.get(code, 0) + 1
        examples = self.examples.setdefault(code, [])
        if len(examples) < FAULT_TEXTS_MAX and text not in examples:
            examples.append(text)


class DealScore(msgspec.Struct, frozen=True, array_like=True):
    """Each bot's result of one deal over all its seatings: chips or points, and half points.

    A round won is 2 half points, a round without gain or loss 1.
    """

    net: tuple[int, ...]
    half_points: tuple[int, ...]


class Block(msgspec.Struct, frozen=True):
    """The results of a block of deals. `records` has the lines of each seating, in the order of the deals."""

    number: int
    scores: tuple[DealScore, ...]
    usage: tuple[Usage, ...]
    records: tuple[tuple[str, ...], ...]


def play_block(match: Match, number: int) -> Block:
    """Play a block of deals. The result depends on these arguments alone, unless a bot depends on the clock."""
    bots = [_Bot(match, spec) for spec in match.bots]
    scores = []
    lines: list[list[str]] = [[] for _ in range(match.seatings)]
    try:
        for deal in range(number * BLOCK_DEALS, min((number + 1) * BLOCK_DEALS, match.deals)):
            net, half_points = [0] * len(bots), [0] * len(bots)
            for seating in range(match.seatings):
                played = _play(match, deal, seating, bots)
                for bot, won in _by_bot(match, seating, played.payouts).items():
                    net[bot] += won
                    half_points[bot] += 1 + (won > 0) - (won < 0)
                if match.records:
                    lines[seating].append(line(record(played)))
            scores.append(DealScore(tuple(net), tuple(half_points)))
    finally:
        for each in bots:
            each.close()
    return Block(number, tuple(scores), tuple(each.usage for each in bots), tuple(map(tuple, lines)))


class _Bot:
    """A bot of the match, with one instance for each of its seats."""

    def __init__(self, match: Match, spec: str) -> None:
        self.usage = Usage()
        self._match = match
        copies = max(match.seats // len(match.bots), 1)
        self._players = [seat_bot(spec, match.rules, match.seconds_max) for _ in range(copies)]

    def new_round(self, chance: str) -> None:
        """Begin a new round, with a source of chance from this text."""
        for place, player in enumerate(self._players):
            try:
                player.new_round(Random(f"{chance} {place}"))
            except BotError as fault:
                self.usage.fault(fault.code, str(fault))

    def decide(self, now: Round, seat: int) -> Round:
        """The round after the bot's decision, or after the rules acted for a late or wrong bot."""
        menu, view = now.menu(seat), now.view(seat)
        player = self._players[seat // len(self._match.bots)]
        started = perf_counter()
        try:
            answer = player.decide(seat, view, menu)
        except BotError as fault:
            self._add_decision(perf_counter() - started)
            self.usage.fault(fault.code, str(fault))
            return now.act(now.rules.absent(now.menu(seat)), seat)
        self._add_decision(perf_counter() - started)
        if not offered(menu, answer):
            code = _refusal_code(now, seat, answer)
            self.usage.fault(code, repr(answer)[:TEXT_CHARACTERS_MAX])
            answer = now.rules.absent(now.menu(seat))
        return now.act(answer, seat)

    def close(self) -> None:
        for player in self._players:
            player.close()

    def _add_decision(self, seconds: float) -> None:
        usage = self.usage
        usage.decisions += 1
        usage.seconds += seconds
        usage.seconds_longest = max(usage.seconds_longest, seconds)


def _play(match: Match, deal: int, seating: int, bots: list[_Bot]) -> Round:
    """Play one round. A bot gets its own seat's view only."""
    seated = sorted({match.bot_at(seating, seat) for seat in range(match.seats)})
    for bot in seated:
        # In a game with one seat, all bots get the same source of chance.
        place = "alone" if match.is_solo else f"{seating} {bot}"
        bots[bot].new_round(f"{match.seed} {deal} {place}")
    now = begin(match.rules, match.rules.setup(match.seats), match.seeds(deal))
    while turn := now.turn:
        now = bots[match.bot_at(seating, turn[0])].decide(now, turn[0])
    return now


def _by_bot(match: Match, seating: int, payouts: tuple[int, ...]) -> dict[int, int]:
    """Each bot's result over its seats."""
    won: dict[int, int] = {}
    for seat, payout in enumerate(payouts):
        bot = match.bot_at(seating, seat)
        won[bot] = won.get(bot, 0) + payout
    return won


def _refusal_code(now: Round, seat: int, answer: Any) -> str:
    """Why a bot's answer is not accepted: the rules' own code if it is an action of the game."""
    try:
        action = msgspec.convert(msgspec.to_builtins(answer), GAMES[now.rules.game].action)
    except (msgspec.ValidationError, TypeError):
        return UNREADABLE
    refused = now.rules.act(now.state, seat, action)
    return refused.code if isinstance(refused, Refusal) else UNREADABLE
