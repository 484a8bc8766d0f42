"""The messages of the casino's blackjack: one player and the house. What may be known is in `BLACKJACK_GAME_STATE`."""

from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, UnsetType

from croupier.rules.blackjack.actions import BlackjackAction
from croupier.rules.blackjack.events import BlackjackEvent
from croupier.rules.blackjack.state import Phase
from croupier.rules.blackjack.view import DealerView, HandView
from croupier.rules.game import Offer
from croupier.table.session_log import Settled
from croupier.wire.frames import Answer, Command, Request

GAME_ID: Final = "inhousegame:blackjack"
LEDGER_LINES_MAX: Final = 100

Chips: TypeAlias = Annotated[int, msgspec.Meta(ge=-(2**53) + 1, le=2**53 - 1)]
"""A number that JSON carries exactly. Which amounts are allowed is for the rules to say."""


class NoParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An empty object: the game has nothing to choose but the amount."""


class GameParams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    blackjack: NoParams


class PlaceBet(Command, frozen=True, tag="PLACE_BET"):
    """Begins a round. The hash of its server seed has been told before, with the version that is expected here."""

    amount: Chips
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
    """Takes insurance for half the bet, or with `take` false goes without."""

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
    """The seeds of the next round, and the commitment that follows. `client_seed` is null before the first bet on this
    server seed, which then brings one; a bet with another client seed begins again with nonce 0."""

    server_seed_hash: str
    next_server_seed_hash: str
    client_seed: str | None
    nonce: int


class RoundSeeds(msgspec.Struct, frozen=True, rename="camel"):
    """The seeds that a round was dealt by. The server seed is told once it is revealed."""

    server_seed_hash: str
    client_seed: str
    nonce: int
    server_seed: str | UnsetType = UNSET


class GameState(Answer, frozen=True, tag="BLACKJACK_GAME_STATE"):
    """The session after any change: the round that runs, or else the last one.

    Payouts and results are there once the round is over, and then only. Before the first round `roundId` is 0, and
    there are no hands.
    """

    version: int
    game_id: str
    balance: int
    round_id: int
    status: Phase
    bet_amount: int
    total_bet: int
    player_hands: tuple[HandView, ...]
    active_hand_index: int | None
    dealer_hand: DealerView | None
    insurance: int
    can_insure: bool
    round_seeds: RoundSeeds | None
    seeds: SeedsView
    menu: tuple[Offer[BlackjackAction], ...]
    events: tuple[BlackjackEvent, ...] = ()
    """What came of the command that this answers."""
    total_payout: int | UnsetType = UNSET
    final_payout: int | UnsetType = UNSET


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
    category: str
    bet_min: int
    bet_max: int
    game_parameters: GameParameters


class SeedsResponse(Answer, frozen=True, tag="BLACKJACK_SEEDS_RESPONSE"):
    """The seeds of the next round and, after a rotation, the server seed of the rounds before."""

    version: int
    seeds: SeedsView
    revealed: str | UnsetType = UNSET


class HistoryResponse(Answer, frozen=True, tag="BLACKJACK_HISTORY_RESPONSE"):
    """The last rounds, the newest first."""

    version: int
    rounds: tuple[Settled, ...]


class WalletLine(msgspec.Struct, frozen=True, rename="camel"):
    chips: int
    at_ms: int


class WalletResponse(Answer, frozen=True, tag="WALLET_GET_RESPONSE"):
    """The wallet: what is in it, and its last movements, the newest first."""

    version: int
    balance: int
    lines: tuple[WalletLine, ...]


CasinoAnswer: TypeAlias = (
    GameState
    | CheckActiveResponse
    | ResumeGameResponse
    | GetParamsResponse
    | SeedsResponse
    | HistoryResponse
    | WalletResponse
)
