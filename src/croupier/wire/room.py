"""The messages of rooms. Each request is made from the table's own command, or the game's own action: they are 1:1."""

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, Final, TypeAlias, get_args

import msgspec
from msgspec import NODEFAULT, UNSET, UnsetType

from croupier.dealing.sealed_pack import Opening
from croupier.game.game import Action
from croupier.game.registry import GAMES
from croupier.table import commands
from croupier.table.deal_news import DealFixed, DealNews
from croupier.table.roomview import RoomView, ViewerPart
from croupier.wire.frames import Answer, Id, Request, Version

CHAT_CHARACTERS_MAX: Final = 300
REACTIONS: Final = ("👍", "👏", "😂", "😮", "😢", "🔥", "🎉", "🤔")
RoomCode: TypeAlias = Annotated[str, msgspec.Meta(max_length=16)]
Nickname: TypeAlias = Annotated[str, msgspec.Meta(max_length=200)]


class Hello(Request, frozen=True, tag="HELLO"):
    """The first message: the nickname of a newcomer, or the secret token of a person who comes back. A newcomer without
    a nickname has no name yet, and gives one when entering a room."""

    nickname: Nickname | UnsetType = UNSET
    token: Annotated[str, msgspec.Meta(max_length=200)] = ""
    language: Annotated[str, msgspec.Meta(max_length=16)] = ""
    device: Annotated[str, msgspec.Meta(max_length=64)] = ""
    """A random name that the client makes up for its device, and keeps. It keeps people out of a room that they were
    removed from. It is never shown or stored, only hashed with a secret of the room."""


class SignOutEverywhere(Request, frozen=True, tag="SIGN_OUT_EVERYWHERE"):
    """Replaces this person's token by `token`, and ends all their other connections. The old token is worthless from
    then on. The client makes 32 random bytes for the new one and stores them before it asks, so that no lost answer
    locks anybody out."""

    token: Annotated[str, msgspec.Meta(max_length=43, pattern="^[A-Za-z0-9_-]{43}$")]


class SignedOut(Answer, frozen=True, tag="SIGNED_OUT"):
    """The old token is worthless, and the new one holds."""


class Welcome(Answer, frozen=True, tag="WELCOME"):
    """`token` is given once, to a newcomer: it is the only way back to their seats and chips. `nodes` are the addresses
    of all servers of this card room: when one is gone, everything goes on at another."""

    player_id: str
    nickname: str
    language: str
    server_time_ms: int
    token: str | UnsetType = UNSET
    nodes: tuple[str, ...] = ()


class RoomRequest(Request, frozen=True, kw_only=True):
    """Base of requests to a room: by default the one that this connection entered last.

    With `expectedVersion` it is refused as STALE_VERSION when the game has moved since that version.
    """

    command_id: Id
    room_code: RoomCode = ""
    expected_version: Version | None = None


class EnterRequest(RoomRequest, frozen=True, kw_only=True):
    """Base of requests to enter a room. `nickname` is the name in that room, if not that of the HELLO."""

    nickname: Nickname | UnsetType = UNSET


class GameRequest(RoomRequest, frozen=True, kw_only=True):
    """Base of an action of the game, which always says what the player has seen."""

    expected_version: Version


class RoomWatch(Request, frozen=True, tag="ROOM_WATCH"):
    """Sends the room's states over this connection from now on, the first at once: for a member who comes back.

    With `knownVersion`, the events since then are in it if they are still there.
    """

    room_code: RoomCode
    known_version: Version = 0


class RoomList(Request, frozen=True, tag="ROOM_LIST"):
    """Asks for the rooms that are listed."""


class DealHistory(Request, frozen=True, tag="DEAL_HISTORY"):
    """Asks how deals of the room were fixed, from the number `first` on: for a client that was away, or owes a cut."""

    first: Annotated[int, msgspec.Meta(ge=1, le=2**53 - 1)]
    room_code: RoomCode = ""


