"""The state of a casino session as its player sees it: made from the session, never from an earlier state."""

from typing import Any, Final, TypeAlias

from msgspec import UNSET
from msgspec.structs import replace

from croupier.game.game import offered
from croupier.games import blackjack
from croupier.games.blackjack import CASINO, BlackjackRules, BlackjackSetup
from croupier.games.blackjack.casino.log import Settled
from croupier.games.blackjack.casino.step import CLIENT_SEEDS_PER_SERVER_SEED_MAX, PLAY_ON, SEAT, Session
from croupier.games.blackjack.rules.events import BetPlaced, HandSettled, InsuranceDecided, InsuranceSettled
from croupier.games.blackjack.rules.hands import TARGET, is_blackjack, total
from croupier.games.blackjack.rules.state import BlackjackState, Hand, Phase, Seat, Status
from croupier.table.round import Round, begin
from croupier.wire import casino
from croupier.wire.casino import (
    GAME_ID,
    CasinoEvent,
    CasinoOffer,
    DealerView,
    GameParameters,
    GameState,
    GetParamsResponse,
    HandView,
    InsuranceView,
    SeedsView,
    SettledRound,
    amount_of,
)

GAME_NAME: Final = "Blackjack"
CATEGORY: Final = "session"
FEATURES: Final = ("provably_fair", "session_game", "multi_hand", "insurance")
RTP_PERCENT: Final = 99.5
"""The published return for the rules of the casino; docs/guides/return-to-player.md has the exact figure."""
INSURANCE_PAYS: Final = 2

_PLAYS: Final = (blackjack.Hit(), blackjack.Stand(), blackjack.Double(), blackjack.Split())
_Play: TypeAlias = blackjack.Hit | blackjack.Stand | blackjack.Double | blackjack.Split


def game_state(session: Session, rules: BlackjackRules, balance_units: int, *, events: bool = False) -> GameState:
    """The session as its player may see it; with `events`, also the events of its last step. `rules` are those of the
    next round, in units."""
    played = session.round
    if played is None:
        return _told(session, rules, balance_units, None, None)
    told = _told(session, rules, balance_units, played, played.state)
    return replace(told, events=_events(played, session.chip)) if events else told


def passed_through(before: Session, after: Session, rules: BlackjackRules) -> tuple[GameState, ...]:
    """The states that the round passed through by itself in the last step, in order. They are not stored."""
    played = after.round
    if played is None or (after.rounds == before.rounds and before.round is not None and before.round.over):
        return ()
    found = []
    if after.rounds > before.rounds:
        dealing = begin(played.rules, played.setup).act(played.moves[0].action, SEAT)
        found.append(_told(after, rules, _purse(dealing.state), dealing, dealing.state))
    if played.over:
        settled = _uncredited(played.state)
        turned = replace(_unsettled(settled), phase=Phase.DEALER, dealer=settled.dealer[:2])
        for state in (turned, settled):
            found.append(_told(after, rules, _purse(state), played, state))
    return tuple(replace(state, menu=()) for state in found)


def seeds_view(session: Session) -> SeedsView:
    return SeedsView(
        session.server_seed_hash,
        session.next_server_seed_hash,
        session.client_seed,
        nonce=session.nonce,
        client_seeds_left=CLIENT_SEEDS_PER_SERVER_SEED_MAX - session.pairs,
    )


def settled_round(settled: Settled, chip: int) -> SettledRound:
    """A past round as the player sees it."""
    fields = {name: getattr(settled, name) for name in SettledRound.__struct_fields__}
    amounts = {name: amount_of(fields[name], chip) for name in ("staked", "final_payout")}
    return SettledRound(**{**fields, **amounts})


