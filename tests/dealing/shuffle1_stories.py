"""Stories of a player and a server that deals by `shuffle-1`, honest or not, as the player's notebook sees them.

Each step of a story is a question to the notebook, and the lines that it gives. The page's notebook is told the same
stories, and must give the same lines.
"""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from croupier.dealing.seeds import commitment
from croupier.dealing.shuffle1_log import Alarm, BetSent
from tests.dealing.shuffle1_story import DECKS, Step, Story, seed


def honest() -> Story:
    """Rounds with fresh seeds, a reveal, and a round on the next seed."""
    story = Story()
    story.see()
    for _ in range(2):
        story.play()
    story.reveal()
    story.play()
    return story


def typed_seed() -> Story:
    """A typed seed is kept, and its nonce is counted; fresh ones in between do not matter."""
    story = Story()
    story.see()
    for typed in ("my very own seed", "my very own seed", None, "my very own seed"):
        story.play(typed)
    story.reveal()
    return story


def refused_then_the_same_again() -> Story:
    """A refused bet is asked again with the same seed and nonce, also for another amount."""
    story = Story()
    story.see()
    bet = story.bet(500)
    story.ask("refuse", bet, "INSUFFICIENT_FUNDS", story.left, story.now)
    again = story.bet(50)
    story.ask("answer", again, story.deal(again), story.now)
    return story


def refused_and_never_dealt() -> Story:
    """A refused bet is computed after the reveal."""
    story = Story()
    story.see()
    story.play()
    bet = story.bet()
    story.ask("refuse", bet, "BUSY", story.left, story.now)
    story.reveal()
    return story


def answer_lost() -> Story:
    """The answer to a bet never came; the next state shows its round."""
    story = Story()
    story.see()
    bet = story.bet()
    story.arrive(story.deal(bet))
    return story


def answer_lost_and_round_over() -> Story:
    """The round of a bet without an answer is only in the history any more."""
    story = Story()
    story.see()
    bet = story.bet()
    story.deal(bet)
    assert story.round is not None
    past = replace(story.round, cards=(), over=True)
    story.round = None
    story.ask("see_history", (past,), story.now)
    story.play()
    return story


def round_ended_elsewhere() -> Story:
    """Another device played the round to its end: it is only in the history now. Its first cards were seen here."""
    story = Story()
    story.see()
    bet = story.bet()
    story.ask("answer", bet, story.deal(bet), story.now)
    assert story.round is not None
    past = replace(story.round, cards=(), over=True, payout=20)
    story.round = None
    story.ask("see_history", (past,), story.now)
    story.see()
    story.play()
    story.reveal()
    return story


def answer_lost_and_insured_elsewhere() -> Story:
    """The answer to the second of two bets on a draw never came; another device took insurance, and doubled."""
    story = Story()
    story.see()
    story.ask("refuse", story.bet(500), "INSUFFICIENT_FUNDS", story.left, story.now)
    story.deal(story.bet(10.5))
    assert story.round is not None
    story.round = replace(story.round, staked=15.75)
    story.arrive(story.shown)
    story.version += 1
    story.round = replace(story.round, cards=(*story.round.cards, story.card(4)), staked=26.25)
    story.see()
    return story


def rotated_by_another_tab() -> Story:
    """Another tab asked for the reveal; this one sees its result first, and checks it."""
    story = Story()
    story.see()
    story.play()
    story.ask_rotation()
    story.see(story.rotate()[1])
    return story


def an_old_state_comes_late() -> Story:
    """A state that was sent before a rotation and is read after it says nothing."""
    story = Story()
    story.see()
    story.play()
    late = story.shown
    story.reveal()
    story.see(late)
    return story


def rotated_on_another_device() -> Story:
    """At the next visit the seed has been revealed elsewhere; the history tells it, and it fits."""
    story = Story()
    story.see()
    story.play()
    _, shown = story.rotate()
    assert story.round is not None
    story.arrive(shown, story.round)
    return story


def rotation_due() -> Story:
    """After fifty rounds, or when the server takes no more seeds, the seed is due to be revealed."""
    story = Story()
    story.see()
    story.play()
    story.ask("rotation_due", 1)
    story.ask("rotation_due", 0)
    return story


