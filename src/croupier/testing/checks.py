"""The contract of every game, each part as a check on one round. An AssertionError says what is broken."""

from random import Random
from typing import Any, cast

import msgspec

from croupier.game.game import SPECTATOR, Draw, Game, Offer, Over, Step, Turn, Viewer, numbers_in, offered
from croupier.game.parts import load_part
from croupier.game.refusal import Refusal
from croupier.testing.driver import InconsistentError, Played, act, again, choose, deal, instances, play
from croupier.testing.follower import Follower

REDEALS = 6
WILD_NUMBERS = (-1, 0, 10**9, 10**30)


def check_round_ends(played: Played) -> None:
    over = played.awaited[-1]
    assert isinstance(over, Over), f"the round stopped at {over}"
    seats = played.rules.seats(played.state)
    assert len(over.payouts) == seats, "a payout a seat"
    for seat in range(seats):
        assert played.rules.menu(played.state, seat) == (), "nothing is offered when the round is over"


def check_chips_conserved(played: Played) -> None:
    totals = [sum(played.rules.chips(step.state)) for step in played.steps]
    assert len(set(totals)) == 1, f"the chips on the table went from {totals[0]} to {totals[-1]}: {totals}"
    piles = played.rules.chips(played.state)
    assert all(pile >= 0 for pile in piles[: played.rules.seats(played.state)]), f"a seat owes chips: {piles}"
    over = played.awaited[-1]
    if isinstance(over, Over) and not piles:
        assert sum(over.payouts) == 0, "points are won from somebody"


def check_offers(played: Played, random: Random, pool: list[Any]) -> None:
    """At each turn: every offered action is accepted, everything else is refused, and neither changes the state."""
    rules = played.rules
    for step, awaited in zip(played.steps, played.awaited, strict=True):
        before = repr(step.state)
        seats = awaited.seats if isinstance(awaited, Turn) else ()
        for seat in range(-1, rules.seats(step.state) + 1):
            menu = rules.menu(step.state, seat)
            assert bool(menu) == (seat in seats), f"seat {seat} is offered {menu} while {awaited} is awaited"
            for offer in menu:
                for action in instances(offer, random):
                    done = rules.act(step.state, seat, action)
                    assert isinstance(done, Step), f"{action} was offered to seat {seat} and refused: {done}"
            if menu:
                assert offered(menu, rules.absent(menu)), "what is done for the absent must be offered"
            for action in [*random.sample(pool, min(4, len(pool))), *_outside(menu)]:
                if not offered(menu, action):
                    done = rules.act(step.state, seat, action)
                    assert isinstance(done, Refusal), f"{action} was not offered to seat {seat} and done"
                    assert done.code == done.code.upper(), "codes are UPPER_SNAKE"
                    msgspec.json.encode(done)
        assert repr(step.state) == before, "a state was changed in place"


def check_replay(game: Game, played: Played) -> None:
    """A record of setup, shoes and moves, through JSON, gives the same bytes to every viewer."""
    setup = _through_json(played.setup, game.setup)
    moves = [(seat, _through_json(action, game.action)) for seat, action in played.moves]
    rules = _through_json(played.rules, game.rules)
    copy = again(Played(rules, setup, moves=moves), played.shoes)
    for viewer in played.viewers():
        assert copy.received(viewer) == played.received(viewer), f"viewer {viewer} would see another round"


def check_json(game: Game, played: Played) -> None:
    """Views, events and menus survive JSON unchanged."""
    for step in played.steps:
        for told in step.told:
            assert _through_json(told.event, game.event) == told.event
        for viewer in played.viewers():
            view = played.rules.view(step.state, viewer)
            assert _through_json(view, game.view) == view
            if game.wire:
                encode = load_part(game.wire)(played.rules, step.state, None)
                assert encode(viewer) == msgspec.json.encode(view), "the game's own bytes are not those of its view"
    for step in played.steps:
        for seat in range(played.rules.seats(step.state)):
            menu = played.rules.menu(step.state, seat)
            for offer in menu:
                assert _through_json(offer, cast(Any, Offer)[game.action]) == offer


