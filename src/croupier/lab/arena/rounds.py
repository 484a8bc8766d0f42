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
from croupier.game.policy import Match as PolicyMatch
from croupier.game.refusal import Refusal
from croupier.game.registry import GAMES
from croupier.lab.arena.entrants import UNREADABLE, BotError, SeatedBot, Told, seat_bot
from croupier.table.record import record
from croupier.table.round import Round, Seeds, begin
from croupier.wire.records import line

BLOCK_DEALS: Final = 25
"""Deals of a block. Each block gets new bots, so that what they remember does not depend on the workers."""
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

    def add_decision(self, seconds: float) -> None:
        self.decisions += 1
        self.seconds += seconds
        self.seconds_longest = max(self.seconds_longest, seconds)

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
    """Play a block of deals. The result depends on these arguments alone, unless a bot depends on the clock.

    A bot's objects play all deals of the block in one seating, then new ones play the next: an object never meets the
    same cards twice.
    """
    deals = range(number * BLOCK_DEALS, min((number + 1) * BLOCK_DEALS, match.deals))
    net = [[0] * match.seatings for _ in deals]
    half_points = [[0] * match.seatings for _ in deals]
    lines: list[list[str]] = [[] for _ in range(match.seatings)]
    usage = [Usage() for _ in match.bots]
    for seating in range(match.seatings):
        table = _Table(match, number, seating, usage)
        try:
            for place, deal in enumerate(deals):
                played = table.play(deal)
                for bot, won in _by_bot(match, seating, played.payouts).items():
                    net[place][bot] += won
                    half_points[place][bot] += 1 + (won > 0) - (won < 0)
                if match.records:
                    lines[seating].append(line(record(played)))
        finally:
            table.close()
    scores = tuple(DealScore(tuple(won), tuple(points)) for won, points in zip(net, half_points, strict=True))
    return Block(number, scores, tuple(usage), tuple(map(tuple, lines)))


class _Table:
    """One seating for a block of deals: an object for every seat, which gets its own seat's view and events only."""

    def __init__(self, match: Match, block: int, seating: int, usage: list[Usage]) -> None:
        self._match = match
        self._usage = [usage[match.bot_at(seating, seat)] for seat in range(match.seats)]
        self._payouts: list[list[int]] = [[] for _ in range(match.seats)]
        self._bots: list[SeatedBot] = []
        for seat in range(match.seats):
            bot = match.bot_at(seating, seat)
            # In a game with one seat, all bots get the same source of chance.
            place = "alone" if match.is_solo else f"{seating} {seat}"
            random = Random(f"{match.seed} {block} {place}")
            self._bots.append(seat_bot(match.bots[bot], match.rules, match.seconds_max, random))
            self._tell(seat, "begin", PolicyMatch(match.rules.game, match.rules, seat, match.seats))

    def play(self, deal: int) -> Round:
        """Play one round."""
        match = self._match
        now = begin(match.rules, match.rules.setup(match.seats), match.seeds(deal))
        self._hear(now)
        while turn := now.turn:
            now = self._decide(now, turn[0])
            self._hear(now)
        for seat, payout in enumerate(now.payouts):
            self._payouts[seat].append(payout)
        return now

    def close(self) -> None:
        for seat, bot in enumerate(self._bots):
            self._tell(seat, "end", tuple(self._payouts[seat]))
            bot.close()

    def _hear(self, now: Round) -> None:
        for seat, bot in enumerate(self._bots):
            if bot.observes:
                for event in now.heard(seat):
                    self._tell(seat, "observe", event)

    def _tell(self, seat: int, method: Told, fact: Any) -> None:
        try:
            self._bots[seat].tell(method, fact)
        except BotError as fault:
            self._usage[seat].fault(fault.code, str(fault))

    def _decide(self, now: Round, seat: int) -> Round:
        """The round after the bot's decision, or after the rules acted for a late or wrong bot."""
        menu, view, usage = now.menu(seat), now.view_with_history(seat), self._usage[seat]
        started = perf_counter()
        try:
            answer = self._bots[seat].decide(seat, view, menu)
        except BotError as fault:
            usage.add_decision(perf_counter() - started)
            usage.fault(fault.code, str(fault))
            return now.act(now.rules.absent(now.menu(seat)), seat)
        usage.add_decision(perf_counter() - started)
        if not offered(menu, answer):
            code = _refusal_code(now, seat, answer)
            usage.fault(code, repr(answer)[:TEXT_CHARACTERS_MAX])
            answer = now.rules.absent(now.menu(seat))
        return now.act(answer, seat)


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
