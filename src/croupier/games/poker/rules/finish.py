"""The end of a hand: pots go to the winners, players without chips are out, and the next hand's setup."""

from collections.abc import Iterator
from operator import sub
from typing import Final

import msgspec
from msgspec.structs import replace

from croupier.cards import Card
from croupier.game.game import Draw, Offer, Over, UnseenCardError
from croupier.games.poker.rules.actions import MUCK, SHOW, HoldemAction, Show, ShowCard
from croupier.games.poker.rules.config import BOARD_CARDS, HoldemOptions, Mode, OddChips, Split
from croupier.games.poker.rules.events import (
    OVER,
    SHOWDOWN,
    HandNamed,
    HandOver,
    KnockedOut,
    Pot,
    PotAwarded,
    RabbitDealt,
    RakeTaken,
    SevenDeuce,
    Shown,
    Street,
)
from croupier.games.poker.rules.positions import in_play, position_of, positions
from croupier.games.poker.rules.pots import collect
from croupier.games.poker.rules.setup import HoldemSetup, Statistics
from croupier.games.poker.rules.state import (
    BOARD_NAMES,
    NOBODY,
    TURNS,
    Broadcast,
    Hand,
    Pocket,
    Worth,
    all_known,
    boards_of,
    cards_of,
    rabbit_draw,
    tell,
)
from croupier.games.poker.rules.worth import NO_LOW, NOTHING, Made, made_at, made_low, parts

_EACH: Final = OddChips.EACH
_HIGH_LOW: Final = Split.HIGH_LOW
_MUCK: Final = Offer[HoldemAction](MUCK)
_SEVEN_DEUCE: Final = {"7", "2"}


def award_uncontested(hand: Hand, told: Broadcast) -> Hand:
    """Everybody else has folded: no more cards, nothing is shown, the pot is theirs."""
    hand = collect(hand, told)
    winner = hand.live[0]
    amount = sum(hand.paid) + hand.dead
    hand, (pot,) = _raked(hand, (Pot(amount, (winner,)),), told)
    awards = [PotAwarded(0, pot.amount, (winner,), (pot.amount,))] if pot.amount else []
    return _end(hand, awards, told)


def _raked(hand: Hand, contested: tuple[Pot, ...], told: Broadcast) -> tuple[Hand, tuple[Pot, ...]]:
    """The pots after the house took its part: of each, rounded down, no more in all than the cap, and nothing of a hand
    without a flop."""
    permille, cap = hand.options.rake_permille, hand.options.rake_cap
    if not permille or not hand.board:
        return hand, contested
    left, taken = [], 0
    for number, pot in enumerate(contested):
        rake = pot.amount * permille // 1000
        if cap:
            rake = min(rake, cap - taken)
        if rake:
            tell(told, RakeTaken(number, rake))
        taken += rake
        left.append(Pot(pot.amount - rake, pot.seats))
    return replace(hand, rake=taken), tuple(left)


def award(hand: Hand, worths: dict[int, Worth], contested: tuple[Pot, ...], told: Broadcast) -> Hand:
    """Each pot, by itself, goes to the best hands shown among those that can win it; `worths` are the hands shown."""
    boards = boards_of(hand)
    split = parts(hand.options, len(boards))
    made = _named(hand, worths, split, told)
    hand, contested = _raked(hand, contested, told)
    awards: list[PotAwarded] = []
    for number, pot in enumerate(contested):
        if len(split) == 1:
            awards.append(_awarded(hand, worths, number, pot, 0, split[0], made))
            continue
        for part, amount in enumerate(_amounts(pot, worths, split, len(boards))):
            if amount:
                share = Pot(amount, pot.seats)
                awards.append(_awarded(hand, worths, number, share, part, split[part], made))
    return _end(hand, awards, told)


def _named(
    hand: Hand, worths: dict[int, Worth], split: tuple[tuple[int, bool], ...], told: Broadcast
) -> dict[tuple[int, int], Made]:
    """Says what the hands shown have come to on each board; gives it by seat and board."""
    options, boards = hand.options, boards_of(hand)
    pack, used, has_low = options.pack, options.used, options.pot is _HIGH_LOW
    found: dict[tuple[int, int], Made] = {}
    for part, (number, is_low) in enumerate(split):
        if is_low:
            continue
        board = boards[number]
        for seat, own in worths.items():
            hole = cards_of(hand, seat)
            kind, five = found[seat, number] = made_at(own[part], pack, used, hole, board)
            low = made_low(used, hole, board) if has_low else ()
            tell(told, HandNamed(seat, kind, five, number, low))
    return found