def decided() -> Story:
    """The player goes on in spite of an alarm, with the round that runs."""
    story = foreign_round()
    story.ask("decide", story.shown, story.now)
    story.see(story.end())
    story.play()
    return story


HONEST: tuple[Callable[[], Story], ...] = (
    honest,
    typed_seed,
    refused_then_the_same_again,
    refused_and_never_dealt,
    answer_lost,
    answer_lost_and_round_over,
    round_ended_elsewhere,
    answer_lost_and_insured_elsewhere,
    rotated_by_another_tab,
    an_old_state_comes_late,
    rotated_on_another_device,
    rotation_due,
    decided,
)


def nonsense() -> Story:
    story = Story()
    story.see()
    story.ask("see_nonsense", "Expected `int`, got `str` - at `$.nonce`", story.now)
    return story


def malformed_hash() -> Story:
    story = Story()
    story.see(replace(story.shown, server_seed_hash="no hash"))
    return story


def hash_swapped() -> Story:
    story = Story()
    story.see()
    story.play()
    story.seeds[0] = seed("a better one")
    story.see()
    return story


def next_hash_changed() -> Story:
    story = Story()
    story.see()
    story.seeds[1] = seed("a better one")
    story.see()
    return story


def unasked_rotation() -> Story:
    story = Story()
    story.see()
    story.play()
    story.see(story.rotate()[1])
    return story


def unasked_rotation_at_a_blackjack() -> Story:
    """The round is over at once: its last state comes by itself, and then as the answer to the bet."""
    story = Story()
    story.see()
    bet = story.bet()
    story.deal(bet)
    story.end()
    _, shown = story.rotate()
    story.see(shown)
    story.ask("answer", bet, shown, story.now)
    return story


def unasked_rotation_between_visits() -> Story:
    """Nothing tells the seed that rounds of this log depend on."""
    story = Story()
    story.see()
    story.play()
    _, shown = story.rotate()
    story.arrive(shown)
    return story


def other_hash() -> Story:
    story = Story()
    story.see()
    bet = story.bet()
    story.deal(bet)
    assert story.round is not None
    story.round = replace(story.round, server_seed_hash=commitment(seed("a better one")))
    story.ask("answer", bet, story.shown, story.now)
    return story


def other_seed() -> Story:
    story = Story()
    story.see()
    bet = story.bet()
    story.deal(replace(bet, client_seed="a seed of the house"))
    story.ask("answer", bet, story.shown, story.now)
    return story


def other_nonce() -> Story:
    story = Story()
    story.see()
    bet = story.bet()
    story.ask("answer", bet, story.deal(bet, nonce=403), story.now)
    return story


def other_amount() -> Story:
    story = Story()
    story.see()
    bet = story.bet(10)
    story.deal(bet)
    assert story.round is not None
    story.round = replace(story.round, staked=12.5)
    story.ask("answer", bet, story.shown, story.now)
    return story


def other_amount_after_a_lost_answer() -> Story:
    """There are four cards: nothing but insurance can have been added."""
    story = Story()
    story.see()
    story.deal(story.bet(10))
    assert story.round is not None
    story.round = replace(story.round, staked=20)
    story.arrive(story.shown)
    return story


def other_amount_in_the_history() -> Story:
    story = Story()
    story.see()
    story.deal(story.bet(10))
    assert story.round is not None
    past = replace(story.round, cards=(), over=True, staked=1000)
    story.round = None
    story.ask("see_history", (past,), story.now)
    return story


def no_round() -> Story:
    story = Story()
    story.see()
    bet = story.bet()
    story.ask("answer", bet, story.shown, story.now)
    return story


def foreign_round() -> Story:
    story = Story()
    story.see()
    bet = BetSent(
        at_ms=0, server_seed_hash="", client_seed="not a seed of mine", nonce=0, amount=1, command_id="", typed=False
    )
    story.see(story.deal(bet))
    return story


def round_dropped() -> Story:
    story = Story()
    story.see()
    bet = story.bet()
    story.ask("answer", bet, story.deal(bet), story.now)
    story.version += 1
    story.round = None
    story.see()
    return story


def another_round_before_one_was_over() -> Story:
    story = Story()
    story.see()
    bet = story.bet()
    story.ask("answer", bet, story.deal(bet), story.now)
    again = story.bet()
    story.ask("answer", again, story.deal(again), story.now)
    return story


