"""What a careful author writes: both checkers accept every line, and it runs."""

import croupier
from croupier import Offer, Seeds, begin, blackjack, parse_cards, poker, sequence, verify
from croupier.poker import Call, HoldemView
from croupier.sdk import Match, RoomHandle, play

seeds = Seeds("0" * 64, "my own lucky seed")
game = begin(blackjack.CASINO.replace(decks=2, surrender="late"), seeds=seeds).act(blackjack.PlaceBet(100))
decks: int = game.rules.decks
while not game.over:
    action: blackjack.BlackjackAction = game.menu()[0].action
    game = game.act(action)
line: str = game.record().to_json()
assert verify([line]).ok

hand = begin(poker.CASH, poker.CASH.setup(3), seeds)
board: tuple[croupier.Card, ...] = hand.view().board
street: poker.Street = hand.act(poker.Call()).view().street
typed: HoldemView = hand.act(Call()).view()
blind: int = poker.GAME.presets["cash"].big_blind
cards: tuple[croupier.Card, ...] = parse_cards("As Kd")
ids: tuple[sequence.CardId, ...] = parse_cards("heart_10_1", sequence.PACK)


class Watcher:
    def __init__(self) -> None:
        self.heard: list[poker.HoldemEvent] = []

    def begin(self, match: Match[poker.HoldemRules]) -> None:
        self.blind = match.rules.big_blind

    def observe(self, event: poker.HoldemEvent) -> None:
        self.heard.append(event)

    def __call__(self, view: poker.HoldemView, menu: tuple[Offer[poker.HoldemAction], ...]) -> poker.HoldemAction:
        assert view.you is not None
        acted = [event for event in view.history if isinstance(event, poker.Acted)]
        return menu[-1].action if not acted and view.own_cards[0].rank == "A" else menu[0].action


watcher = Watcher()
outcome = play(watcher, croupier.poker, against=["caller"], preset="cash", rounds=2, strict=True)
assert outcome.rounds == 2
assert watcher.heard


def names(room: RoomHandle) -> list[str]:
    return [member["name"] for member in room.state["public"]["members"]]


async def plays_on(room: RoomHandle) -> None:
    view = room.view_of(croupier.poker)
    if view is not None and len(view.board) == 3:
        await room.act(room.menu_of(poker)[0].action)
        await room.act(poker.Call())
