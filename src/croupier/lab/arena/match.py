"""The arena: bots against each other over duplicate deals, on all cores.

Every deal is played once in every seating, so luck with cards and seats cancels out. In a game with one seat, every bot
plays the same deals against the house. Estimates come with a 95 % confidence interval; a deal with all its seatings is
one observation. The same seed gives the same match for any number of workers, unless a bot depends on the clock.
"""

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from math import log10, sqrt
from multiprocessing import get_context
from random import Random
from time import perf_counter
from typing import Any, Final, TypeAlias

import msgspec

from croupier.bots import names
from croupier.game.game import AnyRules
from croupier.game.refusal import OptionError, Refusal
from croupier.game.registry import GAMES
from croupier.lab.arena.entrants import ArenaError, seat_bot
from croupier.lab.arena.rounds import Block, DealScore, Match, Usage, play_block
from croupier.lab.confidence import SIGMAS
from croupier.lab.presets import preset_or_default
from croupier.lab.threads import core_count
from croupier.notebook import table_html
from croupier.table.round import begin

BOTS_MAX: Final = 12
ROUNDS_MAX: Final = 100_000_000
SEED_MAX: Final = 2**63 - 1
SECONDS_DEFAULT: Final = 1.0
WORKERS_MAX: Final = 256
PENDING_BLOCKS_PER_WORKER: Final = 3

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the number of rounds played and of all rounds."""
Recorder: TypeAlias = Callable[[int, Sequence[str]], None]
"""Called with a seating, from 0, and its records in the order of the deals."""


class Estimate(msgspec.Struct, frozen=True):
    """A mean, and half the width of its 95 % confidence interval; None after a single observation."""

    mean: float
    margin: float | None

    @property
    def low(self) -> float:
        return self.mean - (self.margin or 0.0)

    @property
    def high(self) -> float:
        return self.mean + (self.margin or 0.0)


class Standing(msgspec.Struct, frozen=True, rename="camel"):
    """One bot's results in a match."""

    bot: str
    rounds: int
    net: int
    """Chips or points over the whole match."""
    rate: Estimate | None
    """In the game's unit; None for a game without chips."""
    win_rate: Estimate
    """The share of rounds won; a round without gain or loss counts half."""
    decisions: int
    milliseconds_mean: float
    milliseconds_longest: float
    illegal: int
    """How often the rules acted for the bot because it was late or wrong."""
    reasons: dict[str, int]
    examples: dict[str, list[str]]


class Elo(msgspec.Struct, frozen=True):
    """How many points the first of two bots is ahead, by deals won, with a 95 % interval."""

    ahead: float
    low: float
    high: float


class Report(msgspec.Struct, frozen=True, rename="camel"):
    """The results of a match."""

    game: str
    rules: Any
    seed: int
    seats: int
    deals: int
    rounds: int
    unit: str
    """Of `rate`; empty for a game without chips."""
    standings: tuple[Standing, ...]
    """In the order of the bots."""
    elo: Elo | None
    """For two bots."""
    history: tuple[tuple[int, ...], ...]
    """Each bot's net result after every deal."""
    complete: bool
    """Whether all deals of the match were played."""
    seconds: float

    def to_pandas(self) -> Any:
        """The standings as a data frame. Needs pandas."""
        import pandas as pd

        rows = [(each.bot, each.rounds, each.net, each.win_rate.mean, each.illegal) for each in self.standings]
        return pd.DataFrame(rows, columns=["bot", "rounds", "net", "win rate", "illegal"]).set_index("bot")

    def _repr_html_(self) -> str:
        rows = [
            (each.bot, each.rounds, f"{each.net:+}", f"{each.win_rate.mean:.1%}", each.illegal)
            for each in self.standings
        ]
        return table_html(("bot", "rounds", "net", "won", "illegal"), rows, f"{self.game}, seed {self.seed}")


