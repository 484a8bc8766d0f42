"""The commands of people, and of the clock, to a room. The tags are the protocol's message types.

A game's own actions are not here: they come as `Play`, whatever the game.
"""

from typing import Annotated, Any, Generic, Literal, TypeAlias, TypeVar

import msgspec

from croupier.game.game import Action

MemberId: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Entry: TypeAlias = Literal["open", "approval", "locked"]
"""Who may come into a room: everybody who knows its code, those whom the host lets in, or nobody new."""
KeptOut: TypeAlias = Literal["address", "device"]
"""How a person who was removed is recognised besides their id: by the device, or by the device and the address."""
Seconds: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=3600)]


class RoomOptions(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """What a host decides about a room besides the game's rules."""

    seats: Annotated[int, msgspec.Meta(ge=0, le=200)] = 0
    """The number of seats; 0 for the game's default."""
    turn_seconds: Annotated[int, msgspec.Meta(ge=3, le=600)] = 30
    bank_seconds: Seconds = 60
    """A player's reserve for the whole match, used when the turn's own time is over."""
    pause_seconds: Annotated[int, msgspec.Meta(ge=0, le=60)] = 5
    """Between two rounds, to read the result."""
    cut_seconds: Annotated[int, msgspec.Meta(ge=1, le=10)] = 5
    """How long a deal waits for the players' cuts."""
    listed: bool = False


class RoomCreate(Action, frozen=True, tag="ROOM_CREATE"):
    """Opens a room with the caller as host. `rules` changes options of the preset."""

    game: str
    preset: str = ""
    rules: dict[str, Any] = msgspec.field(default_factory=dict)
    options: RoomOptions = RoomOptions()
    entry: Entry = "open"


class RoomJoin(Action, frozen=True, tag="ROOM_JOIN"):
    """Takes a seat, or watches when none is free. Where the host lets people in, waits until that is done."""


class RoomJoinAsSpectator(Action, frozen=True, tag="ROOM_JOIN_AS_SPECTATOR"):
    """Enters as a spectator."""


class RoomLeave(Action, frozen=True, tag="ROOM_LEAVE"):
    """Leaves the room, or waits no longer to be let in. Where the rules keep the seats of a running game, its players
    cannot leave."""


class PlayerReadySet(Action, frozen=True, tag="PLAYER_READY_SET"):
    """Says that the player is ready for the game to start, or no longer is."""

    ready: bool


class PlayerTeamSet(Action, frozen=True, tag="PLAYER_TEAM_SET"):
    """Changes teams, in the lobby."""

    team_id: Literal["A", "B", "C"]


class PlayerSwitchToSpectator(Action, frozen=True, tag="PLAYER_SWITCH_TO_SPECTATOR"):
    """Gives the seat up and watches: in the lobby, or where people come and go between rounds. During a round the seat
    does what the rules say for a player who leaves, and is free after it."""


class SpectatorSwitchToParticipant(Action, frozen=True, tag="SPECTATOR_SWITCH_TO_PARTICIPANT", omit_defaults=True):
    """Takes a free seat: the one that `seat` names, or the first. In the lobby, with `seat`, a player may also change
    seats."""

    seat: Annotated[int, msgspec.Meta(ge=0, le=199)] | None = None


class PlayerBack(Action, frozen=True, tag="PLAYER_BACK"):
    """Says that the player is back after turns that the clock played."""


class PlayerSitOut(Action, frozen=True, tag="PLAYER_SIT_OUT"):
    """Is not dealt in from the next round on."""


class PlayerSitIn(Action, frozen=True, tag="PLAYER_SIT_IN", omit_defaults=True):
    """Is dealt in again from the next round on. Where blinds that were missed are owed, the player posts them or, with
    `wait`, is dealt in when the big blind comes to the seat."""

    wait: bool = False


class PlayerBuyChips(Action, frozen=True, tag="PLAYER_BUY_CHIPS"):
    """Tops up or buys in again, before the next round."""

    chips: Annotated[int, msgspec.Meta(ge=1, le=10**12)]


class HostStartGame(Action, frozen=True, tag="HOST_START_GAME"):
    """Begins the game, once everybody is ready and the teams are equal."""


class HostRematch(Action, frozen=True, tag="HOST_REMATCH"):
    """Back to the lobby after a match."""


class HostAddBot(Action, frozen=True, tag="HOST_ADD_BOT"):
    """Puts a bot on a free seat: the one that `bot` names, or the game's default."""

    bot: Annotated[str, msgspec.Meta(max_length=32)] = ""


class HostRemoveBot(Action, frozen=True, tag="HOST_REMOVE_BOT"):
    """Takes a bot off its seat."""

    member: MemberId


class HostKick(Action, frozen=True, tag="HOST_KICK", omit_defaults=True):
    """Removes somebody for good, or refuses somebody who waits to be let in.

    With `by` as "address", others of the same address who are not in the room stay out too, unless the host lets them
    in; with "device", only those of the same device do.
    """

    member: MemberId
    by: KeptOut = "address"


class HostPardon(Action, frozen=True, tag="HOST_PARDON"):
    """Undoes a removal: the person, and others of that device and address, may come in again."""

    member: MemberId


class HostAdmit(Action, frozen=True, tag="HOST_ADMIT"):
    """Lets somebody in who waits. They may also come back later."""

    member: MemberId


class HostSetEntry(Action, frozen=True, tag="HOST_SET_ENTRY"):
    """Decides who may come in from now on: everybody ("open"), those whom the host lets in ("approval"), or nobody new
    ("locked")."""

    entry: Entry


class HostPause(Action, frozen=True, tag="HOST_PAUSE"):
    """Stops all clocks of the room."""


class HostResume(Action, frozen=True, tag="HOST_RESUME"):
    """Lets the clocks go on."""


class HostBombPot(Action, frozen=True, tag="HOST_BOMB_POT"):
    """Makes the next hand of poker a bomb pot, where the rules have an ante for it."""


class HostHandOver(Action, frozen=True, tag="HOST_HAND_OVER"):
    """Makes somebody else the host."""

    member: MemberId


class HostSetOptions(Action, frozen=True, tag="HOST_SET_OPTIONS"):
    """Changes the room's options and rules while in the lobby."""

    options: RoomOptions
    preset: str = ""
    rules: dict[str, Any] = msgspec.field(default_factory=dict)


Hash: TypeAlias = Annotated[str, msgspec.Meta(max_length=64, pattern="^[0-9a-f]{64}$")]


class DealPromise(Action, frozen=True, tag="DEAL_PROMISE"):
    """Promises what this player will give to the next deal: the hash of 32 random bytes, by `cut-2`."""

    promise: Hash


class DealCut(Action, frozen=True, tag="DEAL_CUT"):
    """Cuts a deal with the bytes that were promised for it, and promises those for the next.

    Sent late, it is the cut that this player owes.
    """

    value: Hash
    deal: Annotated[int, msgspec.Meta(ge=0, le=2**53 - 1)] = 0
    promise: Annotated[str, msgspec.Meta(max_length=64, pattern="^([0-9a-f]{64})?$")] = ""


class DealDecline(Action, frozen=True, tag="DEAL_DECLINE"):
    """Does not cut this deal: it is void at once, as if the time were up."""

    deal: Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)]


