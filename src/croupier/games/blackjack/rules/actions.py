"""What a player can do at blackjack. The tags are the protocol's message types."""

from typing import TypeAlias

from croupier.game.game import Action


class PlaceBet(Action, frozen=True, tag="PLACE_BET"):
    """Stakes `amount` on this round."""

    amount: int

    @property
    def stakes(self) -> bool:
        return True


class SitOut(Action, frozen=True, tag="BLACKJACK_SIT_OUT"):
    """Lets this round go by without a bet."""


class Hit(Action, frozen=True, tag="BLACKJACK_HIT"):
    """Takes a card."""


class Stand(Action, frozen=True, tag="BLACKJACK_STAND"):
    """Takes no more cards on this hand."""


class Double(Action, frozen=True, tag="BLACKJACK_DOUBLE"):
    """Doubles the hand's bet, takes exactly one card and stands."""

    @property
    def stakes(self) -> bool:
        return True


class Split(Action, frozen=True, tag="BLACKJACK_SPLIT"):
    """Makes two hands of a pair, each with an equal bet and one further card."""

    @property
    def stakes(self) -> bool:
        return True


class Insurance(Action, frozen=True, tag="BLACKJACK_INSURANCE"):
    """Takes insurance for half the bet, or with `take` false goes without and lets the dealer look."""

    take: bool = True

    @property
    def stakes(self) -> bool:
        return self.take


class Surrender(Action, frozen=True, tag="BLACKJACK_SURRENDER"):
    """Gives the hand up for half the bet."""


BlackjackAction: TypeAlias = PlaceBet | SitOut | Hit | Stand | Double | Split | Insurance | Surrender
