"""A client's checks of a server in `shuffle-1`. Each function is one check and returns what is wrong, or None.

The checks are independent, so a test can remove one and show what it is for.
"""

from collections.abc import Iterable, Set
from fractions import Fraction
from typing import Final, TypeAlias

import msgspec

from croupier.cards import packs
from croupier.dealing.findings import Fact, fact
from croupier.dealing.hash_input import is_hash
from croupier.dealing.seeds import commitment
from croupier.dealing.shuffle import shuffle
from croupier.dealing.shuffle1_log import Amount, BetSent, CardsSeen, Committed, Draw, SeedFault

Found: TypeAlias = tuple[SeedFault, dict[str, Fact]]
NO_CARD = "–"
FIRST_CARDS: Final = 4
"""The cards on the table before anything is played."""
DEALT_HALVES, INSURED_HALVES, PLAYED_HALVES = 2, 3, 9
"""The highest stake in halves of the bet: as dealt, with insurance, and with two hands doubled and insurance."""


class ShownRound(msgspec.Struct, frozen=True, kw_only=True):
    """A round as a state of the server shows it."""

    server_seed_hash: str
    client_seed: str
    nonce: int
    round_id: int
    cards: tuple[str | None, ...]
    """In the order dealt; None is a card face down."""
    over: bool
    balance: Amount
    staked: Amount
    payout: Amount | None = None
    server_seed: str | None = None

    @property
    def draw(self) -> Draw:
        return self.server_seed_hash, self.client_seed, self.nonce


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """The seeds in a state of the server, and its current or last round."""

    version: int
    server_seed_hash: str
    next_server_seed_hash: str
    decks: int
    client_seeds_left: int
    round: ShownRound | None = None


def malformed(shown: Shown) -> Found | None:
    """A commitment is a hash."""
    for value in (shown.server_seed_hash, shown.next_server_seed_hash):
        if not is_hash(value):
            return SeedFault.HASH_MALFORMED, {"value": fact(value)}
    return None


def wound_back(version: int, shown: Shown) -> Found | None:
    """A session's version is never lower than one seen before the request."""
    if shown.version >= version:
        return None
    return SeedFault.SESSION_WOUND_BACK, {"first": version, "now": shown.version}


def came_back(replaced: Set[str], shown: Shown) -> Found | None:
    """A commitment that was replaced never comes back."""
    if shown.server_seed_hash in replaced:
        return SeedFault.HASH_CAME_BACK, {"hash": shown.server_seed_hash}
    return None


def unasked(known: Committed, shown: Shown) -> Found | None:
    """The seed is replaced only when the player asks for it, and is then revealed."""
    if shown.server_seed_hash == known.next_server_seed_hash:
        return SeedFault.ROTATION_UNASKED, {"hash": known.server_seed_hash}
    return None


def swapped(known: Committed, shown: Shown) -> Found | None:
    """Until the reveal, the commitment does not change."""
    if shown.server_seed_hash in (known.server_seed_hash, known.next_server_seed_hash):
        return None
    return SeedFault.HASH_SWAPPED, {"first": known.server_seed_hash, "now": shown.server_seed_hash}


def next_changed(known: Committed, shown: Shown) -> Found | None:
    """The announced next commitment does not change."""
    first, now = known.next_server_seed_hash, shown.next_server_seed_hash
    if shown.server_seed_hash != known.server_seed_hash or first == now:
        return None
    return SeedFault.NEXT_HASH_CHANGED, {"first": first, "now": now}


def next_skipped(known: Committed, shown: Shown) -> Found | None:
    """After a reveal, the commitment is the announced one."""
    if shown.server_seed_hash == known.next_server_seed_hash:
        return None
    return SeedFault.NEXT_HASH_SKIPPED, {"announced": known.next_server_seed_hash, "now": shown.server_seed_hash}


def not_mine(shown: ShownRound) -> Found | None:
    """A running round is one that this player bet on. Called for any other round."""
    return SeedFault.ROUND_NOT_MINE, {"round": shown.round_id}


def dropped(running: Iterable[CardsSeen], shown: Shown) -> Found | None:
    """A round that was dealt is shown until it is over."""
    now = None if shown.round is None else shown.round.draw
    lost = next((seen for seen in running if seen.draw != now), None)
    return None if lost is None else (SeedFault.ROUND_DROPPED, {"round": lost.round_id})


