"""The messages of the casino's blackjack: one player and the house. What may be known is in `BLACKJACK_GAME_STATE`.

An amount is a number of chips with at most two decimal places; inside, it is a whole number of hundredths.
"""

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from croupier.cards import Card
from croupier.game.game import Action, Event
from croupier.games import blackjack
from croupier.games.blackjack.rules import events
from croupier.games.blackjack.rules.state import Phase, Status
from croupier.wire.frames import Answer, Command, Request

GAME_ID: Final = "inhousegame:blackjack"
LEDGER_LINES_MAX: Final = 100
CHIP_UNITS: Final = 100
AMOUNT_MAX: Final = (2**53 - 1) // CHIP_UNITS

Amount: TypeAlias = int | float
"""Chips, with at most two decimal places."""
Stake: TypeAlias = (
    Annotated[int, msgspec.Meta(ge=-AMOUNT_MAX, le=AMOUNT_MAX)]
    | Annotated[float, msgspec.Meta(ge=-AMOUNT_MAX, le=AMOUNT_MAX)]
)
"""An incoming amount: any that can be counted exactly. The rules decide which are allowed."""


def amount_of(units: int, chip: int = CHIP_UNITS) -> Amount:
    """An outgoing amount, from whole units; `chip` of them make a chip."""
    return units // chip if units % chip == 0 else units / chip


def units_of(amount: Amount, chip: int = CHIP_UNITS) -> int | None:
    """The whole units of an incoming amount; None if it has too many decimal places."""
    units = round(amount * chip)
    return units if units / chip == amount else None


class NoParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An empty object: the game has nothing to choose but the amount."""


class GameParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    blackjack: NoParams


class PlaceBet(Command, frozen=True, tag="PLACE_BET"):
    """Begins a round. The hash of its server seed was sent before, with the version that is expected here.

    `amount` has at most two decimal places. `clientSeed` has 8 to 256 characters; a client makes a fresh one for every
    bet, after it has seen the hash.
    """

    amount: Stake
    client_seed: str
    game_params: GameParams


class Hit(Command, frozen=True, tag="BLACKJACK_HIT"):
    """Takes a card."""


class Stand(Command, frozen=True, tag="BLACKJACK_STAND"):
    """Takes no more cards on this hand."""


class Double(Command, frozen=True, tag="BLACKJACK_DOUBLE"):
    """Doubles the hand's bet, takes exactly one card and stands."""


class Split(Command, frozen=True, tag="BLACKJACK_SPLIT"):
    """Makes two hands of a pair, each with an equal bet."""


class Insurance(Command, frozen=True, tag="BLACKJACK_INSURANCE"):
    """Takes insurance for half the bet, or with `take` false declines it. Playing on declines it, too."""

    take: bool = True


class RotateSeed(Command, frozen=True, tag="BLACKJACK_ROTATE_SEED"):
    """Reveals the server seed of the past rounds and goes on with the announced one."""


class RefillWallet(Command, frozen=True, tag="WALLET_REFILL"):
    """Takes the chips of a newcomer again, once the wallet is empty."""


class GetState(Request, frozen=True, tag="BLACKJACK_GET_STATE"):
    """Asks for the state as it is."""


class CheckActive(Request, frozen=True, tag="BLACKJACK_CHECK_ACTIVE"):
    """Asks whether a round runs."""


class ResumeGame(Request, frozen=True, tag="BLACKJACK_RESUME_GAME"):
    """Comes back to the running round."""


class GetParams(Request, frozen=True, tag="BLACKJACK_GET_PARAMS"):
    """Asks for the game's published parameters."""


class GetSeeds(Request, frozen=True, tag="BLACKJACK_SEEDS"):
    """Asks which seeds the next round is dealt by."""


class GetHistory(Request, frozen=True, tag="BLACKJACK_HISTORY"):
    """Asks for the last rounds."""


class GetWallet(Request, frozen=True, tag="WALLET_GET"):
    """Asks for the balance and the last movements."""

    most: Annotated[int, msgspec.Meta(ge=0, le=LEDGER_LINES_MAX)] = 20


