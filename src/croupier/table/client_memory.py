"""A client's memory of a room, and the parts of a state that it reads."""

from typing import Annotated, Any, Literal

import msgspec

from croupier.dealing.findings import Finding
from croupier.dealing.sealed_pack import Opening
from croupier.table.deal_news import DealNews
from croupier.table.plain_values import NUMBER_MAX, Whole


class Miss(msgspec.Struct, frozen=True, rename="camel"):
    """A seat whose player did not cut, and what they owe."""

    deal: int
    member: str
    promise: str
    back_at_hand: int
    """The first hand in which they may be dealt in again."""
    misses: int = 1
    """Without those forgiven."""
    streak: int = 0
    """Deals cut in time since the last miss or the last forgiven one."""
    paid: bool = False
    gone: bool = False
    """Whether they left the room between two matches. When another one begins, they owe nothing."""


class Memory(msgspec.Struct, frozen=True, rename="camel"):
    """What must survive a reload: the newest deal as shown, and the history before it."""

    room: str
    deal: int = 0
    """The newest deal that was shown; 0 before the first."""
    seal: str = ""
    hand: int = 0
    shuffle: int = 0
    match: int = 0
    seat: int | None = None
    """The seat that this player had in it; None if they had none, or it is not known."""
    rules: str = ""
    """Of this match."""
    setup: str = ""
    """Its setup."""
    cut: str = ""
    """The result of its cuts, once it was cut."""
    missing: tuple[int, ...] = ()
    """The seats that did not cut it, if it is void."""
    gave: tuple[int, ...] = ()
    """The seats that did, if it is void."""
    cutters: tuple[int, ...] = ()
    misses: dict[str, Miss] = {}
    """By seat."""
    voids: tuple[int, ...] = ()
    """The newest void deals."""
    hand_voids: int = 0
    agreed_hand: int = 0
    """The hand for which the player agreed to go on after two voids."""
    missing_though_cut: int = 0
    """How often the room called this player missing although a cut was sent."""
    decided_deal: int = 0
    """The newest deal when the player last decided to go on, or the newest that was cut when this client first came:
    misses up to it were reported, and who cut it is not known."""
    passed_deal: int = 0
    """The newest deal that had passed then. No chip goes into an older one again: the server knows its cards."""


class CutWanted(msgspec.Struct, frozen=True):
    """A deal that passed every check and waits for this player's cut."""

    deal: int
    promise: str
    seal: str


class Seen(msgspec.Struct, frozen=True):
    """The result of checking a state."""

    alarms: tuple[Finding, ...] = ()
    notes: tuple[Finding, ...] = ()
    cut: CutWanted | None = None
    gap: tuple[int, int] | None = None
    """The first and last deal that the client must ask for before it can go on."""
    remember: bool = False
    """Whether the memory has changed."""
    events: tuple[Any, ...] = ()
    """The events, as far as they follow from the proofs and the moves."""
    is_proved: bool = True
    """Whether the game in the state can be shown to the player."""


class HostsOptions(msgspec.Struct, rename="camel"):
    seats: Whole
    turn_seconds: Whole
    bank_seconds: Whole
    pause_seconds: Whole
    cut_seconds: Whole
    listed: bool


class PublicPart(msgspec.Struct, rename="camel"):
    """The public part of a room: everything a client draws or relies on, checkable or not."""

    room_code: str
    room_id: str
    game: str
    edition: Whole
    preset: str
    rules: dict[str, Any]
    options: HostsOptions
    phase: Literal["lobby", "playing", "ended"]
    paused: bool
    host: str
    members: tuple["SeatedMember", ...]
    hand: Whole
    version: Whole
    game_version: Whole
    turn: tuple[Whole, ...]
    deadline_ms: Whole | None
    next_round_at_ms: Whole | None
    scheme: str
    deal: Whole
    waits_for: tuple[Whole, ...]
    agreeing: tuple[str, ...]
    gathering: bool
    payouts: tuple[Whole, ...] | None
    open_table: bool


class SeatedMember(msgspec.Struct, rename="camel"):
    id: str
    name: str
    bot: str
    seat: Whole | None
    team_id: str
    ready: bool
    away: bool
    missed: Whole
    bank_ms: Whole
    promised: bool
    owes: Whole | None
    back_at_hand: Whole
    buying: Whole
    bought: Whole
    sits_next: Literal["", "out", "in"]
    stands: bool


class OwnPart(msgspec.Struct, rename="camel"):
    seat: Annotated[int, msgspec.Meta(ge=0, le=NUMBER_MAX)] | None
    view: Any
    menu: tuple[Any, ...]


class CardOpening(Opening, frozen=True, tag=False):
    shuffle: int = 0


class State(msgspec.Struct, rename="camel"):
    public: PublicPart
    you: OwnPart
    events: tuple[Any, ...]
    moves: tuple[dict[str, Any], ...]
    deals: tuple[DealNews, ...]
    openings: tuple[CardOpening, ...]
    whole: bool


class OwnAction(msgspec.Struct, frozen=True):
    """An action of the player in a hand. `number` is how many moves of theirs the room had told before it: the action
    was meant to be the next one. None where an earlier version wrote it down."""

    action: Any
    number: int | None = None