def parameters(rules: BlackjackRules, version: int) -> GetParamsResponse:
    """The rules, in units, as the house publishes them."""
    numerator, denominator = rules.blackjack_ratio if rules.has_blackjack else (1, 1)
    rtp = _rtp_percent(rules)
    return GetParamsResponse(
        version=version,
        game_id=GAME_ID,
        game_name=GAME_NAME,
        category=CATEGORY,
        default_rtp=None if rtp is None else f"{rtp:g}%",
        features=tuple(name for name in FEATURES if _has(rules, name)),
        bet_min=amount_of(rules.bet_min),
        bet_max=amount_of(rules.bet_max),
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


def _has(rules: BlackjackRules, feature: str) -> bool:
    return {"multi_hand": rules.hands_max > 1, "insurance": rules.insurance}.get(feature, True)


def _rtp_percent(rules: BlackjackRules) -> float | None:
    """Known for the casino's own rules; which bets they allow does not matter."""
    return RTP_PERCENT if replace(rules, bet_min=CASINO.bet_min, bet_max=CASINO.bet_max) == CASINO else None


def _told(
    session: Session,
    rules: BlackjackRules,
    balance_units: int,
    played: Round | None,
    state: BlackjackState | None,
) -> GameState:
    """The state to send for a session with its round in this state."""
    chip = session.chip
    seat = Seat(0) if state is None else state.seats[SEAT]
    finished = state is not None and state.phase in (Phase.FINISHED, Phase.CASHED_OUT)
    plays = () if played is None or state is not played.state else _plays(played)
    insures = played is not None and offered(played.menu(SEAT), blackjack.Insurance(take=True))
    payout = sum(hand.payout for hand in seat.hands) + seat.insurance_payout
    turn = None if state is None else state.turn
    return GameState(
        version=session.version,
        game_id=GAME_ID,
        balance=amount_of(balance_units, chip),
        round_id=session.rounds,
        bet_amount=amount_of(seat.bet, chip),
        status=Phase.BETTING if state is None else state.phase,
        player_hands=tuple(
            _hand(rules, chip, hand, plays if (turn or (SEAT, 0)) == (SEAT, index) else (), finished)
            for index, hand in enumerate(seat.hands)
        ),
        active_hand_index=_active_hand(seat, turn, plays),
        dealer_hand=None if state is None else _dealer(rules, state),
        insurance=_insurance(chip, seat, finished),
        can_insure=insures,
        total_bet=amount_of(_staked(seat), chip),
        seeds=seeds_view(session),
        menu=_menu(session, rules, balance_units, plays),
        total_payout=amount_of(payout, chip) if finished else UNSET,
        final_payout=amount_of(payout, chip) if finished else UNSET,
        rtp=_rtp_percent(rules),
        **_round_seeds(session),
    )


def _active_hand(seat: Seat, turn: tuple[int, int] | None, plays: tuple[_Play, ...]) -> int:
    """The hand whose turn it is; the first while insurance is to be decided; the last when no hand is in turn."""
    if turn is not None:
        return turn[1]
    return 0 if plays else max(0, len(seat.hands) - 1)


def _round_seeds(session: Session) -> dict[str, Any]:
    """The seeds of the session's round; before the first one, what is known of its seeds."""
    played = session.round
    if played is None:
        return {"client_seed": None, "server_seed_hash": session.server_seed_hash, "nonce": 0}
    proof = played.proofs[0]
    settled = session.history[-1] if played.over else None
    revealed = None if settled is None else settled.server_seed
    return {
        "client_seed": proof.client_seed,
        "server_seed_hash": proof.server_seed_hash,
        "nonce": proof.nonce,
        "server_seed": UNSET if revealed is None else revealed,
    }


def _plays(played: Round) -> tuple[_Play, ...]:
    """The plays on the hand in turn. While insurance is to be decided, those that playing on would allow. Neither
    depends on the hole card."""
    menu = played.menu(SEAT)
    undecided = bool(played.state.undecided)
    return tuple(
        play for play in _PLAYS if offered(menu, play) or (undecided and _refused_for(played, play) == PLAY_ON)
    )


def _refused_for(played: Round, play: _Play) -> str:
    refusal = played.act(play, SEAT).refusal
    return "" if refusal is None else refusal.code


def _menu(
    session: Session, rules: BlackjackRules, balance_units: int, plays: tuple[_Play, ...]
) -> tuple[CasinoOffer, ...]:
    if session.running is None:
        return _bets(session, rules, balance_units)
    insurance = [offer.action for offer in session.running.menu(SEAT) if isinstance(offer.action, blackjack.Insurance)]
    return tuple(CasinoOffer(action) for action in (*insurance, *plays))


def _bets(session: Session, rules: BlackjackRules, balance_units: int) -> tuple[CasinoOffer, ...]:
    """The bets possible on the next round. Sitting out is for tables with other players."""
    units = max(0, balance_units) * casino.CHIP_UNITS // session.chip
    next_round = begin(rules, BlackjackSetup((units,)))
    return tuple(
        CasinoOffer(casino.BetAction(amount_of(offer.low)), offer.field, amount_of(offer.low), amount_of(offer.high))
        for offer in next_round.menu(SEAT)
        if isinstance(offer.action, blackjack.PlaceBet)
    )


def _hand(rules: BlackjackRules, chip: int, hand: Hand, plays: tuple[_Play, ...], finished: bool) -> HandView:
    worth = total(hand.cards, rules.ace)
    can = {type(play) for play in plays}
    return HandView(
        cards=hand.cards,
        status=hand.status,
        bet_amount=amount_of(hand.bet, chip),
        is_doubled=hand.doubled,
        is_split=hand.split,
        is_from_aces=hand.from_aces,
        soft_value=worth.soft,
        hard_value=worth.hard,
        best_value=worth.best,
        is_blackjack=not hand.split and is_blackjack(hand.cards),
        can_hit=blackjack.Hit in can,
        can_stand=blackjack.Stand in can,
        can_double=blackjack.Double in can,
        can_split=blackjack.Split in can,
        payout=amount_of(hand.payout, chip) if finished else UNSET,
        result=hand.status if finished else UNSET,
    )


def _dealer(rules: BlackjackRules, state: BlackjackState) -> DealerView:
    cards, worth = state.dealer, total(state.dealer, rules.ace)
    return DealerView(
        cards=cards,
        status=_dealer_status(state, worth.best),
        show_card=cards[0] if cards else None,
        hole_card=cards[1] if len(cards) > 1 else None,
        soft_value=worth.soft,
        hard_value=worth.hard,
        best_value=worth.best,
        is_revealed=state.hole is None and bool(cards),
        has_blackjack=is_blackjack(cards),
    )


def _dealer_status(state: BlackjackState, worth: int) -> Status:
    """The status of the dealer's hand: active until it is complete."""
    if is_blackjack(state.dealer):
        return Status.BLACKJACK
    if worth > TARGET:
        return Status.BUSTED
    return Status.STAND if state.phase in (Phase.FINISHED, Phase.CASHED_OUT) else Status.ACTIVE


def _insurance(chip: int, seat: Seat, finished: bool) -> InsuranceView | None:
    if not seat.insurance:
        return None
    taken = InsuranceView(amount_of(seat.insurance, chip))
    if not finished:
        return taken
    result = Status.WIN if seat.insurance_payout else Status.LOSE
    return replace(taken, payout=amount_of(seat.insurance_payout, chip), result=result)


def _events(played: Round, chip: int) -> tuple[CasinoEvent, ...]:
    return tuple(_event(event, chip) for event in played.heard(SEAT))


def _event(event: Any, chip: int) -> CasinoEvent:
    """An event of the rules in the protocol's form: amounts in chips."""
    match event:
        case BetPlaced(seat, amount):
            return casino.BetPlaced(seat, amount_of(amount, chip))
        case InsuranceDecided(seat, amount):
            return casino.InsuranceDecided(seat, amount_of(amount, chip))
        case HandSettled(seat, hand, result, payout):
            return casino.HandSettled(seat, hand, result, amount_of(payout, chip))
        case InsuranceSettled(seat, payout):
            return casino.InsuranceSettled(seat, amount_of(payout, chip))
    told: CasinoEvent = event
    return told


def _staked(seat: Seat) -> int:
    return sum(hand.bet for hand in seat.hands) + seat.insurance


def _purse(state: BlackjackState) -> int:
    return state.seats[SEAT].purse


def _uncredited(state: BlackjackState) -> BlackjackState:
    """A finished round just before its payout: results are known, the wallet has not changed."""
    seat = state.seats[SEAT]
    payout = sum(hand.payout for hand in seat.hands) + seat.insurance_payout
    return replace(state, phase=Phase.FINISHED, seats=(replace(seat, purse=seat.purse - payout),))


def _unsettled(state: BlackjackState) -> BlackjackState:
    """A round that is finished, before its results were known."""
    seat = state.seats[SEAT]
    hands = tuple(replace(hand, status=_status_played(hand), payout=0) for hand in seat.hands)
    return replace(state, seats=(replace(seat, hands=hands, insurance_payout=0),))


def _status_played(hand: Hand) -> Status:
    if total(hand.cards).best > TARGET:
        return Status.BUSTED
    return Status.BLACKJACK if not hand.split and is_blackjack(hand.cards) else Status.STAND
