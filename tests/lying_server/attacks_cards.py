"""Attacks on the cards: other packs than were fixed, other cards than were proved, cards without a proof."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from croupier.cards import Card
from croupier.dealing import canonical
from croupier.dealing.cut2 import CutDeal, Cutter, choice, promise_of
from croupier.dealing.sealed_pack import SealedPack
from croupier.dealing.shoe import Shoe
from croupier.games.blackjack.rules.actions import PlaceBet, Split
from croupier.table.checker import Checker
from croupier.table.mirror import Mirror, MirrorError
from croupier.table.room import Room
from tests.lying_server.attack import Outcome, Stage, attack
from tests.lying_server.attacks_voids import with_news, without_news
from tests.lying_server.liar import MASTER, Listener, Rig, RiggedDeal, Spy, forged, swapped, wanted_of
from tests.lying_server.removal import Check


def false_pack(room: Room) -> tuple[Any, ...]:
    """A pack in which clubs and diamonds stand twice, and there is nothing else."""
    pack = wanted_of(room).pack
    return pack[:26] * (len(pack) // 26)


def _is_false(stage: Stage) -> bool:
    """Whether Ann takes a deal of such a pack for good."""
    if not stage.is_accepted:
        return False
    made = stage.room.packs[-1]
    assert isinstance(made, CutDeal)
    return sorted(map(str, made.order())) != sorted(canonical.read(made.context.pack))


@attack("PACKS_MISMATCH", Check("RoundChecker._check_contents", "PACKS_MISMATCH"))
def one_pack_where_there_must_be_eight() -> Outcome:
    """With one pack there is none that is not played: nobody ever looks into it."""
    stage = Stage()
    stage.liar.forge = lambda room: forged(room, cards=[false_pack(room)], packs=1)
    stage.start()
    return Outcome(stage.ann, _is_false(stage))


@attack(
    "PACK_MISMATCH",
    Check("RoundChecker._check_contents", "PACK_MISMATCH"),
    Check("Checker._check_packs", "PACK_MISMATCH"),
    overlap="looked at when the deal is fixed, and once more when a round is told as a whole, as at its beginning",
)
def a_pack_without_aces() -> Outcome:
    """The pack that is fixed openly lacks some cards."""

    def forge(room: Room) -> Room:
        short = [card for card in wanted_of(room).pack if not str(card).startswith("A")]
        return forged(room, cards=[short] * 8, pack=canonical.write([str(card) for card in short]))

    stage = Stage()
    stage.liar.forge = forge
    stage.start()
    return Outcome(stage.ann, stage.is_accepted and stage.room.packs[-1].size == 48)


@attack("PACK_MISMATCH", Check("Checker._check_packs", "PACK_MISMATCH"))
def a_later_shuffle_of_another_pack() -> Outcome:
    """The cards of a game of Sequence are used up. The server shuffles other cards than were played, and tells the
    whole round again with it, as if Ann had been away."""

    def forge(room: Room) -> Room:
        pack = wanted_of(room).pack
        other = (pack[0],) * len(pack)
        return forged(room, cards=[other], pack=canonical.write([str(card) for card in other])) if room.packs else room

    stage = Stage(game="sequence", preset="house", seed=USED_UP)
    stage.liar.forge = forge
    stage.liar.twist = lambda listener, state: [] if state["public"]["deal"] == 2 and not state["whole"] else [state]
    stage.start()
    while stage.room.deals == 1:
        assert not stage.room.round.over, "the cards are not used up"  # type: ignore[union-attr]
        stage.table.step()
    stage.liar.twist = Spy().twist
    stage.table.restore(stage.room)
    stage.table.settle()
    return Outcome(stage.ann, stage.is_accepted and len(stage.room.packs) == 2)


USED_UP = 8
"""With this seed, two who play at random use the cards up before anybody wins."""


@attack("PACK_FALSE", Check("cut2.check_secrets", "PACK_FALSE"))
def false_packs() -> Outcome:
    """All packs lack half of the cards. Their secrets are shown, and are not looked at."""
    stage = Stage()
    stage.liar.forge = lambda room: forged(room, cards=[false_pack(room)] * 8)
    stage.start()
    return Outcome(stage.ann, _is_false(stage))


@attack("SECRET_MISSING", Check("cut2.check_secrets", "SECRET_MISSING"))
def secrets_that_come_late() -> Outcome:
    """The packs that are not played will be shown later, says the server: they all lack half of the cards."""
    stage = Stage()
    stage.liar.forge = lambda room: forged(room, cards=[false_pack(room)] * 8)
    stage.liar.twist = with_news("DEAL_MADE", secrets=[None] * 8)
    stage.start()
    return Outcome(stage.ann, _is_false(stage))


@attack("OPENING_NOT_IN_ROOT", Check("sealed_pack.check_opening", "OPENING_NOT_IN_ROOT"))
def another_pack_is_played() -> Outcome:
    """The server deals from the pack that it likes best, not from the one that the cut has chosen."""

    def rig(deal: RiggedDeal, made: CutDeal[Any]) -> None:
        made.pack = deal.pack((made.played + 1) % 8)

    stage = Stage()
    stage.liar.forge = lambda room: forged(room, rig=rig)
    stage.start()
    made = stage.room.packs[-1]
    honest = made.roots[choice(bytes.fromhex(made.cut), 8)]  # type: ignore[union-attr]
    return Outcome(stage.ann, stage.is_accepted and made.pack.root != honest)  # type: ignore[union-attr]


@attack("OPENING_NOT_IN_ROOT", Check("sealed_pack.check_opening", "OPENING_NOT_IN_ROOT"))
def roots_changed_between_hole_cards_and_board() -> Outcome:
    """Ann's hole cards are honest. The board comes from a pack that was made when they were known."""
    stage = Stage().start()
    room, made = stage.room, stage.room.packs[-1]
    assert isinstance(made, CutDeal)
    before = made.order()
    made.pack = SealedPack(MASTER, made.hashed, canonical_pack(made))
    shoe = Shoe(made.order(), room.round.shoe.dealt, made)  # type: ignore[union-attr]
    stage.table.room = replace(room, round=replace(room.round, shoe=shoe))
    _to_the_flop(stage)
    board = [str(card) for card in made.order()[5:8]]
    return Outcome(stage.ann, stage.is_accepted and _board(stage) == board != [str(card) for card in before[5:8]])


