"""What people, and the clock, can tell a room. The tags are the protocol's message types.

A game's own actions are not here: they come as `Play`, whatever the game.
"""

from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from croupier.rules.game import Action

MemberId: TypeAlias = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
Seconds: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=3600)]


class RoomOptions(msgspec.Struct, frozen=True, rename="camel", forbid_unknown_fields=True):
    """What a host decides about a room besides the game's rules."""

    seats: Annotated[int, msgspec.Meta(ge=0, le=200)] = 0
    """How many can play; 0 for as many as is customary."""
    turn_seconds: Annotated[int, msgspec.Meta(ge=3, le=600)] = 30
    bank_seconds: Seconds = 60
    """A player's reserve for the whole match, used when the turn's own time is over."""
    pause_seconds: Annotated[int, msgspec.Meta(ge=0, le=60)] = 5
    """Between two rounds, to read the result."""
    cut_seconds: Annotated[int, msgspec.Meta(ge=1, le=10)] = 2
    """How long the deal waits for the players' cuts."""
    listed: bool = False


class RoomCreate(Action, frozen=True, tag="ROOM_CREATE"):
    """Opens a room with the caller as host. `rules` changes options of the preset."""

    game: str
    preset: str = ""
    rules: dict[str, Any] = msgspec.field(default_factory=dict)
    options: RoomOptions = RoomOptions()


class RoomJoin(Action, frozen=True, tag="ROOM_JOIN"):
    """Takes a seat, or watches when none is free."""


class RoomJoinAsSpectator(Action, frozen=True, tag="ROOM_JOIN_AS_SPECTATOR"):
    pass


class RoomLeave(Action, frozen=True, tag="ROOM_LEAVE"):
    pass


class PlayerReadySet(Action, frozen=True, tag="PLAYER_READY_SET"):
    ready: bool


class PlayerTeamSet(Action, frozen=True, tag="PLAYER_TEAM_SET"):
    team_id: Literal["A", "B", "C"]


class PlayerSwitchToSpectator(Action, frozen=True, tag="PLAYER_SWITCH_TO_SPECTATOR"):
    pass


class SpectatorSwitchToParticipant(Action, frozen=True, tag="SPECTATOR_SWITCH_TO_PARTICIPANT"):
    pass


class PlayerBack(Action, frozen=True, tag="PLAYER_BACK"):
    """Is here again after turns that the clock played."""


class PlayerSitOut(Action, frozen=True, tag="PLAYER_SIT_OUT"):
    """Is not dealt in from the next round on."""


class PlayerSitIn(Action, frozen=True, tag="PLAYER_SIT_IN"):
    pass


class PlayerBuyChips(Action, frozen=True, tag="PLAYER_BUY_CHIPS"):
    """Tops up or buys in again, before the next round."""

    chips: Annotated[int, msgspec.Meta(ge=1, le=10**12)]


class HostStartGame(Action, frozen=True, tag="HOST_START_GAME"):
    pass


class HostRematch(Action, frozen=True, tag="HOST_REMATCH"):
    """Back to the lobby after a match."""


class HostAddBot(Action, frozen=True, tag="HOST_ADD_BOT"):
    bot: Annotated[str, msgspec.Meta(max_length=32)] = ""


class HostRemoveBot(Action, frozen=True, tag="HOST_REMOVE_BOT"):
    member: MemberId


class HostKick(Action, frozen=True, tag="HOST_KICK"):
    member: MemberId


class HostPause(Action, frozen=True, tag="HOST_PAUSE"):
    """Stops all clocks of the room."""


class HostResume(Action, frozen=True, tag="HOST_RESUME"):
    pass


class HostHandOver(Action, frozen=True, tag="HOST_HAND_OVER"):
    member: MemberId


class HostSetOptions(Action, frozen=True, tag="HOST_SET_OPTIONS"):
    """Changes the room's options and rules while in the lobby."""

    options: RoomOptions
    preset: str = ""
    rules: dict[str, Any] = msgspec.field(default_factory=dict)


class DealAnchor(Action, frozen=True, tag="DEAL_ANCHOR"):
    """Publishes the end of a hash chain, from which this player cuts every deal."""

    anchor: Annotated[str, msgspec.Meta(max_length=64, pattern="^[0-9a-f]{64}$")]


class DealCut(Action, frozen=True, tag="DEAL_CUT"):
    """This player's contribution to the deal that waits: the next link of the chain."""

    value: Annotated[str, msgspec.Meta(max_length=64, pattern="^[0-9a-f]{64}$")]


class Due(Action, frozen=True, tag="TABLE_DUE"):
    """The clock's word that the room's deadline has passed. Nobody else can say it."""


class Play(Action, frozen=True, tag="TABLE_PLAY"):
    """An action of the game in play."""

    action: msgspec.Raw


RoomCommand: TypeAlias = (
    RoomJoin
    | RoomJoinAsSpectator
    | RoomLeave
    | PlayerReadySet
    | PlayerTeamSet
    | PlayerSwitchToSpectator
    | SpectatorSwitchToParticipant
    | PlayerBack
    | PlayerSitOut
    | PlayerSitIn
    | PlayerBuyChips
    | HostStartGame
    | HostRematch
    | HostAddBot
    | HostRemoveBot
    | HostKick
    | HostPause
    | HostResume
    | HostHandOver
    | HostSetOptions
    | DealAnchor
    | DealCut
    | Due
    | Play
)