def card_swapped() -> Story:
    story = Story()
    story.see()
    bet = story.bet()
    story.ask("answer", bet, story.deal(bet), story.now)
    assert story.round is not None
    story.version += 1
    story.round = replace(story.round, cards=("As", *story.round.cards[1:]))
    story.see()
    return story


def card_not_from_the_seeds() -> Story:
    story = Story()
    story.see()
    bet = story.bet()
    story.ask("answer", bet, story.deal(bet, server_seed=seed("a better one")), story.now)
    story.see(story.end(server_seed=seed("a better one")))
    story.reveal()
    return story


def seed_not_promised() -> Story:
    story = Story()
    story.see()
    story.play()
    story.reveal(seed("a better one"))
    return story


def next_hash_skipped() -> Story:
    story = Story()
    story.see()
    story.play()
    story.ask_rotation()
    revealed, _ = story.rotate()
    story.at += 1
    story.ask("reveal", revealed, story.shown, story.now)
    return story


def reveal_refused() -> Story:
    story = Story()
    story.see()
    story.play()
    asked = story.ask_rotation()
    story.ask("refuse_rotation", asked, "GAME_IN_PROGRESS", False, story.now)
    return story


def refusal_untrue() -> Story:
    story = Story()
    story.see()
    bet = story.bet()
    story.ask("refuse", bet, "CLIENT_SEED_USED", story.left, story.now)
    return story


def rotation_forced_untruly() -> Story:
    story = Story()
    story.see()
    story.play()
    bet = story.bet()
    story.ask("refuse", bet, "ROTATE_SEED_FIRST", story.left, story.now)
    return story


def hash_came_back() -> Story:
    story = Story()
    story.see()
    story.play()
    story.reveal()
    story.at -= 1
    story.version += 1
    story.round = None
    story.arrive()
    return story


def session_wound_back() -> Story:
    story = Story()
    story.see()
    story.play()
    known = story.notebook.version
    story.version = 1
    story.see(since=known)
    return story


ATTACKS: dict[Callable[[], Story], str] = {
    nonsense: "STATE_MALFORMED",
    malformed_hash: "HASH_MALFORMED",
    hash_swapped: "HASH_SWAPPED",
    next_hash_changed: "NEXT_HASH_CHANGED",
    unasked_rotation: "ROTATION_UNASKED",
    unasked_rotation_at_a_blackjack: "ROTATION_UNASKED",
    unasked_rotation_between_visits: "ROTATION_UNASKED",
    other_hash: "DEALT_BY_OTHER_HASH",
    other_seed: "DEALT_BY_OTHER_SEED",
    other_nonce: "DEALT_BY_OTHER_NONCE",
    other_amount: "STAKED_OTHER_AMOUNT",
    other_amount_after_a_lost_answer: "STAKED_OTHER_AMOUNT",
    other_amount_in_the_history: "STAKED_OTHER_AMOUNT",
    no_round: "BET_NOT_DEALT",
    foreign_round: "ROUND_NOT_MINE",
    round_dropped: "ROUND_DROPPED",
    another_round_before_one_was_over: "ROUND_DROPPED",
    card_swapped: "CARD_SWAPPED",
    card_not_from_the_seeds: "CARD_NOT_FROM_SEEDS",
    seed_not_promised: "SEED_NOT_PROMISED",
    next_hash_skipped: "NEXT_HASH_SKIPPED",
    reveal_refused: "REVEAL_REFUSED",
    refusal_untrue: "REFUSAL_UNTRUE",
    rotation_forced_untruly: "REFUSAL_UNTRUE",
    hash_came_back: "HASH_CAME_BACK",
    session_wound_back: "SESSION_WOUND_BACK",
}


def vectors() -> Iterator[dict[str, Any]]:
    """Every story, by its name, for other implementations."""
    for story in (*HONEST, *ATTACKS):
        yield {"name": story.__name__.replace("_", " "), "decks": DECKS, "steps": story().steps}


def alarms_in(steps: list[Step]) -> list[str]:
    return [line["code"] for step in steps for line in step["lines"] if line["type"] == Alarm.__struct_config__.tag]
