"""Where the chips are: on the table, in the ledger, and what a round must have paid, each counted on its own."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from croupier.cards import Card
from croupier.games.blackjack.rules.state import BlackjackState, Hand
from croupier.games.poker.rules.state import Hand as HoldemHand
from croupier.store.port import Entry
from croupier.table.room import Room
from tests.simulation.truth import History


def faults(history: History) -> Iterator[str]:
    """Every place where chips are made, lost, or in the wrong hands."""
    ledger: Counter[str] = Counter()
    on_table: dict[int, int] = {}
    settled = 0
    for room, append in zip(history.rooms, history.appends, strict=True):
        where = f"{history.table} v{room.version}"
        for entry in append.entries:
            ledger[entry.account] += entry.chips
        seats = tuple(ledger[f"{history.code}/seat/{seat}"] for seat in range(len(room.booked)))
        if seats != room.booked:
            yield f"{where}: the ledger has {seats}, the room {room.booked}"
        ends = room.round is not None and room.round.over and room.hand > settled
        won = _won(append.entries, f"{history.code}/")
        if won != (_payouts(room) if ends else {}):
            yield f"{where}: the ledger moves {won} between seats and house, the round {'paid' if ends else 'goes on'}"
        if room.round is None:
            continue
        chips = room.rules.chips(room.round.state)
        if on_table.setdefault(room.hand, sum(chips)) != sum(chips):
            yield f"{where}: there were {on_table[room.hand]} chips on the table, now {sum(chips)}: {chips}"
        if chips and sum(room.rules.stacks(room.round.setup)) != on_table[room.hand]:
            yield f"{where}: the round began with {room.rules.stacks(room.round.setup)}, and has {chips}"
        if ends:
            settled = room.hand
            yield from (f"{where}: {fault}" for fault in _settlement(room))
        if room.round.over and chips and (stacks := room.rules.stacks(room.setup)) != room.booked[: len(stacks)]:
            yield f"{where}: the seats have {stacks}, the ledger {room.booked}"
    if history.rooms and history.last.rules.game == "poker" and ledger[f"{history.code}/house"]:
        yield f"{history.table}: the house has {ledger[f'{history.code}/house']} chips in a game among players"


def _won(entries: tuple[Entry, ...], prefix: str) -> dict[int, int]:
    """What each seat got from the house, or lost to it. A movement is two entries: the seat's, and the other's."""
    won: Counter[int] = Counter()
    for ours, theirs in zip(entries[::2], entries[1::2], strict=True):
        if theirs.account == f"{prefix}house":
            won[int(ours.account.removeprefix(f"{prefix}seat/"))] += ours.chips
    return {seat: chips for seat, chips in won.items() if chips}


def _payouts(room: Room) -> dict[int, int]:
    """What the round pays each seat in chips."""
    assert room.round is not None
    if not room.rules.chips(room.round.state):
        return {}
    return {seat: chips for seat, chips in enumerate(room.round.payouts) if chips}


def _settlement(room: Room) -> Iterator[str]:
    assert room.round is not None
    payouts = room.round.payouts
    match room.round.state:
        case HoldemHand() as hand:
            if sum(payouts):
                yield f"a hand among players paid {payouts}"
            before = room.round.setup.stacks
            if tuple(after - start for after, start in zip(hand.stacks, before, strict=True)) != payouts:
                yield f"stacks went from {before} to {hand.stacks}, and {payouts} was paid"
        case BlackjackState() as state:
            for number, seat in enumerate(state.seats):
                returned = owed(room.rules, state, number)
                staked = sum(hand.bet for hand in seat.hands) + seat.insurance
                if payouts[number] != returned - staked:
                    yield f"seat {number} staked {staked}, is owed {returned}, and got {payouts[number]} net"
                before = room.round.setup.purses[number]
                if seat.purse != before + payouts[number]:
                    yield f"seat {number} had {before}, got {payouts[number]} and has {seat.purse}"


def owed(rules: Any, state: BlackjackState, number: int) -> int:
    """What the table owes a seat, stakes included."""
    seat = state.seats[number]
    if state.void:
        return sum(hand.bet for hand in seat.hands) + seat.insurance
    blackjack = len(state.dealer) == 2 and _worth(state.dealer) == 21
    insured = 3 * seat.insurance if blackjack else 0
    return insured + sum(_hand_owed(rules, hand, state.dealer, blackjack) for hand in seat.hands)


def _hand_owed(rules: Any, hand: Hand, dealer: tuple[Card, ...], blackjack: bool) -> int:
    ours, theirs = _worth(hand.cards), _worth(dealer)
    if hand.surrendered:
        return 0 if blackjack and rules.surrender == "late" else hand.bet // 2
    if ours > 21:
        return 0
    if ours == 21 and len(hand.cards) == 2 and not hand.split:
        numerator, denominator = rules.blackjack_ratio
        return hand.bet if blackjack else hand.bet + hand.bet * numerator // denominator
    if blackjack:
        return 0
    if theirs > 21 or ours > theirs:
        return 2 * hand.bet
    return hand.bet if ours == theirs else 0


def _worth(cards: tuple[Card, ...]) -> int:
    ranks = [str(card)[0] for card in cards]
    total = sum({"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(rank) or int(rank) for rank in ranks)
    return total + 10 if "A" in ranks and total <= 11 else total