def canonical_pack(made: CutDeal[Any]) -> list[Card]:
    """The cards of a deal in their usual order."""
    return [Card(text) for text in canonical.read(made.context.pack)]


def _to_the_flop(stage: Stage) -> None:
    for _ in range(4):
        if len(stage.room.round.state.board) < 3:  # type: ignore[union-attr]
            stage.table.step()


def _board(stage: Stage) -> list[str]:
    """The board that Ann has been shown."""
    shown: list[str] = stage.ann.state["you"]["view"]["board"]
    return shown


@attack(
    "DEAL_CHANGED",
    Check("DealChecker._known_again", "DEAL_CHANGED"),
    Check("DealChecker._made", "DEAL_TAKEN_BACK"),
    Check("RoomGuard.may_act", "BET_WITHOUT_CUT"),
    overlap="other roots make another seal, another seal another cut, and that is not the deal which was cut here",
)
def roots_changed_across_a_reload() -> Outcome:
    """While Ann's page is loaded anew, other packs take the place of those that she has cut."""
    stage = Stage()
    fixed: list[Room] = []
    stage.liar.forge = lambda room: fixed.append(room) or room  # type: ignore[func-returns-value]
    stage.start()
    first = stage.room.packs[-1].cut
    stage.ann.go()
    again = replace(fixed[0], members=stage.room.members)
    stage.table.room = stage.cut_by_all(forged(again), {0: stage.given(1)})
    stage.ann.reload()
    return Outcome(stage.ann, stage.bets() and stage.room.packs[-1].cut != first)


