"""Finished rounds to make records of."""

from croupier.dealing.chain import Chain
from croupier.dealing.cut1 import CommittedPack, Context, Contribution, CutPack
from croupier.dealing.proof import Cut1Proof, prove
from croupier.dealing.shoe import Shoe
from croupier.games.blackjack import CASINO, BlackjackRules, BlackjackSetup
from croupier.table.record import rules_name
from croupier.table.round import Round, Seeds, begin

SEEDS = Seeds("0123456789abcdef" * 4, "a seed of the player's own")
SECRET = bytes(range(32))


def finished(played: Round, choice: int = 0) -> Round:
    """Plays a round to its end: bets the least, then makes the same choice from every menu."""
    while not played.over:
        menu = played.menu()
        played = played.act(menu[0 if played.view().phase == "betting" else choice % len(menu)].action)
    return played


def seeded(rules: BlackjackRules = CASINO, rounds: int = 1, seeds: Seeds = SEEDS) -> list[Round]:
    """Rounds one after the other, on one pair of seeds."""
    played = finished(begin(rules, seeds=seeds))
    found = [played]
    while len(found) < rounds:
        following = played.next()
        assert following is not None
        played = finished(following, choice=len(found))
        found.append(played)
    return found


def cut(rules: BlackjackRules, purses: tuple[int, ...], hand: int = 1) -> tuple[Round, Cut1Proof]:
    """A round dealt by cut-1, with the first seat absent from the cut, and the whole pack opened."""
    played = begin(rules, BlackjackSetup(purses))
    for seat in played.turn:
        played = played.act(played.menu(seat)[0].action, seat)
    wanted = played.wants
    assert wanted is not None
    committed = CommittedPack(SECRET, Context("table 7", hand, rules_name(rules)), wanted.pack)
    chains = [Chain(bytes([seat]) * 32, length=9) for seat in range(len(purses))]
    contributions = [Contribution(0)]
    contributions += [
        Contribution(seat, chain.anchor, hand, chain.link(hand)) for seat, chain in enumerate(chains) if seat
    ]
    pack: CutPack[object] = committed.cut(contributions)
    return finished(played.supply(Shoe.cut(pack)), choice=1), prove(pack)
