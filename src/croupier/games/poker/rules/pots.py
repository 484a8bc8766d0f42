"""Bets become pots: what nobody could call goes back, the rest is layered by who can win it."""

from operator import add

from msgspec.structs import replace

from croupier.games.poker.rules.events import BetReturned, Pot, PotsFormed
from croupier.games.poker.rules.state import Broadcast, Hand, changed, tell


def pots(hand: Hand) -> tuple[Pot, ...]:
    """The main pot and the side pots of what has been put in on earlier streets.

    One layer for each amount that a live seat is in for; who folded has left chips in every layer they reached, and
    can win none.
    """
    paid, live = hand.paid, hand.live
    levels = sorted(set(map(paid.__getitem__, live)))
    if len(levels) == 1:
        return (Pot(sum(paid) + hand.dead, live),)
    made = []
    below, amount = 0, hand.dead
    for level in levels:
        # The top layer takes all that is left, so that no chip can fall out whatever a folded seat had in.
        reach = level if level != levels[-1] else max(paid)
        for chips in paid:
            if chips > below:
                amount += (chips if chips < reach else reach) - below
        if amount:
            made.append(Pot(amount, tuple([seat for seat in live if paid[seat] >= level])))
        below, amount = level, 0
    return tuple(made)


def collect(hand: Hand, told: Broadcast) -> Hand:
    """Takes the street's bets in, after giving back what nobody could call; nothing is left to call."""
    if not hand.bet:
        return hand
    if not any(hand.bets):
        return replace(hand, bet=0)
    totals = list(map(add, hand.paid, hand.bets))
    second, highest = sorted(totals)[-2:]
    stacks = hand.stacks
    able = hand.able
    uncalled = highest - second
    if uncalled:
        seat = totals.index(highest)
        totals[seat] = second
        if not stacks[seat]:
            able = tuple([other for other in hand.live if other == seat or other in able])
        stacks = changed(stacks, seat, stacks[seat] + uncalled)
        tell(told, BetReturned(seat, uncalled))
    hand = replace(hand, stacks=stacks, able=able, paid=tuple(totals), bets=(0,) * len(totals), bet=0)
    if len(hand.live) > 1:
        tell(told, PotsFormed(pots(hand)))
    return hand