def game_of(bots: Sequence[str]) -> str:
    """The game that has the most of these bots. Raises ArenaError if there is no such game, or several."""
    rosters = {game: names(game) for game in GAMES}
    common = set.intersection(*map(set, rosters.values()))
    known = {game: sum(bot in roster for bot in bots if bot not in common) for game, roster in rosters.items()}
    most = max(known.values())
    best = [game for game, count in known.items() if count == most]
    if not most or len(best) > 1:
        raise ArenaError(Refusal("ARENA_WHICH_GAME", {"allowed": tuple(best)}))
    return best[0]


def make_match(
    game: str,
    bots: Sequence[str],
    rounds: int,
    *,
    preset: str = "",
    seats: int = 0,
    seed: int = 0,
    seconds_max: float = SECONDS_DEFAULT,
    records: bool = False,
) -> Match:
    """A match of at least `rounds` rounds, counting every seating of a deal. Raises ArenaError or RosterError.

    `seats` is a multiple of the number of bots: a bot may have several seats. In a game of teams, two bots make two
    teams. By default every bot has one seat.
    """
    named = GAMES.named(game, preset)
    if named is None:
        raise ArenaError(Refusal("ARENA_NO_GAME", {"game": game, "allowed": tuple(GAMES)}))
    game, preset = named
    presets = GAMES[game].presets
    preset = preset_or_default(game, preset)
    if preset not in presets:
        raise ArenaError(Refusal("ARENA_NO_PRESET", {"game": game, "preset": preset, "allowed": tuple(presets)}))
    rules = presets[preset]
    _check_range("hands", rounds, 1, ROUNDS_MAX)
    _check_range("seed", seed, 0, SEED_MAX)
    if not 0 < seconds_max <= 3600:
        raise _out_of_range("seconds", f"{seconds_max:g}", "0 – 3600")
    is_solo = rules.seat_range[1] == 1
    _check_range("bots", len(bots), min(rules.seat_range[0], 2), BOTS_MAX)
    seats = seats or (1 if is_solo else len(bots))
    if not is_solo and seats % len(bots):
        raise ArenaError(Refusal("ARENA_SEATS", {"seats": seats, "bots": len(bots)}))
    match = Match(rules, tuple(bots), seats, -(-rounds // len(bots)), seed, seconds_max, records)
    _check_playable(match)
    return match


def _check_playable(match: Match) -> None:
    """Check that the table can be opened and every bot exists, before any work begins."""
    try:
        begin(match.rules, match.rules.setup(match.seats))
    except OptionError as error:
        raise ArenaError(error.refusal) from None
    for spec in match.bots:
        seat_bot(spec, match.rules, match.seconds_max, Random(0)).close()


def _check_range(option: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise _out_of_range(option, str(value), f"{low} – {high}")


def _out_of_range(option: str, value: str, allowed: str) -> ArenaError:
    return ArenaError(Refusal("ARENA_RANGE", {"option": option, "value": value, "allowed": allowed}))


def play(
    match: Match,
    *,
    workers: int = 0,
    progress: Progress = lambda done, total: None,
    keep: Recorder = lambda seating, lines: None,
) -> Report:
    """Play a match on `workers` processes, 0 for one a core.

    `keep` gets the records in order. Ctrl-C ends the match with the results so far; if there are none yet, it raises
    KeyboardInterrupt.
    """
    _check_range("workers", workers, 0, WORKERS_MAX)
    started = perf_counter()
    scores: list[DealScore] = []
    usage = [Usage() for _ in match.bots]
    early: dict[int, Block] = {}
    following = 0
    try:
        for block in _blocks(match, min(workers or core_count(), match.blocks)):
            early[block.number] = block
            while following in early:
                ready = early.pop(following)
                following += 1
                scores += ready.scores
                usage = [before + more for before, more in zip(usage, ready.usage, strict=True)]
                for seating, lines in enumerate(ready.records):
                    keep(seating, lines)
            done = len(scores) + sum(len(waiting.scores) for waiting in early.values())
            progress(done * match.seatings, match.deals * match.seatings)
    except KeyboardInterrupt:
        if not scores:
            raise
    return _report(match, scores, usage, perf_counter() - started)


def _blocks(match: Match, workers: int) -> Iterator[Block]:
    """All blocks, as they are ready. Closing the iterator stops the work."""
    if workers == 1:
        yield from (play_block(match, number) for number in range(match.blocks))
        return
    numbers = iter(range(match.blocks))
    pending: set[Future[Block]] = set()
    # Spawn, not fork: a forked copy could hold locks of threads that it does not have.
    with ProcessPoolExecutor(workers, get_context("spawn"), _ignore_interrupts) as pool:
        try:
            while True:
                free = PENDING_BLOCKS_PER_WORKER * workers - len(pending)
                pending |= {pool.submit(play_block, match, number) for number in islice(numbers, free)}
                if not pending:
                    return
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        except BrokenProcessPool:
            raise ArenaError(Refusal("ARENA_WORKER_DIED")) from None
        finally:
            for future in pending:
                future.cancel()


def _ignore_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal. The parent alone ends the match."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _report(match: Match, scores: list[DealScore], usage: list[Usage], seconds: float) -> Report:
    unit, chips = _unit(match.rules)
    rounds_a_deal = 1 if match.is_solo else match.seatings
    standings = []
    for bot, (name, used) in enumerate(zip(bot_names(match.bots), usage, strict=True)):
        net = [score.net[bot] for score in scores]
        rates = [100 * won / rounds_a_deal / chips for won in net]
        wins = [score.half_points[bot] / 2 / rounds_a_deal for score in scores]
        standings.append(
            Standing(
                bot=name,
                rounds=len(scores) * rounds_a_deal,
                net=sum(net),
                rate=estimate(rates) if unit else None,
                win_rate=estimate(wins),
                decisions=used.decisions,
                milliseconds_mean=1000 * used.seconds / max(used.decisions, 1),
                milliseconds_longest=1000 * used.seconds_longest,
                illegal=sum(used.faults.values()),
                reasons=used.faults,
                examples=used.examples,
            )
        )
    return Report(
        game=match.rules.game,
        rules=match.rules,
        seed=match.seed,
        seats=match.seats,
        deals=len(scores),
        rounds=len(scores) * match.seatings,
        unit=unit,
        standings=tuple(standings),
        elo=elo(scores) if len(match.bots) == 2 else None,
        history=_histories(scores, len(match.bots)),
        complete=len(scores) == match.deals,
        seconds=seconds,
    )


def _unit(rules: AnyRules) -> tuple[str, int]:
    """What results are counted in per hundred rounds, and how many chips that is; without chips, empty."""
    if not rules.stacks(rules.setup(rules.seat_range[0])):
        return "", 1
    unit = GAMES[rules.game].unit
    return ("chips/100", 1) if unit is None else (f"{unit.name}/100", unit.chips(rules))


def bot_names(bots: Sequence[str]) -> list[str]:
    """The bots' names in the report: a bot that plays twice gets a number."""
    return [
        name if bots.count(name) == 1 else f"{name} #{bots[: place + 1].count(name)}" for place, name in enumerate(bots)
    ]


def _histories(scores: list[DealScore], bots: int) -> tuple[tuple[int, ...], ...]:
    totals = [0] * bots
    histories: list[list[int]] = [[] for _ in range(bots)]
    for score in scores:
        for bot, won in enumerate(score.net):
            totals[bot] += won
            histories[bot].append(totals[bot])
    return tuple(map(tuple, histories))


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of independent observations with its confidence interval."""
    count = len(values)
    mean = sum(values) / count
    if count < 2:
        return Estimate(mean, None)
    variance = sum((value - mean) ** 2 for value in values) / (count - 1)
    return Estimate(mean, SIGMAS * sqrt(variance / count))


def elo(scores: Sequence[DealScore]) -> Elo:
    """The first bot's lead over the second. A deal, over all its seatings, is won, drawn or lost.

    One win and one loss are added, so that a bot that won every deal has a finite lead.
    """
    results = [(1 + (score.net[0] > score.net[1]) - (score.net[0] < score.net[1])) / 2 for score in scores]
    found = estimate([*results, 1.0, 0.0])
    least = 0.5 / (len(results) + 2)
    return Elo(_elo(found.mean), _elo(max(found.low, least)), _elo(min(found.high, 1 - least)))


def _elo(part: float) -> float:
    return 400 * log10(part / (1 - part))
