"""What a player is told of a casino session: made from the session, never from what was told before."""

from typing import Final

from msgspec import UNSET

from croupier.rules.blackjack import BlackjackRules, BlackjackSetup, BlackjackView, Insurance, PlaceBet
from croupier.rules.blackjack.actions import BlackjackAction
from croupier.rules.blackjack.state import Phase
from croupier.rules.game import Offer
from croupier.table.round import Round, begin
from croupier.table.session import SEAT, Session
from croupier.wire.casino import (
    GAME_ID,
    GameParameters,
    GameState,
    GetParamsResponse,
    RoundSeeds,
    SeedsView,
)

INSURANCE_PAYS: Final = 2
CATEGORY: Final = "session"


def game_state(session: Session, rules: BlackjackRules, balance_chips: int, *, events: bool = False) -> GameState:
    """The session as its player may see it; with `events`, also what came of its last step."""
    played = session.round
    if played is None:
        return GameState(
            version=session.version,
            game_id=GAME_ID,
            balance=balance_chips,
            round_id=session.rounds,
            status=Phase.BETTING,
            bet_amount=0,
            total_bet=0,
            player_hands=(),
            active_hand_index=None,
            dealer_hand=None,
            insurance=0,
            can_insure=False,
            round_seeds=None,
            seeds=seeds_view(session),
            menu=_bets(rules, balance_chips),
        )
    view: BlackjackView = played.view(SEAT)
    seat = view.seats[SEAT]
    menu = _bets(rules, balance_chips) if played.over else played.menu(SEAT)
    return GameState(
        version=session.version,
        game_id=GAME_ID,
        balance=balance_chips,
        round_id=session.rounds,
        status=view.phase,
        bet_amount=seat.bet,
        total_bet=sum(hand.bet for hand in seat.hands) + seat.insurance,
        player_hands=seat.hands,
        active_hand_index=view.active_hand,
        dealer_hand=view.dealer,
        insurance=seat.insurance,
        can_insure=any(offer.admits(Insurance(take=True)) for offer in menu),
        round_seeds=_round_seeds(session, played),
        seeds=seeds_view(session),
        menu=menu,
        events=played.heard(SEAT) if events else (),
        total_payout=seat.total_payout,
        final_payout=seat.final_payout,
    )


def seeds_view(session: Session) -> SeedsView:
    return SeedsView(session.server_seed_hash, session.next_server_seed_hash, session.client_seed, nonce=session.nonce)


def parameters(rules: BlackjackRules, version: int) -> GetParamsResponse:
    """The rules as the house publishes them."""
    numerator, denominator = rules.blackjack_ratio if rules.has_blackjack else (1, 1)
    return GetParamsResponse(
        version=version,
        game_id=GAME_ID,
        category=CATEGORY,
        bet_min=rules.bet_min,
        bet_max=rules.bet_max,
        game_parameters=GameParameters(
            deck_count=rules.decks,
            dealer_rule="H17" if rules.dealer_hits_soft_17 else "S17",
            blackjack_payout=numerator / denominator,
            insurance_payout=INSURANCE_PAYS if rules.insurance else 0,
            max_splits=rules.hands_max - 1,
            double_after_split=rules.double_after_split,
            surrender_allowed=rules.surrender != "no",
        ),
    )


def _bets(rules: BlackjackRules, balance_chips: int) -> tuple[Offer[BlackjackAction], ...]:
    """What may be bet on the next round. Sitting out is for tables where others go on."""
    next_round = begin(rules, BlackjackSetup((max(0, balance_chips),)))
    return tuple(offer for offer in next_round.menu(SEAT) if isinstance(offer.action, PlaceBet))


def _round_seeds(session: Session, played: Round) -> RoundSeeds:
    proof = played.proofs[0]
    settled = session.history[-1] if played.over else None
    revealed = None if settled is None else settled.server_seed
    return RoundSeeds(proof.server_seed_hash, proof.client_seed, proof.nonce, UNSET if revealed is None else revealed)
