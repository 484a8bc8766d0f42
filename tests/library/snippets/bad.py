"""What should be refused: every line with `# error`, and no other."""

import croupier
from croupier import Offer, Seeds, begin, blackjack, parse_cards, poker, sequence
from croupier.poker import Kall  # error
from croupier.sdk import RoomHandle, play

seeds = Seeds("0" * 64, "my own lucky seed")
game = begin(blackjack.CASINO, seeds=seeds)
game.act(poker.Call())  # error
game.view().bord  # error
game.rules.deks  # error
blackjack.CASINO.replace(deks=2)  # error
blackjack.CASINO.replace(decks="2")  # error
blackjack.CASINO.replace(surrender="never")  # error
poker.Raise(amount=3)  # error
poker.Kall()  # error
poker.Call(1)  # error
poker.Fold(seat=0)  # error
blackjack.Hit(1)  # error
begin(poker.CASH, blackjack.BlackjackSetup((1,)))  # error
croupier.holdme  # error
ids: tuple[sequence.CardId, ...] = parse_cards("As")  # error


def careful(view: poker.HoldemView, menu: tuple[Offer[poker.HoldemAction], ...]) -> poker.HoldemAction:
    return menu[0].action


play(careful, croupier.blackjack)  # error
play(careful, croupier.poker, agianst=["solid"])  # error
play(careful, croupier.poker, rounds="3")  # error


def mixed_up(view: poker.HoldemView, menu: tuple[Offer[poker.HoldemAction], ...]) -> poker.HoldemAction:
    return blackjack.Hit()  # error


def version_of(room: RoomHandle) -> str:
    return room.state["public"]["version"]  # error


def misspelt(room: RoomHandle) -> object:
    return room.state["pubic"]  # error


async def strays(room: RoomHandle) -> blackjack.BlackjackAction:
    await room.act("HOLDEM_CALL")  # error
    view = room.view_of(croupier.poker)
    if view is not None:
        view.bord  # error
    return room.menu_of(croupier.poker)[0].action  # error