class ChatSend(Request, frozen=True, tag="CHAT_SEND"):
    """Says something to everybody in the room."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=CHAT_CHARACTERS_MAX)]
    room_code: RoomCode = ""


class ReactionSend(Request, frozen=True, tag="REACTION_SEND"):
    """Shows a reaction to everybody in the room."""

    reaction: str
    room_code: RoomCode = ""


class Accepted(Answer, frozen=True, tag="ACCEPTED"):
    """A command is done and stored, as this version of the room."""

    room_code: str
    version: int


class RoomWaiting(Answer, frozen=True, tag="ROOM_WAITING"):
    """The host must let this person in first. ROOM_ADMITTED or ROOM_CLOSED will say what the host decided."""

    room_code: str


class RoomAdmitted(Answer, frozen=True, tag="ROOM_ADMITTED"):
    """This person need not wait any longer: the room can be joined, also later."""

    room_code: str


class DealHistoryResponse(Answer, frozen=True, tag="DEAL_HISTORY_RESPONSE"):
    """The deals asked for, in order and without a gap, as many as an answer takes."""

    room_code: str
    deals: tuple[DealFixed, ...]


class CardOpening(Opening, frozen=True, tag=False):
    """The proof of a card, and of which shuffle of the round."""

    shuffle: int = 0


class RoundMove(msgspec.Struct, frozen=True, rename="camel"):
    """What a seat did: an action of the game, null when it left, "absent" when it took no part in the deal."""

    seat: int
    action: Any


class RoomState(Answer, frozen=True, tag="ROOM_STATE"):
    """The room after a change: what everybody sees, what this viewer sees, what happened; and since the last state the
    round's moves, the news of its deals, and the proofs of the cards that this viewer has seen. With `whole`, these are
    of the whole round."""

    public: RoomView
    you: ViewerPart
    events: tuple[Any, ...]
    moves: tuple[RoundMove, ...]
    deals: tuple[DealNews, ...]
    openings: tuple[CardOpening, ...]
    whole: bool


class ListedRoom(msgspec.Struct, frozen=True, rename="camel"):
    room_code: str
    game: str
    preset: str
    phase: str
    players: int
    seats: int
    host_name: str
    listed: bool


class RoomDoor(ListedRoom, frozen=True):
    """What a person with a room's code sees of it before they come in. If the host lets people in, or nobody new may
    come, the names of the players are left out."""

    names: tuple[str, ...] = ()
    rules: dict[str, Any] = {}
    entry: str = "open"
    sits: bool = True
    """Whether a newcomer can take a seat now: one is free, and the rules let people sit down."""
    seats_kept: bool = False
    """Whether a match is running whose seats stay as they are until it is over."""
    closed: bool = False


class RoomListing(Answer, frozen=True, tag="ROOM_LISTING"):
    """The rooms that are open to everybody."""

    rooms: tuple[ListedRoom, ...]


class ChatSaid(Answer, frozen=True, tag="CHAT_SAID"):
    """Somebody said something."""

    room_code: str
    member: str
    name: str
    text: str
    at_ms: int


class Said(msgspec.Struct, frozen=True, gc=False, tag="SAID", tag_field="kind", rename="camel"):
    """A line of the story: what somebody said."""

    member: str
    name: str
    text: str
    at_ms: int


class StoryEvent(msgspec.Struct, frozen=True, gc=False, tag="EVENT", tag_field="kind", rename="camel"):
    """A line of the story: an event of the game that everybody heard, with who sat in each seat then."""

    at_ms: int
    event: Any
    names: tuple[str, ...]


class RoomStory(Answer, frozen=True, tag="ROOM_STORY"):
    """What was said and what happened lately, the oldest first, for a client that knows nothing of the room: it comes
    after the first state. The server alone answers for it; there are no proofs."""

    room_code: str
    lines: tuple[Any, ...]


class ReactionShown(Answer, frozen=True, tag="REACTION_SHOWN"):
    """Somebody showed a reaction."""

    room_code: str
    member: str
    reaction: str


class Presence(Answer, frozen=True, tag="PRESENCE"):
    """The members of the room who are connected now."""

    room_code: str
    connected: tuple[str, ...]


class StatesSkipped(Answer, frozen=True, tag="STATES_SKIPPED"):
    """This connection read too slowly for every state of the room: the newest one follows, told as a whole."""

    room_code: str


class RoomClosed(Answer, frozen=True, tag="ROOM_CLOSED"):
    """This connection hears no more of the room."""

    room_code: str
    code: str


def _getter(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """Reads these attributes of an object."""
    # An attrgetter is quicker, but gives a tuple only for two names or more.
    return attrgetter(*names) if len(names) > 1 else lambda read: tuple([getattr(read, name) for name in names])


def _request(command: type[Action], base: type[Request]) -> type[Request]:
    """A request with the command's fields and tag."""
    fields = []
    for info in msgspec.structs.fields(command):
        if info.default_factory is not NODEFAULT:
            default: Any = msgspec.field(default_factory=info.default_factory)
        else:
            default = info.default
        fields.append((info.name, info.type) if default is NODEFAULT else (info.name, info.type, default))
    made = msgspec.defstruct(
        f"{command.__name__}Request",
        fields,
        bases=(base,),
        module=__name__,
        frozen=True,
        kw_only=True,
        tag=command.__struct_config__.tag,
        namespace={"__doc__": command.__doc__, "command": command, "values": _getter(command.__struct_fields__)},
    )
    assert issubclass(made, Request)
    return made


_COMMANDS: Final = (commands.RoomCreate, *get_args(commands.PersonCommand))
_ENTERING: Final = (commands.RoomCreate, *get_args(commands.JoinCommand))
COMMAND_REQUESTS: Final = {
    str(c.__struct_config__.tag): _request(c, EnterRequest if c in _ENTERING else RoomRequest) for c in _COMMANDS
}
"""The commands of a room, by message type."""
Query: TypeAlias = Hello | SignOutEverywhere | RoomWatch | RoomList | DealHistory | ChatSend | ReactionSend
"""The requests that are no commands of a room."""
QUERIES: Final = {str(query.__struct_config__.tag): query for query in get_args(Query)}


@cache
def game_requests(game: str) -> dict[str, type[Request]]:
    """The actions of a game, by message type."""
    return {str(action.__struct_config__.tag): _request(action, GameRequest) for action in GAMES[game].actions}


def command_of(request: RoomRequest) -> Any:
    """The command or action inside a request: a value of the type that the request was made from."""
    kind: Any = type(request)
    return kind.command(*kind.values(request))