def check_base_of_views(played: Played) -> None:
    """Every view names its viewer, the seats to act, and what each seat has."""
    rules = played.rules
    for step, awaited in zip(played.steps, played.awaited, strict=True):
        seats = rules.seats(step.state)
        for viewer in played.viewers():
            view = rules.view(step.state, viewer)
            assert view.you == viewer, "a view says whose it is"
            assert view.to_act == (awaited.seats if isinstance(awaited, Turn) else ()), "a view says who may act"
            assert len(view.seats) == seats, "a view has every seat"
            chips = tuple(seat.chips for seat in view.seats)
            assert chips == (rules.chips(step.state)[:seats] or (None,) * seats), "a view says what each seat has"


def check_known_is_shown(played: Played) -> None:
    """A viewer was shown every card that `known` names: otherwise the leak check would miss a leak."""
    for viewer in played.viewers():
        got = b"\n".join(played.received(viewer))
        for index in numbers_in(played.rules.known(played.state, viewer)):
            card = str(played.dealt[index])
            assert f'"{card}"'.encode() in got, f"viewer {viewer} is said to know {card} and never saw it"


def check_no_leak(played: Played, random: Random) -> int:
    """Indistinguishable worlds: deal again all cards that a viewer cannot know; the viewer receives the same bytes.

    Returns how many other worlds were compared.
    """
    compared = 0
    for viewer in played.viewers():
        known = set(numbers_in(played.rules.known(played.state, viewer)))
        fixed = {source for index, source in enumerate(played.sources) if index in known}
        received = played.received(viewer)
        for _ in range(REDEALS):
            orders = [_redealt(number, order, fixed, random) for number, order in enumerate(played.shoes)]
            try:
                other = again(played, orders)
            except InconsistentError:
                continue
            if other.awaited != played.awaited:
                continue
            compared += other.dealt != played.dealt
            assert other.received(viewer) == received, _leak(played, other, viewer)
    return compared


def _leak(played: Played, other: Played, viewer: Viewer) -> str:
    """The first difference between two rounds that the viewer should not be able to tell apart."""
    for number, (step, altered) in enumerate(zip(played.steps, other.steps, strict=True)):
        for what, one, two in (
            ("hears", *([told.event for told in each.told if told.to.hears(viewer)] for each in (step, altered))),
            ("sees", *(played.rules.view(each.state, viewer) for each in (step, altered))),
            ("is offered", *(played.rules.menu(each.state, viewer or 0) for each in (step, altered))),
        ):
            if msgspec.json.encode(one) != msgspec.json.encode(two):
                return (
                    f"viewer {viewer} can tell cards that were never shown to them: at step {number} the viewer {what} "
                    f"{one}, but with other hidden cards {two}"
                )
    return f"viewer {viewer} can tell cards that were never shown to them"


def check_actions_tell_nothing(played: Played, random: Random) -> None:
    """A card that an action names is no secret of the seat that acts: all actions are told to everybody."""
    moves = iter(played.moves)
    acted = [number for number, awaited in enumerate(played.awaited[:-1], 1) if isinstance(awaited, Turn)]
    for index, number in enumerate(acted):
        seat, action = next(moves)
        named = _texts_in(msgspec.to_builtins(action))
        places = [(place, str(card)) for place, card in enumerate(played.dealt) if str(card) in named]
        if not places:
            continue
        before, after = played.steps[number - 1].state, played.steps[number].state
        own = played.rules.known(before, seat)
        for viewer in played.viewers():
            shown = played.rules.known(after, viewer)
            secret = {card for place, card in places if own >> place & 1}
            secret -= {card for place, card in places if shown >> place & 1}
            assert not secret or _may_say_anyway(played, index, shown, random), (
                f"{action} tells viewer {viewer} that seat {seat} holds {', '.join(sorted(secret))}: everybody is told "
                "every action, so name a card that stays hidden by its place in the hand"
            )