class DealAgree(Action, frozen=True, tag="DEAL_AGREE"):
    """Agrees to go on after a hand was void twice."""


class Due(Action, frozen=True, tag="TABLE_DUE"):
    """The room's deadline has passed. Only the clock says so."""


class Sleep(Action, frozen=True, tag="TABLE_SLEEP"):
    """Nobody has been connected since this moment: everything stops until somebody is. Only the clock says so."""

    since_ms: int


class Wake(Action, frozen=True, tag="TABLE_WAKE"):
    """Somebody is connected again. Only the clock says so."""


class Close(Action, frozen=True, tag="TABLE_CLOSE"):
    """The room has slept so long that it is closed for good. Only the clock says so."""


A = TypeVar("A", bound=Action)


class Play(Action, Generic[A], frozen=True, tag="TABLE_PLAY", omit_defaults=True):
    """An action of the game in play."""

    action: A
    expected_version: int = 0
    """The version that the player had seen; 0 in logs of the first release."""


JoinCommand: TypeAlias = RoomJoin | RoomJoinAsSpectator
"""The commands of a newcomer."""
ClockCommand: TypeAlias = Due | Sleep | Wake | Close
"""The commands that only the clock may give."""
HostCommand: TypeAlias = (
    HostStartGame
    | HostRematch
    | HostAddBot
    | HostRemoveBot
    | HostKick
    | HostPardon
    | HostAdmit
    | HostSetEntry
    | HostPause
    | HostResume
    | HostBombPot
    | HostHandOver
    | HostSetOptions
)
DealCommand: TypeAlias = DealPromise | DealCut | DealDecline | DealAgree
PlayerCommand: TypeAlias = (
    RoomLeave
    | PlayerReadySet
    | PlayerTeamSet
    | PlayerSwitchToSpectator
    | SpectatorSwitchToParticipant
    | PlayerBack
    | PlayerSitOut
    | PlayerSitIn
    | PlayerBuyChips
)
PersonCommand: TypeAlias = JoinCommand | PlayerCommand | HostCommand | DealCommand
"""The commands of people, besides the actions of a game."""
RoomCommand: TypeAlias = PersonCommand | ClockCommand | Play[A]
