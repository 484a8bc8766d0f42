"""What goes in before the cards: antes, blinds, straddles, bomb pots, and the blinds that somebody missed."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

import msgspec
from msgspec.structs import replace

from croupier.games.poker.rules.config import AnteFrom, Betting, BlindsFrom, HoldemOptions, Level
from croupier.games.poker.rules.events import Post
from croupier.games.poker.rules.positions import Positions, positions
from croupier.games.poker.rules.setup import MISSED_BIG, MISSED_SMALL, ForcedBets, HoldemSetup

HEADS_UP: Final = 2
_BLINDS: Final = (Post.SMALL_BLIND, Post.BIG_BLIND, Post.STRADDLE)


def forced_bets(options: HoldemOptions, setup: HoldemSetup, playing: tuple[int, ...], level: int) -> ForcedBets:
    """The blinds and antes of the seats dealt in: as written in the setup, or as level and button have it.

    Heads-up the button has the small blind and acts first; otherwise the small blind is left of the button, the big
    blind next, and who sits left of it acts first.
    """
    if setup.forced is not None:
        return setup.forced
    seats = len(setup.stacks)
    stakes = options.level(level)
    if is_bomb(options, setup):
        return _bomb_pot(stakes, options.bomb_ante, playing, seats)
    placed = positions(options, setup, playing)
    if options.blinds_from is BlindsFrom.BUTTON:
        return _from_button(stakes, options.ante_from, playing, seats)
    straddles = options.straddle and len(playing) > 2
    forced = (
        _straddled(options, stakes, placed, seats)
        if straddles
        else _two_blinds(stakes, options.ante_from, placed, seats)
    )
    return forced if setup.missed is msgspec.UNSET else _returning(forced, setup, stakes, placed)


def is_bomb(options: HoldemOptions, setup: HoldemSetup) -> bool:
    """Whether the hand is a bomb pot: by its number, or because the host asked for one."""
    return setup.bomb is True or options.is_bomb(setup.hand)


@lru_cache(maxsize=1024)  # A table asks for the same few, hand after hand.
def _two_blinds(level: Level, ante_from: AnteFrom, placed: Positions, seats: int) -> ForcedBets:
    """The small blind is not paid where nobody plays whose turn it is."""
    playing = placed.order
    blinds = [0] * seats
    if placed.small in playing:
        blinds[placed.small] = level.small_blind
    blinds[placed.big] = level.big_blind
    antes = [0] * seats
    for seat in (placed.big,) if ante_from is AnteFrom.BIG_BLIND else playing:
        antes[seat] = level.ante
    return ForcedBets(
        blinds=tuple(blinds),
        antes=tuple(antes),
        antes_dead=ante_from is AnteFrom.BIG_BLIND,
        bet_min=level.big_blind,
        reopening_min=level.big_blind,
        opening_bet=level.big_blind,
        first=_after(placed.big, playing)[0],
    )


def _after(seat: int, playing: tuple[int, ...]) -> tuple[int, ...]:
    """The other seats, clockwise after one of them."""
    place = playing.index(seat)
    return playing[place + 1 :] + playing[:place]


@lru_cache(maxsize=1024)
def _from_button(level: Level, ante_from: AnteFrom, playing: tuple[int, ...], seats: int) -> ForcedBets:
    """The button alone posts a blind, and acts last before the flop as after it."""
    button = playing[-1]
    paying = (button,) if ante_from is AnteFrom.BIG_BLIND else playing
    return ForcedBets(
        blinds=tuple(level.big_blind if seat == button else 0 for seat in range(seats)),
        antes=tuple(level.ante if seat in paying else 0 for seat in range(seats)),
        antes_dead=ante_from is AnteFrom.BIG_BLIND,
        bet_min=level.big_blind,
        reopening_min=level.big_blind,
        opening_bet=level.big_blind,
        first=playing[0],
    )


@lru_cache(maxsize=1024)
def _bomb_pot(level: Level, ante: int, playing: tuple[int, ...], seats: int) -> ForcedBets:
    """Everybody posts the same; antes and blinds are not paid."""
    return ForcedBets(
        blinds=tuple(ante if seat in playing else 0 for seat in range(seats)),
        antes=(0,) * seats,
        antes_dead=False,
        bet_min=level.big_blind,
        reopening_min=level.big_blind,
        opening_bet=0,
        first=playing[0],
        bomb=True,
    )


def _straddled(options: HoldemOptions, level: Level, placed: Positions, seats: int) -> ForcedBets:
    """The seat after the big blind posts twice as much and acts last. The straddle is the last full bet: a raise adds
    as much; in fixed-limit a raise is always the small bet."""
    forced = _two_blinds(level, options.ante_from, placed, seats)
    straddler, *others = _after(placed.big, placed.order)
    straddle = 2 * level.big_blind
    is_fixed = options.betting is Betting.FIXED_LIMIT
    return replace(
        forced,
        blinds=(*forced.blinds[:straddler], straddle, *forced.blinds[straddler + 1 :]),
        opening_bet=straddle,
        first=others[0],
        straddle=0 if is_fixed else straddle,
    )


def _returning(forced: ForcedBets, setup: HoldemSetup, level: Level, placed: Positions) -> ForcedBets:
    """Post what returning players missed: a live big blind, a dead small blind. The big blind itself owes no other."""
    owing = tuple([seat for seat in placed.order if setup.owed(seat) and seat != placed.big])
    if not owing:
        return forced
    blinds, dead, returning = list(forced.blinds), [0] * len(setup.stacks), list[int]()
    for seat in owing:
        if setup.owed(seat) & MISSED_BIG and blinds[seat] < level.big_blind:
            blinds[seat] = level.big_blind
            returning.append(seat)
        if setup.owed(seat) & MISSED_SMALL:
            dead[seat] = level.small_blind
    return replace(
        forced,
        blinds=tuple(blinds),
        dead=tuple(dead) if any(dead) else msgspec.UNSET,
        returning=tuple(returning) or msgspec.UNSET,
    )


def blinds_owed(options: HoldemOptions, setup: HoldemSetup, seat: int) -> int:
    """What a seat posts to be dealt in at once: the live and the dead part."""
    missed, level = setup.owed(seat), options.level(options.level_number(setup.hand))
    return level.big_blind * bool(missed & MISSED_BIG) + level.small_blind * bool(missed & MISSED_SMALL)


def blind_names(
    options: HoldemOptions, setup: HoldemSetup, playing: tuple[int, ...], forced: ForcedBets
) -> Mapping[int, Post]:
    """Which blind each seat posts, in the order in which they are posted: the small one first, missed ones last."""
    if setup.forced is not None or options.blinds_from is BlindsFrom.BUTTON:
        return _by_amount(forced.blinds, playing, forced.first)
    placed = positions(options, setup, playing)
    returning = forced.returning or ()
    in_turn = [(placed.small, Post.SMALL_BLIND), (placed.big, Post.BIG_BLIND)]
    if options.straddle and len(playing) > 2:
        in_turn.append((_after(placed.big, playing)[0], Post.STRADDLE))
    named = {seat: post for seat, post in in_turn if seat in playing and seat not in returning}
    return named | dict.fromkeys(returning, Post.MISSED)


@lru_cache(maxsize=1024)  # A table asks for the same few, hand after hand.
def _by_amount(owed: tuple[int, ...], order: tuple[int, ...], first: int) -> Mapping[int, Post]:
    """The names of blinds by what they come to, for hands from elsewhere. A player who posts after the first to act has
    missed a blind."""
    in_turn = order if len(order) == HEADS_UP else order[: order.index(first)] or order
    posting = sorted((seat for seat in in_turn if owed[seat]), key=lambda seat: owed[seat])
    names = _BLINDS[1:] if len(posting) == 1 else _BLINDS
    named = {seat: names[min(place, len(names) - 1)] for place, seat in enumerate(posting)}
    return named | {seat: Post.MISSED for seat in order if owed[seat] and seat not in named}