def _swap(k: int, other: int) -> Rig:
    """Deals two cards in each other's places."""

    def rig(deal: RiggedDeal, made: CutDeal[Any]) -> None:
        order = list(made.permutation)
        order[k], order[other] = order[other], order[k]
        made.permutation = tuple(order)

    return rig


def _at_another_k(name: str, k: int, other: int) -> Callable[[], Outcome]:
    """Of a hand of Hold'em for two: the k-th card is one that another place should have had."""

    def play() -> Outcome:
        stage = Stage()
        stage.liar.forge = lambda room: forged(room, rig=_swap(k, other))
        stage.start()
        _to_the_flop(stage)
        return Outcome(stage.ann, stage.is_accepted and len(_board(stage)) == 3)

    play.__name__ = name
    return play


POSITION = Check("sealed_pack.check_opening", "POSITION_MISMATCH")
attack("POSITION_MISMATCH", POSITION)(_at_another_k("the_opening_of_another_card_as_my_hole_card", 1, 51))
attack("POSITION_MISMATCH", POSITION)(_at_another_k("the_burnt_card_on_the_board", 4, 5))
attack("POSITION_MISMATCH", POSITION)(_at_another_k("the_opening_of_another_card_on_the_board", 7, 40))


def blackjack(*, pair: bool = False) -> Stage:
    """A round of blackjack in which Ann has bet and must act; with `pair`, she may split."""
    for seed in range(500):
        stage = Stage(game="blackjack", preset="trainer", bots=0, seed=seed).start()
        stage.ann.act(PlaceBet(10))
        stage.table.settle()
        played = stage.room.round
        assert played is not None
        tags = [offer.action.tag for offer in played.menu(0)] if played.turn else []
        if ("BLACKJACK_SPLIT" if pair else "BLACKJACK_STAND") in tags:
            return stage
    raise AssertionError("no such hand")


@attack("POSITION_MISMATCH", POSITION)
def the_opening_of_another_card_for_a_split_hand() -> Outcome:
    """Ann splits, and the server looks for the card that she gets."""
    stage = blackjack(pair=True)
    k = stage.room.round.shoe.dealt  # type: ignore[union-attr]
    stage.table.room = swapped(stage.room, k, k + 20)
    done = stage.ann.act(Split())
    return Outcome(stage.ann, done is None and stage.is_accepted)


@attack(
    "POSITION_MISMATCH",
    POSITION,
    Check("CardChecker._take_opened", "CARD_MISPLACED"),
    overlap="the whole pack is opened when the round is over, and each card must have been where it was dealt",
)
def the_opening_of_another_card_as_the_dealers_hole_card() -> Outcome:
    """Ann stands, and the dealer turns up a card that was meant for nobody."""
    stage = Stage(game="blackjack", preset="trainer", bots=0)
    stage.liar.forge = lambda room: forged(room, rig=_swap(wanted_of(room).places.index("dealer:1"), 50))
    stage.start()
    _stand_to_the_end(stage)
    return Outcome(stage.ann, stage.is_accepted and stage.room.round.over)  # type: ignore[union-attr]


@attack("POSITION_MISMATCH", POSITION)
def the_opening_of_another_card_as_my_draw_in_sequence() -> Outcome:
    """Ann plays a card, and the server looks for the one that she draws."""
    stage = Stage(game="sequence", preset="house").start()
    k = stage.room.round.shoe.dealt  # type: ignore[union-attr]
    stage.table.room = swapped(stage.room, k, k + 20)
    done = stage.ann.act(stage.table.choice(0))
    return Outcome(stage.ann, done is None and stage.is_accepted)


