"""The end of a hand: pots go to the winners, players without chips are out, and the next hand's setup."""

from operator import sub
from typing import Final

from msgspec.structs import replace

from croupier.game.game import Over
from croupier.games.poker.rules.config import HoldemOptions, Mode, OddChips
from croupier.games.poker.rules.evaluate import WORST, category, five_of
from croupier.games.poker.rules.events import OVER, HandNamed, HandOver, KnockedOut, Pot, PotAwarded
from croupier.games.poker.rules.pots import collect
from croupier.games.poker.rules.setup import HoldemSetup, Statistics, in_play
from croupier.games.poker.rules.state import NOBODY, Hand, Telling, cards_of, tell

_NOT_SHOWN: Final = WORST + 1
"""Worse than any hand."""


def award_uncontested(hand: Hand, told: Telling) -> Hand:
    """Everybody else has folded: no more cards, nothing is shown, the pot is theirs."""
    hand = collect(hand, told)
    winner = hand.live[0]
    amount = sum(hand.paid) + hand.dead
    awards = [PotAwarded(0, amount, (winner,), (amount,))] if amount else []
    return _end(hand, awards, told)


def award(hand: Hand, ranks: dict[int, int], contested: tuple[Pot, ...], told: Telling) -> Hand:
    """Each pot, by itself, goes to the best hands shown among those that can win it; `ranks` are the hands shown."""
    for seat, rank in ranks.items():
        kind = category(rank)
        tell(told, HandNamed(seat, kind, five_of(kind, hand.board + cards_of(hand, seat))))
    return _end(hand, [_awarded(hand, ranks, number, pot) for number, pot in enumerate(contested)], told)


def _awarded(hand: Hand, ranks: dict[int, int], number: int, pot: Pot) -> PotAwarded:
    """Ties split; a pot's seats, and so its winners, are in order from the left of the button."""
    best, winners = _NOT_SHOWN, []
    for seat in pot.seats:
        own = ranks.get(seat, _NOT_SHOWN)
        if own < best:
            best, winners = own, [seat]
        elif own == best:
            winners.append(seat)
    if best == _NOT_SHOWN:
        # Everybody else who could win it has mucked; only a replay that was not shown the cards comes here.
        winner = next(seat for seat in pot.seats if seat not in hand.mucked)
        return PotAwarded(number, pot.amount, (winner,), (pot.amount,))
    share, odd = divmod(pot.amount, len(winners))
    if hand.odd_chips is OddChips.EACH:
        shares = (share + 1,) * odd + (share,) * (len(winners) - odd)
    else:
        shares = (share + odd,) + (share,) * (len(winners) - 1)
    kind = category(best)
    five = five_of(kind, hand.board + cards_of(hand, winners[0]))
    return PotAwarded(number, pot.amount, tuple(winners), shares, kind, five)


def _end(hand: Hand, awards: list[PotAwarded], told: Telling) -> Hand:
    stacks = list(hand.stacks)
    for awarded in awards:
        tell(told, awarded)
        for seat, share in zip(awarded.winners, awarded.shares, strict=True):
            stacks[seat] += share
    began = hand.setup.stacks
    assert sum(stacks) == sum(began), "no chip is lost or made in a hand"
    payouts = tuple(map(sub, stacks, began))
    nothing = (0,) * len(stacks)
    return replace(
        hand,
        awaits=Over(payouts),
        street=OVER,
        stacks=tuple(stacks),
        bets=nothing,
        paid=nothing,
        dead=0,
        turn=NOBODY,
        offers=(),
        awards=tuple(awards),
    )


def close(options: HoldemOptions, hand: Hand, told: Telling) -> Hand:
    """Ranks who went out with this hand of a tournament, and says that the hand is over.

    Who began the hand with more chips goes out in the better place; equal stacks share it.
    """
    assert isinstance(hand.awaits, Over)
    payouts = hand.awaits.payouts
    winner = None
    if not all(hand.stacks) and options.mode is Mode.TOURNAMENT:
        began, places = hand.setup.stacks, list(hand.places)
        staying = [seat for seat, stack in enumerate(hand.stacks) if stack]
        out = [seat for seat in hand.order if not hand.stacks[seat]]
        for seat in out:
            places[seat] = len(staying) + 1 + sum(1 for other in out if began[other] > began[seat])
            tell(told, KnockedOut(seat, places[seat]))
        if len(staying) == 1:
            winner = staying[0]
            places[winner] = 1
        hand = replace(hand, places=tuple(places))
    tell(told, HandOver(hand.stacks, payouts, winner))
    return hand


def settled(options: HoldemOptions, hand: Hand) -> HoldemSetup:
    """What the table looks like between this hand, which is over, and the next.

    The button goes to the next seat clockwise that is dealt in. In a cash game, who has left sits out.
    """
    assert isinstance(hand.awaits, Over)
    away = {*hand.setup.sitting_out} - {*hand.excluded} | {*(hand.left if options.mode is Mode.CASH else ())}
    setup = HoldemSetup(
        stacks=hand.stacks,
        button=hand.setup.button,
        hand=hand.setup.hand + 1,
        statistics=_statistics(hand),
        sitting_out=tuple(sorted(away)),
        places=hand.places,
    )
    playing = in_play(setup)
    return replace(setup, button=playing[0]) if playing else setup


def _statistics(hand: Hand) -> tuple[Statistics, ...]:
    won = {seat for awarded in hand.awards for seat in awarded.winners}
    showdown = set(hand.live) if hand.shown else set()
    before = hand.setup.statistics or (Statistics(),) * len(hand.stacks)
    return tuple(
        Statistics(
            hands=old.hands + (seat in hand.dealt),
            won=old.won + (seat in won),
            vpip=old.vpip + (seat in hand.entered),
            pfr=old.pfr + (seat in hand.raised),
            showdowns=old.showdowns + (seat in showdown),
        )
        for seat, old in enumerate(before)
    )
