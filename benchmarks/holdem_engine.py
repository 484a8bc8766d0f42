"""Random six-seat hands a second through the whole protocol of the engine, beside PokerKit and pokerfast.

Every engine plays no-limit hands of six seats with 1000 chips and blinds 5/10, in one Python process. Each turn takes
one of the offered actions with equal chance, and where an amount is open, any legal amount with equal chance. Ours does
what a table does: opening, awaits, deal, menu and act with all events. Run as `python benchmarks/holdem_engine.py`.
"""

import random
import time
import warnings
from collections.abc import Callable
from typing import TypeAlias

from croupier.cards import PACK, Card
from croupier.game.game import Draw, Step, Turn
from croupier.games.poker import CASH, HoldemSetup

SEATS, STACK, SMALL, BIG = 6, 1000, 5, 10
CARDS = 2 * SEATS + 3 + 5
"""Two each, three burned, five on the board."""
ROUNDS = 100
"""Many, so that some are undisturbed and the evaluator has met most hands, as at a table that is open for a while."""
Play: TypeAlias = Callable[[int, random.Random], int]


def draw_cards(chance: random.Random) -> tuple[Card, ...]:
    """The cards of one hand, drawn one by one; `random.sample` would take a tenth of the whole hand's time."""
    deck, number = list(PACK), chance.random
    return tuple([deck.pop(int(number() * left)) for left in range(len(PACK), len(PACK) - CARDS, -1)])


def play_croupier(hands: int, chance: random.Random) -> int:
    """Plays the hands; gives the number of actions taken."""
    rules = CASH
    setup = HoldemSetup(stacks=(STACK,) * SEATS)
    actions = 0
    for _ in range(hands):
        pack = draw_cards(chance)
        dealt = 0
        step = rules.opening(setup)
        assert isinstance(step, Step)
        while True:
            state = step.state
            waiting = rules.awaits(state)
            if type(waiting) is Turn:
                seat = waiting.seats[0]
                offers = rules.menu(state, seat)
                offer = offers[int(chance.random() * len(offers))]
                action = offer.action
                if offer.field:
                    action = offer.choose(offer.low + int(chance.random() * (offer.high - offer.low + 1)))
                after = rules.act(state, seat, action)
                assert isinstance(after, Step)
                step = after
                actions += 1
            elif type(waiting) is Draw:
                step = rules.deal(state, pack[dealt : dealt + waiting.count])
                dealt += waiting.count
            else:
                break
    return actions


def play_pokerkit(hands: int, chance: random.Random) -> int:
    """The same with PokerKit, which shuffles and shows by itself."""
    from pokerkit import Automation, Mode, NoLimitTexasHoldem

    automations = tuple(Automation)
    actions = 0
    for _ in range(hands):
        state = NoLimitTexasHoldem.create_state(
            automations, True, 0, (SMALL, BIG), BIG, (STACK,) * SEATS, SEATS, mode=Mode.CASH_GAME
        )
        while state.status:
            low = state.min_completion_betting_or_raising_to_amount
            high = state.max_completion_betting_or_raising_to_amount
            # Fold, check or call, and where raising is open, any amount and all-in: the same menu as ours.
            choice = int(chance.random() * (2 if low is None else 4))
            if choice == 0:
                state.fold()
            elif choice == 1:
                state.check_or_call()
            elif choice == 2:
                state.complete_bet_or_raise_to(low + int(chance.random() * (high - low + 1)))
            else:
                state.complete_bet_or_raise_to(high)
            actions += 1
    return actions


def play_pokerfast(hands: int, chance: random.Random) -> int:
    """The same with pokerfast's engine; it has no fold where checking is free."""
    from pokerfast import FastHand

    actions = 0
    for _ in range(hands):
        hand = FastHand(
            player_count=SEATS, small_blind=SMALL, big_blind=BIG, min_stack=STACK, max_stack=STACK, rng=chance
        )
        while not hand.done:
            space = hand.get_action_space()
            choice = int(chance.random() * (4 if "min_bet" in space else 2))
            if choice == 0:
                _ = hand.fold() if "fold" in space else hand.check()
            elif choice == 1:
                _ = hand.call() if "call" in space else hand.check()
            elif choice == 2:
                low, high = space["min_bet"], space["max_bet"]
                hand.bet_or_raise(low + int(chance.random() * (high - low + 1)))
            else:
                hand.bet_or_raise(space["max_bet"])
            actions += 1
    return actions


def best_rates(engines: dict[str, tuple[Play, int]]) -> dict[str, tuple[float, float]]:
    """The most hands a second of many short rounds, and the actions a hand, by engine.

    The engines take turns, so that a busy machine is busy for all of them, and seconds are those of this process.
    """
    rates = dict.fromkeys(engines, 0.0)
    taken = dict.fromkeys(engines, 0)
    for number in range(ROUNDS):
        for name, (play, hands) in engines.items():
            start = time.process_time()
            taken[name] += play(hands, random.Random(number))
            rates[name] = max(rates[name], hands / (time.process_time() - start))
    return {name: (rates[name], taken[name] / hands / ROUNDS) for name, (_, hands) in engines.items()}


def main() -> None:
    warnings.simplefilter("ignore")
    engines = {"croupier": (play_croupier, 500), "pokerfast": (play_pokerfast, 500), "PokerKit": (play_pokerkit, 20)}
    rates = best_rates(engines)
    ours = rates["croupier"][0]
    for name, (rate, actions) in rates.items():
        ratio = "" if name == "croupier" else f"croupier is {ours / rate:.1f} times as fast"
        print(f"{name:10} {rate:9,.0f} hands/s  {actions:5.1f} actions a hand   {ratio}")


if __name__ == "__main__":
    main()