def _texts_in(value: Any) -> set[str]:
    """All texts in a plain value."""
    if isinstance(value, str):
        return {value}
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return {text for each in inside for text in _texts_in(each)}


def _may_say_anyway(played: Played, index: int, shown: int, random: Random) -> bool:
    """Whether the seat could act like this with other cards, as far as somebody who was shown these can tell."""
    seat, action = played.moves[index]
    fixed = {played.sources[place] for place in numbers_in(shown)}
    refused = 0
    for _ in range(REDEALS):
        orders = [_redealt(number, order, fixed, random) for number, order in enumerate(played.shoes)]
        try:
            other = again(Played(played.rules, played.setup, moves=played.moves[:index]), orders)
        except InconsistentError:
            continue
        if offered(played.rules.menu(other.state, seat), action):
            return True
        refused += 1
    return not refused


def check_clients_follow(game: Game, played: Played, random: Random, since: int = 0) -> None:
    """The clients of a spectator and a player come to what they are shown, knowing only the cards in `known`.

    In a room, a client that does not raises an alarm; and no record of such a round verifies. `since` is the step at
    which the clients join.
    """
    for viewer in (SPECTATOR, random.randrange(played.rules.seats(played.state))):
        Follower(game, played, viewer).follow(since)


def check_leaving(played: Played, random: Random) -> None:
    """A player leaves during the round: whether accepted or refused, the chips stay, and the round still ends."""
    moments = [index for index, awaited in enumerate(played.awaited) if isinstance(awaited, Turn)]
    if not moments:
        return
    moment = random.choice(moments)
    state = played.steps[moment].state
    seat = random.randrange(played.rules.seats(state))
    left = played.rules.leave(state, seat)
    if isinstance(left, Refusal):
        return
    assert sum(played.rules.chips(left.state)) == sum(played.rules.chips(state)), "chips left with the player"
    rest = _from(played, moment, left)
    while not isinstance(rest.awaited[-1], Over):
        deal(rest, random)
        if isinstance(rest.awaited[-1], Turn):
            assert seat not in rest.awaited[-1].seats, "who has left is still waited for"
            act(rest, *choose(rest, random))


def check_match(game: Game, rules: Any, seats: int, random: Random, rounds: int = 4) -> None:
    """Successive rounds carry the chips over, and a match reports its end."""
    setup = rules.setup(seats)
    for _ in range(rounds):
        played = play(rules, setup, random)
        if rules.ended(played.state):
            return
        following = rules.following(played.state)
        assert _through_json(following, game.setup) == following
        opened = rules.opening(following)
        if isinstance(opened, Refusal):
            return
        after = rules.chips(opened.state)
        assert sum(rules.stacks(following)) == sum(after), "chips were lost between rounds"
        assert rules.stacks(following) == rules.chips(played.state)[:seats] or not after, "a seat's chips changed hands"
        setup = following


def _outside(menu: tuple[Offer[Any], ...]) -> list[Any]:
    """Actions just outside what is offered."""
    found = []
    for offer in menu:
        if offer.field:
            found += [offer.choose(value) for value in (offer.low - 1, offer.high + 1, *WILD_NUMBERS)]
    return found


def _redealt(number: int, order: list[Any], fixed: set[tuple[int, int]], random: Random) -> list[Any]:
    free = [place for place in range(len(order)) if (number, place) not in fixed]
    cards = [order[place] for place in free]
    random.shuffle(cards)
    redealt = list(order)
    for place, card in zip(free, cards, strict=True):
        redealt[place] = card
    return redealt


def _from(played: Played, moment: int, left: Step[Any, Any]) -> Played:
    """The round continued from an earlier moment."""
    dealt = sum(awaited.count for awaited in played.awaited[:moment] if isinstance(awaited, Draw))
    rest = Played(played.rules, played.setup, shoes=list(played.shoes), sources=played.sources[:dealt])
    if rest.sources:
        del rest.shoes[rest.sources[-1][0] + 1 :]
    rest.steps, rest.awaited = [left], [played.rules.awaits(left.state)]
    return rest


def _through_json(value: Any, type_: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value), type=type_)