PlayCommand: TypeAlias = Hit | Stand | Double | Split | Insurance
CasinoCommand: TypeAlias = PlaceBet | PlayCommand | RotateSeed | RefillWallet
CasinoQuery: TypeAlias = GetState | CheckActive | ResumeGame | GetParams | GetSeeds | GetHistory | GetWallet
CasinoRequest: TypeAlias = CasinoCommand | CasinoQuery


class SeedsView(msgspec.Struct, frozen=True, rename="camel"):
    """The seeds of the next round, and the commitment that follows.

    `clientSeed` and `nonce` say how the last pair would go on; `clientSeed` is null before the first bet on this server
    seed. A bet may bring any client seed: a client makes a fresh one for every bet, and takes none from here.
    """

    server_seed_hash: str
    next_server_seed_hash: str
    client_seed: str | None
    nonce: int
    client_seeds_left: int = 0
    """How many more client seeds this server seed takes before it must be rotated."""


class HandView(msgspec.Struct, frozen=True, rename="camel"):
    """A hand of the player. `result` and `payout` exist once the round is finished."""

    cards: tuple[Card, ...]
    status: Status
    bet_amount: Amount
    is_doubled: bool
    is_split: bool
    is_from_aces: bool
    soft_value: int
    hard_value: int
    best_value: int
    is_blackjack: bool
    can_hit: bool
    can_stand: bool
    can_double: bool
    can_split: bool
    payout: Amount | UnsetType = UNSET
    result: Status | UnsetType = UNSET


class DealerView(msgspec.Struct, frozen=True, rename="camel"):
    """The dealer's hand: the values are those of its open cards, and `holeCard` is null until it is revealed."""

    cards: tuple[Card, ...]
    status: Status
    show_card: Card | None
    hole_card: Card | None
    soft_value: int
    hard_value: int
    best_value: int
    is_revealed: bool
    has_blackjack: bool


class InsuranceView(msgspec.Struct, frozen=True, rename="camel"):
    """Insurance that was taken. `result` and `payout` exist once the round is finished."""

    bet_amount: Amount
    payout: Amount | UnsetType = UNSET
    result: Status | UnsetType = UNSET


class BetPlaced(Event, frozen=True, tag="BET_PLACED"):
    seat: int
    amount: Amount


class InsuranceDecided(Event, frozen=True, tag="INSURANCE_DECIDED"):
    """`amount` is 0 when the player declines."""

    seat: int
    amount: Amount


class HandSettled(Event, frozen=True, tag="HAND_SETTLED"):
    """Told when the round is over, never before."""

    seat: int
    hand: int
    result: Status
    payout: Amount


class InsuranceSettled(Event, frozen=True, tag="INSURANCE_SETTLED"):
    seat: int
    payout: Amount


CasinoEvent: TypeAlias = (
    BetPlaced
    | InsuranceDecided
    | HandSettled
    | InsuranceSettled
    | events.PhaseChanged
    | events.ShoeShuffled
    | events.CardDealt
    | events.DealerCardDealt
    | events.InsuranceOffered
    | events.DealerPeeked
    | events.Played
    | events.HandChanged
    | events.HoleCardRevealed
    | events.ShoeEmpty
)
"""The events of a round, with amounts as the protocol writes them."""


class BetAction(Action, frozen=True, tag="PLACE_BET"):
    """Stakes `amount` on a round; the request for it also brings a client seed."""

    amount: Amount


CasinoAction: TypeAlias = (
    BetAction | blackjack.Hit | blackjack.Stand | blackjack.Double | blackjack.Split | blackjack.Insurance
)


class CasinoOffer(msgspec.Struct, frozen=True, omit_defaults=True):
    """What may be done now. With `field`, that field may be anything from `low` to `high`."""

    action: CasinoAction
    field: str = ""
    low: Amount = 0
    high: Amount = 0


