"""Rounds that the Python rules play at random, written down step by step for the page's replay engines to repeat.

A case is one JSON object: a `round` with its steps, its payouts and what follows; rules or a setup that are `refused`;
a setup `amended` between two rounds; the `first` setup of a table; or poker `hands` with their ranks.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple, TypeAlias

import msgspec

from croupier.cards import Card
from croupier.game.game import EVERYONE, AnyRules, Change, Draw, Game, Over, Told, Turn, numbers_in
from croupier.game.refusal import OptionError, Refusal
from croupier.table.mirror import without
from croupier.table.plain_values import plain

Json: TypeAlias = dict[str, Any]

ROUNDS_MAX = 6
"""How many rounds of one table are played."""
SHOWN_OF = 3
"""Of so many rounds, one is compared step by step."""
TRIES_MAX = 12
"""How often somebody looks for something better to do."""


class Table(NamedTuple):
    """One game, and how to make what is random about it."""

    game: Game
    rules: Callable[[Random], Json]
    """Options, not always sound."""
    setup: Callable[[Random, AnyRules], Json]
    """A setup, not always sound."""
    action: Callable[[Random, AnyRules, Any], Json]
    """Something that a player might try."""
    rigged: Callable[[Random, Any, Any], Any] = lambda rng, state, card: card
    """The card to deal in place of this one, to bring about what is rare: the rules take any card."""
    worse: Callable[[Any, Any], bool] = lambda before, after: False
    """Whether people who want a long round avoid the step between these states."""
    guesses: bool = False
    """Whether a replay that does not know all cards must guess whose turn it is."""


class Moment(NamedTuple):
    """A step that was done, none at the opening; the state after it, and what it told."""

    step: Json | None
    state: Any
    told: tuple[Told[Any], ...] = ()


def table_cases(table: Table, rng: Random, name: str) -> Iterator[Json]:
    """Some rounds in succession by random rules, with what happens between them."""
    game = table.game
    options, rules = _rules(table, rng)
    if rules is None:
        setup = msgspec.to_builtins(rng.choice(list(game.presets.values())).setup(2))
        yield {"kind": "refused", "name": name, "game": game.name, "rules": options, "setup": setup} | _CODES_RULES
        return
    common = {"name": name, "game": game.name, "rules": options}
    seats = rng.randint(*rules.seat_range)
    first = rules.setup(seats)
    plain = {"seats": seats, "setup": msgspec.to_builtins(first), "stacks": list(rules.stacks(first))}
    yield {"kind": "first", **common, **plain}
    setup: Any = first
    raw: Json | None = None
    if rng.random() < 0.5:
        raw = table.setup(rng, rules)
        if rng.random() < 0.03:
            raw["remark"] = 1
        setup = _read(raw, game.setup)
        if setup is None or isinstance(rules.opening(setup), Refusal):
            yield {"kind": "refused", **common, "setup": raw} | _CODES_SETUP
            return
    for _ in range(ROUNDS_MAX):
        if isinstance(rules.opening(setup), Refusal):
            yield {"kind": "refused", **common, "setup": msgspec.to_builtins(setup)} | _CODES_SETUP
            return
        moments = list(_played(table, rules, setup, rng))
        yield from _rounds(table, rules, moments, rng, {**common, "setup": raw or msgspec.to_builtins(setup)})
        raw, setup = None, rules.following(moments[-1].state)
        while rng.random() < 0.3:
            change = _change(rng, rules, setup)
            after = rules.amend(setup, change)
            plain = {"setup": msgspec.to_builtins(setup), "change": msgspec.to_builtins(change)}
            yield {
                "kind": "amended",
                **common,
                **plain,
                "after": None if isinstance(after, Refusal) else msgspec.to_builtins(after),
            }
            setup = setup if isinstance(after, Refusal) else after


_CODES_RULES = {"codes": ["RULES_MALFORMED", "EDITION_UNKNOWN"]}
_CODES_SETUP = {"codes": ["SETUP_MALFORMED", "SETUP_REFUSED"]}


def _rules(table: Table, rng: Random) -> tuple[Json, Any]:
    """A preset or random rules, as JSON and as a value: None where these cannot be played."""
    if rng.random() < 0.3:
        preset = rng.choice(list(table.game.presets.values()))
        return msgspec.to_builtins(preset), preset
    options = table.rules(rng)
    return options, _read(options, table.game.rules)


def _read(raw: Json, kind: Any) -> Any:
    try:
        return msgspec.json.decode(msgspec.json.encode(raw), type=kind)
    except (msgspec.ValidationError, OptionError):
        return None


def _change(rng: Random, rules: AnyRules, setup: Any) -> Change:
    seats = len(rules.stacks(setup)) or 2
    kind = rng.choice(("taken", "left", "sat_out", "sat_out", "sat_in", "waits", "bought", "reshuffled", "bomb"))
    seat = rng.randint(-1, seats) if rng.random() < 0.1 else rng.randrange(seats)
    limit = getattr(rules, "top_up_limit_chips", 400)
    chips = rng.choice((0, 1, limit, limit - sum(rules.stacks(setup)[seat : seat + 1]), rng.randint(0, limit)))
    return Change(seat, kind, chips + rng.randint(0, 1))


def _rounds(table: Table, rules: AnyRules, moments: list[Moment], rng: Random, common: Json) -> Iterator[Json]:
    """One round as a case: with all cards; as one viewer knows it in the end; and as known in the middle of it."""
    case = {"kind": "round", **common, "guessing": False}
    final = moments[-1].state
    over = rules.awaits(final)
    assert isinstance(over, Over)
    end = {"payouts": list(over.payouts), "following": msgspec.to_builtins(rules.following(final))}
    steps = _steps(moments)
    viewer = rng.choice((None, *range(rules.seats(final))))
    # To write down everything that is shown takes longer than to play: some rounds are enough.
    is_shown = len(moments) % SHOWN_OF == 0
    shown = {"shown": [_shown(table, rules, moment, viewer) for moment in moments]} if is_shown else {}
    yield {**case, "steps": steps, "viewer": viewer, **shown, **end}
    hidden = _hidden(steps, rules.known(final, viewer))
    if hidden != steps:
        # That nobody could play any more, so that nobody wins, cannot be known without all cards.
        known_end = any(over.payouts) or not table.guesses
        yield {**case, "steps": hidden, "guessing": table.guesses, **(end if known_end else {})}
    turns = [number for number, moment in enumerate(moments) if isinstance(rules.awaits(moment.state), Turn)]
    if turns and rng.random() < 0.5:
        last = rng.choice(turns)
        known = rules.known(moments[last].state, viewer)
        yield {**case, "steps": _hidden(_steps(moments[: last + 1]), known), "guessing": table.guesses}


def _steps(moments: list[Moment]) -> list[Json]:
    return [moment.step for moment in moments if moment.step is not None]


def _shown(table: Table, rules: AnyRules, moment: Moment, viewer: int | None) -> Json:
    """What is told, offered and shown after a step, where all cards are known."""
    awaits = rules.awaits(moment.state)
    seats = awaits.seats if isinstance(awaits, Turn) else ()
    view = plain(rules.view(moment.state, viewer))
    for path in () if table.game.stamping is None else table.game.stamping.view_fields:
        view = without(view, path)
    return {
        "told": [{"to": _heard_by(told), "event": plain(told.event)} for told in moment.told],
        "menus": [
            [seat, plain(rules.menu(moment.state, seat))] for seat in (*seats, *range(rules.seats(moment.state)))
        ],
        "view": view,
    }


def _heard_by(told: Told[Any]) -> int | None:
    """The only seat that hears an event; None for everybody."""
    if told.to == EVERYONE:
        return None
    assert not told.to.others
    (seat,) = told.to.seats
    return seat


def _hidden(steps: list[Json], known: int) -> list[Json]:
    """The steps without the cards that are not known; and, where some are not, without what was refused: what a
    player cannot do may depend on them."""
    seen, dealt, changed = set(numbers_in(known)), 0, []
    for step in steps:
        if "cards" in step:
            cards = [card if dealt + number in seen else None for number, card in enumerate(step["cards"])]
            dealt += len(cards)
            changed.append({**step, "cards": cards})
        else:
            changed.append(step)
    if changed == steps:
        return steps
    return [step for step in changed if "refused" not in step]


def _played(table: Table, rules: AnyRules, setup: Any, rng: Random) -> Iterator[Moment]:
    opened = rules.opening(setup)
    assert not isinstance(opened, Refusal)
    state, shoe = opened.state, list[Any]()
    yield Moment(None, state, opened.told)
    hasty = rng.choice((0, 0, 0, 0.02, 0.1))
    weights = _weights(rng)
    long = rng.random() < 0.3
    # Where a replay need not learn all cards, the rules themselves can play without some.
    blind = not rules.opens_all and rng.random() < 0.3
    while not isinstance(awaits := rules.awaits(state), Over):
        if isinstance(awaits, Draw):
            if awaits.pack:
                while rng.random() < 0.1:
                    moment = _without(rules, state, rng)
                    state = moment.state
                    yield moment
                if rules.awaits(state) != awaits:
                    continue
                shoe = _shuffled(awaits, rng, weights)
            cards = tuple(shoe.pop() for _ in range(awaits.count))
            if long:
                cards = tuple(table.rigged(rng, state, card) for card in cards)
            if blind and awaits.pack:
                cards = tuple(None if rng.random() < 0.3 else card for card in cards)
            dealt = rules.deal(state, cards)
            state = dealt.state
            yield Moment(_draw_step(awaits, cards), state, dealt.told)
            continue
        if rng.random() < 0.2:
            yield from _tried(table, rules, state, rng)
        seat = rng.choice(awaits.seats)
        if rng.random() < hasty:
            seat = rng.randrange(rules.seats(state))
            left = rules.leave(state, seat)
            step = {"turn": list(awaits.seats), "seat": seat, "action": None}
            if isinstance(left, Refusal):
                yield Moment({**step, "refused": True}, state)
            else:
                state = left.state
                yield Moment(step, state, left.told)
            continue
        for _ in range(TRIES_MAX if long else 1):
            action = _chosen(rules, state, seat, rng)
            done = rules.act(state, seat, action)
            assert not isinstance(done, Refusal)
            if not table.worse(state, done.state):
                break
        state = done.state
        step = {"turn": list(awaits.seats), "seat": seat, "action": msgspec.to_builtins(action)}
        yield Moment(step, state, done.told)


def _without(rules: AnyRules, state: Any, rng: Random) -> Moment:
    """A seat takes no part in the deal that is awaited, if the rules have that."""
    seat = rng.randrange(-1, rules.seats(state) + 1)
    done = rules.exclude(state, seat)
    step = {"seat": seat, "absent": True}
    return (
        Moment({**step, "refused": True}, state) if isinstance(done, Refusal) else Moment(step, done.state, done.told)
    )


def _tried(table: Table, rules: AnyRules, state: Any, rng: Random) -> Iterator[Moment]:
    """Something that the rules refuse, if that is what chance brings."""
    raw = table.action(rng, rules, state)
    anybody = (-1, rules.seats(state), *range(rules.seats(state)))
    seat = rng.choice(anybody if rng.random() < 0.3 else rules.awaits(state).seats)
    action = _read(raw, table.game.action)
    if action is None or isinstance(rules.act(state, seat, action), Refusal):
        yield Moment({"seat": seat, "action": raw, "refused": True}, state)


def _chosen(rules: AnyRules, state: Any, seat: int, rng: Random) -> Any:
    """Something that is offered; folding less often than the rest, or hands would be short."""
    menu = rules.menu(state, seat)
    offer = rng.choice(menu)
    if offer.action.tag == "HOLDEM_FOLD":
        offer = rng.choice(menu)
    if not offer.field:
        return offer.action
    if offer.among:
        return offer.choose(rng.choice(offer.among))
    near = min(offer.low + rng.choice((0, 1, 10)), offer.high)
    return offer.choose(rng.choice((near, near, offer.high, rng.randint(offer.low, offer.high))))


def _draw_step(draw: Draw[Any], cards: tuple[Any, ...]) -> Json:
    return {
        "places": list(draw.places),
        "pack": [str(card) for card in draw.pack] or None,
        "gone": [str(card) for card in draw.gone],
        "cards": [None if card is None else str(card) for card in cards],
    }


def _weights(rng: Random) -> dict[str, float]:
    """How likely the ranks are to come early: often all the same, else some much more, for pairs and ties."""
    if rng.random() < 0.5:
        return {}
    return {rank: rng.choice((0.1, 1, 5)) for rank in "23456789TJQK"} | {"A": rng.choice((0.1, 1, 5, 30))}


def _shuffled(draw: Draw[Any], rng: Random, weights: dict[str, float]) -> list[Any]:
    """The cards of the pack that are not gone, the next one last."""
    left = list(draw.pack)
    for card in draw.gone:
        left.remove(card)
    rng.shuffle(left)
    if weights and isinstance(left[0], Card):
        left.sort(key=lambda card: rng.random() ** (1 / weights[card.rank]))
    return left