def _amounts(pot: Pot, worths: dict[int, Worth], split: tuple[tuple[int, bool], ...], boards: int) -> Iterator[int]:
    """What of a pot each part of it is for: as much for each board, odd chips for the earlier ones; of that, half for
    the low if there is one, and the odd chip for the high."""
    for part, (board, is_low) in enumerate(split):
        for_board = pot.amount // boards + (board < pot.amount % boards)
        low = part if is_low else part + 1
        has_low = low < len(split) and split[low] == (board, True)
        has_low = has_low and any(worths[seat][low] < NO_LOW for seat in pot.seats if seat in worths)
        half = for_board // 2 if has_low else 0
        yield half if is_low else for_board - half


def _awarded(
    hand: Hand,
    worths: dict[int, Worth],
    number: int,
    pot: Pot,
    part: int,
    where: tuple[int, bool],
    made: dict[tuple[int, int], Made],
) -> PotAwarded:
    """Ties split; a pot's seats, and so its winners, are in order from the left of the button."""
    amount, seats = pot.amount, pot.seats
    board, is_low = where
    best, winners = NOTHING, []
    for seat in seats:
        own = worths[seat][part] if seat in worths else NOTHING
        if own < best:
            best, winners = own, [seat]
        elif own == best:
            winners.append(seat)
    if best == NOTHING:
        # Everybody else who could win it has mucked; only a replay that was not shown the cards comes here.
        winner = next(seat for seat in seats if seat not in hand.mucked)
        return PotAwarded(number, amount, (winner,), (amount,), board=board)
    share, odd = divmod(amount, len(winners))
    if hand.options.odd_chips is _EACH:
        shares = (share + 1,) * odd + (share,) * (len(winners) - odd)
    else:
        shares = (share + odd,) + (share,) * (len(winners) - 1)
    if is_low:
        low = made_low(hand.options.used, cards_of(hand, winners[0]), boards_of(hand)[board])
        return PotAwarded(number, amount, tuple(winners), shares, None, low, board, low=True)
    kind, five = made[winners[0], board]
    return PotAwarded(number, amount, tuple(winners), shares, kind, five, board)


def _end(hand: Hand, awards: list[PotAwarded], told: Broadcast) -> Hand:
    street_before = hand.street
    stacks = list(hand.stacks)
    for awarded in awards:
        tell(told, awarded)
        for seat, share in zip(awarded.winners, awarded.shares, strict=True):
            stacks[seat] += share
    began = hand.setup.stacks
    assert sum(stacks) + hand.rake == sum(began), "no chip is lost or made in a hand"
    nothing = (0,) * len(stacks)
    hand = replace(
        hand,
        stacks=tuple(stacks),
        bets=nothing,
        paid=nothing,
        dead=0,
        turn=NOBODY,
        offers=(),
        awards=tuple(awards),
        awaits=Over(tuple(map(sub, stacks, began))),
        street=OVER,
    )
    options = hand.options
    if len(hand.live) > 1 or not hand.hole or not awards or not (options.rabbit or options.winner_shows):
        return hand
    return _rabbit_or_show(hand, street_before)


def _rabbit_or_show(hand: Hand, street: Street) -> Hand:
    """A hand that was won unseen: the cards that would have come, if they are wanted and some are left; then the winner
    may show."""
    if hand.options.rabbit and len(hand.board) < BOARD_CARDS:
        return replace(hand, street=street, awaits=rabbit_draw(len(hand.board), hand.options.boards))
    return _ask_winner(hand)


def _ask_winner(hand: Hand) -> Hand:
    """Asks the winner what to show; who has gone shows nothing. In a replay, what it does not know cannot be shown."""
    (seat,) = hand.live
    if not hand.options.winner_shows or seat in hand.left:
        return _over(hand)
    numbers = tuple([number for number, card in enumerate(_pocket(hand, seat)) if card is not None])
    menu: list[Offer[HoldemAction]] = [Offer(SHOW)] if len(numbers) == hand.options.hole_cards else []
    if numbers:
        menu.append(Offer(ShowCard(numbers[0]), "card", among=numbers))
    return replace(hand, street=SHOWDOWN, turn=seat, offers=(*menu, _MUCK), awaits=TURNS[seat])


def _pocket(hand: Hand, seat: int) -> Pocket:
    sealed = hand.hole[seat]
    assert sealed is not None, "a seat that is dealt in has cards"
    return sealed.open()