class Believing(NamedTuple):
    """A client that believes what it is shown as soon as a proof is lacking."""

    def remove(self, monkeypatch: pytest.MonkeyPatch) -> None:
        take, follow, heard = Checker._take, Checker._follow, Checker._heard
        believed: list[Checker] = []

        def believing_take(checker: Checker, mirror: Mirror, openings: Any) -> None:
            try:
                take(checker, mirror, openings)
            except MirrorError:
                believed.append(checker)

        def believing_follow(checker: Checker, state: Any, openings: Any) -> None:
            if checker not in believed:
                follow(checker, state, openings)

        def believing_heard(checker: Checker, state: Any) -> Any:
            return state.events if checker in believed else heard(checker, state)

        monkeypatch.setattr(Checker, "_take", believing_take)
        monkeypatch.setattr(Checker, "_follow", believing_follow)
        monkeypatch.setattr(Checker, "_heard", believing_heard)


def without_openings(*numbers: int) -> Any:
    """Tells everything but the proofs of these cards."""

    def twist(listener: Listener, state: dict[str, Any]) -> list[dict[str, Any]]:
        return [{**state, "openings": [each for each in state["openings"] if each["k"] not in numbers]}]

    return twist


@attack("CARD_WITHOUT_PROOF", Believing())
def a_board_without_openings() -> Outcome:
    """The board is shown, and nothing proves it."""
    stage = Stage()
    stage.liar.twist = without_openings(5, 6, 7)
    stage.start()
    _to_the_flop(stage)
    return Outcome(stage.ann, stage.is_accepted and len(_board(stage)) == 3)


@attack(
    "VIEW_MISMATCH",
    Check("Checker._compare", "VIEW_MISMATCH"),
    Check("Checker._heard", "VIEW_MISMATCH"),
    overlap="the card is shown on the table, and told of as an event",
)
def a_hole_card_without_opening() -> Outcome:
    """Ann's hole cards are shown, and nothing proves them."""
    stage = Stage()
    stage.liar.twist = without_openings(0, 1, 2, 3)
    stage.start()
    return Outcome(stage.ann, stage.is_accepted and stage.ann.guard.checker.checked == 0)


@attack("CARD_WITHOUT_PROOF", Check("Checker._check_bare", "CARD_WITHOUT_PROOF"))
def a_hand_without_a_deal() -> Outcome:
    """Cards are on the table, and the server says nothing of where they come from."""
    stage = Stage()
    stage.liar.forge = lambda room: forged(room, cutters=(Cutter(0, promise_of(MASTER)),))
    stage.liar.twist = lambda listener, state: [{**state, "deals": [], "openings": [], "events": []}]
    stage.start()
    stage.table.show(stage.cut_by_all(stage.room, {0: MASTER.hex()}))
    return Outcome(stage.ann, stage.bets())


@attack("SECRET_NOT_REVEALED", Check("Checker._compare", "SECRET_NOT_REVEALED"))
def a_pack_that_is_never_opened() -> Outcome:
    """Where there is one pack, it is opened when the round is over: the server keeps it shut, and knows why."""
    stage = Stage(game="blackjack", preset="trainer", bots=0)
    stage.liar.forge = lambda room: forged(room, cards=[false_pack(room)])
    stage.liar.twist = without_news("DEAL_OPENED")
    return _to_the_end(stage)


def _to_the_end(stage: Stage) -> Outcome:
    stage.start()
    _stand_to_the_end(stage)
    return Outcome(stage.ann, _is_false(stage))


def _stand_to_the_end(stage: Stage) -> None:
    """Ann bets, and then takes no card."""
    stage.ann.act(PlaceBet(10))
    stage.table.settle()
    while stage.room.turn:
        assert stage.ann.act(stage.room.rules.absent(stage.room.round.menu(0))) is None  # type: ignore[union-attr]
        stage.table.settle()


@attack(
    "PACK_FALSE",
    Check("DealChecker._opened", "PACK_FALSE"),
    Check("CardChecker._take_opened", "CARD_MISPLACED"),
    overlap="what the secret makes of an honest pack is not what was shown, either",
)
def a_false_pack_that_is_opened() -> Outcome:
    """The one pack lacks half of the cards. It is opened, and nobody computes it again."""
    stage = Stage(game="blackjack", preset="trainer", bots=0)
    stage.liar.forge = lambda room: forged(room, cards=[false_pack(room)])
    return _to_the_end(stage)