class GameState(Answer, frozen=True, tag="BLACKJACK_GAME_STATE"):
    """The session after any change: the round that runs, or else the last one.

    Every connection of the player that has asked anything here gets it after every change. A round passes through
    `dealing`, `dealer` and `finished` by itself: each is sent as a state of its own, before the one in which it stops.
    Payouts and results are there only once the round is finished. Before the first round `roundId` is 0, and there are
    no hands.
    """

    version: int
    game_id: str
    balance: Amount
    round_id: int
    bet_amount: Amount
    client_seed: str | None
    """The seeds that this round is dealt by; before the first round there is no client seed."""
    server_seed_hash: str
    nonce: int
    rtp: float | None
    """The return to the player in the long run, in percent, as the house publishes it for these rules."""
    status: Phase
    player_hands: tuple[HandView, ...]
    active_hand_index: int
    """The hand in turn, from 0. When none is, the last one: nothing can be done with it."""
    dealer_hand: DealerView | None
    insurance: InsuranceView | None
    can_insure: bool
    total_bet: Amount
    seeds: SeedsView
    menu: tuple[CasinoOffer, ...]
    events: tuple[CasinoEvent, ...] = ()
    """What came of the command that led here."""
    server_seed: str | UnsetType = UNSET
    """The server seed of this round, once it is revealed."""
    total_payout: Amount | UnsetType = UNSET
    """What the round gave back, stakes and insurance included."""
    final_payout: Amount | UnsetType = UNSET


class CheckActiveResponse(Answer, frozen=True, tag="BLACKJACK_CHECK_ACTIVE_RESPONSE"):
    """Whether a round runs, and which."""

    version: int
    active: bool
    round_id: int | UnsetType = UNSET


class ResumeGameResponse(Answer, frozen=True, tag="BLACKJACK_RESUME_GAME_RESPONSE"):
    """The running round as it was left."""

    version: int
    state: GameState


class GameParameters(msgspec.Struct, frozen=True, rename="camel"):
    deck_count: int
    dealer_rule: Literal["S17", "H17"]
    blackjack_payout: float
    insurance_payout: int
    max_splits: int
    double_after_split: bool
    surrender_allowed: bool


class GetParamsResponse(Answer, frozen=True, tag="BLACKJACK_GET_PARAMS_RESPONSE"):
    """What the house plays by."""

    version: int
    game_id: str
    game_name: str
    category: str
    default_rtp: str | None = msgspec.field(name="defaultRTP")
    features: tuple[str, ...]
    bet_min: Amount
    bet_max: Amount
    game_parameters: GameParameters


class SeedsResponse(Answer, frozen=True, tag="BLACKJACK_SEEDS_RESPONSE"):
    """The seeds of the next round and, after a rotation, the server seed of the rounds before."""

    version: int
    seeds: SeedsView
    revealed: str | UnsetType = UNSET


class SettledRound(msgspec.Struct, frozen=True, rename="camel"):
    """A round that is over. `serverSeed` is null until it is revealed."""

    round_id: int
    at_ms: int
    staked: Amount
    final_payout: Amount
    server_seed_hash: str
    client_seed: str
    nonce: int
    server_seed: str | None


class HistoryResponse(Answer, frozen=True, tag="BLACKJACK_HISTORY_RESPONSE"):
    """The last rounds, the newest first."""

    version: int
    rounds: tuple[SettledRound, ...]


class WalletLine(msgspec.Struct, frozen=True, rename="camel"):
    chips: Amount
    at_ms: int


class WalletResponse(Answer, frozen=True, tag="WALLET_GET_RESPONSE"):
    """The wallet: what is in it, and its last movements, the newest first."""

    version: int
    balance: Amount
    lines: tuple[WalletLine, ...]


Told: TypeAlias = GameState | SeedsResponse
"""The answers to commands, as sent and as stored."""
CasinoAnswer: TypeAlias = (
    GameState
    | CheckActiveResponse
    | ResumeGameResponse
    | GetParamsResponse
    | SeedsResponse
    | HistoryResponse
    | WalletResponse
)