def _over(hand: Hand) -> Hand:
    payouts = tuple(map(sub, hand.stacks, hand.setup.stacks))
    return replace(hand, street=OVER, turn=NOBODY, offers=(), awaits=Over(payouts))


def rabbit_dealt(hand: Hand, cards: tuple[Card | None, ...], told: Broadcast) -> Hand:
    """Opens what would have come."""
    draw = hand.awaits
    assert isinstance(draw, Draw)
    boards = [
        tuple([card for place, card in zip(draw.places, cards, strict=True) if place.startswith(f"{name}:")])
        for name in BOARD_NAMES[: hand.options.boards]
    ]
    rabbit = []
    for number, board in enumerate(boards):
        if not all_known(board):
            raise UnseenCardError("the cards of a board are known to everybody")
        tell(told, RabbitDealt(board, number))
        rabbit.append(board)
    return _ask_winner(replace(hand, rabbit=tuple(rabbit)))


def won_unseen(hand: Hand, seat: int, action: HoldemAction, told: Broadcast) -> Hand:
    """The winner shows all, one card or none."""
    if isinstance(action, Show):
        tell(told, Shown(seat, cards_of(hand, seat)))
        hand = replace(hand, shown=(*hand.shown, seat))
    elif isinstance(action, ShowCard):
        card = _pocket(hand, seat)[action.card]
        assert card is not None, "only a card that is known is offered"
        tell(told, Shown(seat, (card,)))
        hand = replace(hand, bared=(*hand.bared, (seat, action.card)))
    return _over(hand)


def _seven_deuce(hand: Hand, told: Broadcast) -> Hand:
    """Everybody dealt in pays a winner who has shown a seven and a deuce, as far as their stacks go."""
    winners = [seat for seat in hand.dealt if any(seat in award.winners for award in hand.awards)]
    stacks = list(hand.stacks)
    for seat in winners:
        if seat in hand.shown and {card.rank for card in cards_of(hand, seat)} == _SEVEN_DEUCE:
            paid = {other: min(hand.options.seven_deuce, stacks[other]) for other in hand.dealt if other != seat}
            for other, chips in paid.items():
                stacks[other] -= chips
            stacks[seat] += sum(paid.values())
            tell(told, SevenDeuce(seat, sum(paid.values())))
    return _over(replace(hand, stacks=tuple(stacks)))


def close(options: HoldemOptions, hand: Hand, told: Broadcast) -> Hand:
    """Ranks who went out with this hand of a tournament, and says that the hand is over.

    The player who began the hand with more chips goes out in the better place; equal stacks share it.
    """
    if options.seven_deuce and hand.hole:
        hand = _seven_deuce(hand, told)
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

    The button goes to the next seat clockwise that is dealt in; a dead one to where the small blind was. In a cash
    game, who has left sits out.
    """
    assert isinstance(hand.awaits, Over)
    away = {*hand.setup.sitting_out} - {*hand.excluded} | {*(hand.left if options.mode is Mode.CASH else ())}
    waiting = tuple([seat for seat in hand.setup.waiting_seats if seat in away])
    setup = HoldemSetup(
        stacks=hand.stacks,
        button=hand.setup.button,
        hand=hand.setup.hand + 1,
        statistics=_statistics(hand),
        sitting_out=tuple(sorted(away)),
        places=hand.places,
        missed=_missed(options, hand) if options.missed_blinds else msgspec.UNSET,
        waiting=waiting or msgspec.UNSET,
    )
    if options.dead_button:
        placed = positions(options, hand.setup, hand.order)
        return replace(setup, button=placed.small, small=placed.big)
    playing = in_play(setup)
    return replace(setup, button=playing[0]) if playing else setup


def _missed(options: HoldemOptions, hand: Hand) -> tuple[int, ...] | msgspec.UnsetType:
    """What every seat owes after the hand: nothing if it was dealt in, and more if a blind would have fallen on it. A
    bomb pot has no blinds to post or to miss."""
    setup = hand.setup
    missed = [setup.owed(seat) if stack else 0 for seat, stack in enumerate(hand.stacks)]
    if not hand.forced.bomb and setup.forced is None:
        for seat in hand.order:
            missed[seat] = 0
        for seat in setup.sitting_out:
            if hand.stacks[seat]:
                missed[seat] |= position_of(options, setup, hand.order, seat)
    return tuple(missed) if any(missed) else msgspec.UNSET


def _statistics(hand: Hand) -> tuple[Statistics, ...]:
    won = {seat for awarded in hand.awards for seat in awarded.winners}
    showdown = set(hand.live) if hand.shown and len(hand.live) > 1 else set()
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