def card_swapped(before: CardsSeen | None, shown: ShownRound) -> Found | None:
    """A card that was shown does not change."""
    for place, card in enumerate(() if before is None else before.cards):
        now = shown.cards[place] if place < len(shown.cards) else None
        if card is not None and now != card:
            return SeedFault.CARD_SWAPPED, {"card": place + 1, "first": card, "now": fact(now or NO_CARD)}
    return None


def other_hash(bet: BetSent, shown: ShownRound) -> Found | None:
    """The answer to a bet carries the hash that was shown before it."""
    if shown.server_seed_hash == bet.server_seed_hash:
        return None
    return SeedFault.DEALT_BY_OTHER_HASH, {"first": bet.server_seed_hash, "now": fact(shown.server_seed_hash)}


def other_seed(bet: BetSent, shown: ShownRound) -> Found | None:
    """The answer to a bet carries the client seed that came with it."""
    if shown.client_seed == bet.client_seed:
        return None
    return SeedFault.DEALT_BY_OTHER_SEED, {"first": fact(bet.client_seed), "now": fact(shown.client_seed)}


def other_nonce(bet: BetSent, shown: ShownRound) -> Found | None:
    """The answer to a bet carries the player's own count of the rounds on this pair of seeds."""
    if shown.nonce == bet.nonce:
        return None
    return SeedFault.DEALT_BY_OTHER_NONCE, {"first": bet.nonce, "now": fact(shown.nonce)}


def other_amount(sent: Iterable[Amount], shown: ShownRound, *, answers: bool) -> Found | None:
    """The stake is the amount of the bet. In a round that was not shown from its beginning it may be higher, as far as
    the player can have raised it on another device. Of a draw that was bet on several times, any amount will do."""
    staked, amounts = _hundredths(shown.staked), [_hundredths(amount) for amount in sent]
    at_first = INSURED_HALVES if len(shown.cards) == FIRST_CARDS else PLAYED_HALVES
    halves = DEALT_HALVES if answers else at_first
    if any(2 * amount <= 2 * staked <= halves * amount for amount in amounts):
        return None
    return SeedFault.STAKED_OTHER_AMOUNT, {"first": _chips(amounts[-1]), "now": _chips(staked)}


def _hundredths(amount: Amount) -> int:
    return round(Fraction(amount) * 100)


def _chips(hundredths: int) -> Fact:
    chips, rest = divmod(hundredths, 100)
    return fact(chips) if rest == 0 else f"{hundredths / 100:.2f}"


def untrue(code: str, client_seeds_left: int) -> Found | None:
    """A refusal for a bad or used client seed is a lie: the client knows that its seed is fresh and long enough."""
    if code in ("CLIENT_SEED_USED", "BAD_CLIENT_SEED") or (code == "ROTATE_SEED_FIRST" and client_seeds_left > 0):
        return SeedFault.REFUSAL_UNTRUE, {"code": code}
    return None


def reveal_refused(code: str, running: bool) -> Found | None:
    """A seed is revealed on request unless a round is running."""
    return None if running else (SeedFault.REVEAL_REFUSED, {"code": fact(code)})


def not_promised(known: Committed, server_seed: str) -> Found | None:
    """The revealed seed fits the hash that was first shown."""
    if is_hash(server_seed) and commitment(server_seed) == known.server_seed_hash:
        return None
    return SeedFault.SEED_NOT_PROMISED, {"hash": known.server_seed_hash, "seed": fact(server_seed)}


def not_from_seeds(known: Committed, rounds: Iterable[CardsSeen], server_seed: str) -> Found | None:
    """Every card seen follows from the seeds."""
    for seen in rounds if is_hash(server_seed) else ():
        order = order_of(known.decks, server_seed, seen.draw)
        for place, card in enumerate(seen.cards):
            due = order[place] if place < len(order) else NO_CARD
            if card is not None and card != due:
                facts: dict[str, Fact] = {"round": seen.round_id, "card": place + 1, "shown": fact(card), "due": due}
                return SeedFault.CARD_NOT_FROM_SEEDS, facts
    return None


def order_of(decks: int, server_seed: str, draw: Draw) -> tuple[str, ...]:
    """The cards of a draw in the order dealt."""
    return shuffle([str(card) for card in packs(decks)], server_seed, draw[1], draw[2])
