"""A room as a value: the people in it, the game, and its progress. Nothing here happens by itself.

`handle` (in `table.apply`) turns a room and a command into the next room. Replaying the commands gives the same room.
"""

from bisect import bisect_right
from collections.abc import Hashable
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, cast

import msgspec
from msgspec.structs import replace

from croupier.dealing.cut1 import CommittedPack, CutPack
from croupier.dealing.cut2 import CutDeal
from croupier.game.game import SPECTATOR, AnyRules, Change, DealtSet, Told, Viewer
from croupier.game.refusal import Refusal
from croupier.table.commands import Entry, RoomOptions
from croupier.table.deals import Cutting, Deal, LastDeal, Owed, Paid, Tail
from croupier.table.round import Round

MEMBERS_MAX: Final = 250
WAITING_MAX: Final = 20
"""How many people may wait to be admitted."""
KEPT_OUT_MAX: Final = 500
"""How many admitted people, and removed people, devices and addresses, are remembered; the oldest are forgotten
first."""
PARDONS_MAX: Final = 20
"""How many removals, the newest, can be undone."""
TEAM_IDS: Final = ("A", "B", "C")
FORMAT: Final = 4
"""The format of log entries, and so the behaviour of a room. Entries of the first release, 1, did not name it. In 2 the
clock restarted when somebody else left, a deal granted no time to be shown, and the clock sat nobody out. In 3 a booked
purchase that was more than the table allowed just then kept everybody from coming and going until the hand was over,
and nobody asked those to cut who were dealt in only because somebody else was not."""
DEAL_SHOWN_MS: Final = 3000
"""The time that a deal grants before a player's own time runs: the cards are being shown."""
DEAL_CARDS_MIN: Final = 2
"""This many cards at once count as a deal; a single card is drawn within a player's own time."""
MISSED_MAX: Final = 2
"""After playing this many turns for somebody, the clock no longer waits for them until they are back."""


class Phase(StrEnum):
    LOBBY = "lobby"
    PLAYING = "playing"
    ENDED = "ended"


class Origin(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Where a person connects from, as far as a room remembers it: hashes with a secret key of the room, empty if
    unknown. A reader of the log cannot tell the address or the device from them."""

    address: str = ""
    device: str = ""


UNKNOWN: Final = Origin()


class Waiting(msgspec.Struct, frozen=True, gc=False):
    """A person who waits for the host to admit them."""

    id: str
    name: str
    origin: Origin = UNKNOWN


class Removed(msgspec.Struct, frozen=True, gc=False):
    """A removed person, with the devices and addresses by which they are kept out."""

    id: str
    name: str
    places: tuple[str, ...] = ()


class Member(msgspec.Struct, frozen=True, gc=False):
    """A member of the room: a person or a bot, seated or watching."""

    id: str
    name: str
    bot: str = ""
    """The name of the bot; empty for a person."""
    seat: int | None = None
    team: str = ""
    ready: bool = False
    away: bool = False
    """Whether they have left while the seat plays on: it acts at once, as the rules say for an absent player. They may
    come back."""
    missed: int = 0
    """Turns in a row that the clock played for them."""
    bank_ms: int = 0
    promise: str = ""
    """Their promise for the next deal in which they are listed; empty until their client has sent it."""
    misses: int = 0
    """Cuts that were late, without those forgiven."""
    cut_streak: int = 0
    """Hands cut in time since the last miss, or since one was forgiven."""
    owes: Owed | None = None
    back_at_hand: int = 0
    """The first hand in which they may be dealt in after a miss."""
    anchor: str | None = None
    """First release only: the end of their hash chain."""
    links: int = 0
    """First release only: how many deals their hash chain has served."""
    since_hand: int = 0
    """The first round that they may see from their seat: before it, the seat was somebody else's."""
    origin: Origin = UNKNOWN
    stands: bool = False
    """Whether they stood up during a round: they watch from its end on, and the seat acts as the rules say for an
    absent player."""

    @property
    def is_out(self) -> bool:
        """Whether nobody need wait for them: they have left or stood up."""
        return self.away or self.stands


class Cutting1(msgspec.Struct, frozen=True, gc=False):
    """A deal of the first release, by `cut-1`, that waits for the players' cuts."""

    pack: CommittedPack[Any]
    cuts: tuple[tuple[int, str], ...]
    """Seats and their contributions, in order of arrival."""
    waits_for: tuple[int, ...]
    deadline_ms: int


class Room(msgspec.Struct, frozen=True, gc=False):
    """The whole state of a room. `version` counts its commands; `game_version` is the last that moved the game."""

    code: str
    id: str
    """32 random bytes: the room's name in every deal. A code may be reused, this never is."""
    preset: str
    rules: AnyRules
    options: RoomOptions
    host: str
    members: tuple[Member, ...]
    phase: Phase = Phase.LOBBY
    version: int = 0
    game_version: int = 0
    round: Round | None = None
    setup: Any = None
    """The setup of the next round, unless one is in play."""
    match: int = 0
    """How many matches have begun: each starts with new stacks."""
    hand: int = 0
    """The number of the present or last round."""
    cutting: Cutting | Cutting1 | None = None
    packs: tuple[CutDeal[Any] | CutPack[Any], ...] = ()
    """The shuffles of the present or last round, each with the number of its first card in the round."""
    pack_starts: tuple[int, ...] = ()
    deals: int = 0
    """How many deals were published, void ones included."""
    dealt: tuple[Deal, ...] = ()
    """The deals of the present or last round, void ones included."""
    last: LastDeal | None = None
    """The newest deal that is cut or void."""
    tail: Tail = Tail()
    """The rest of the round after it, once the round is over."""
    since: tuple[Change, ...] = ()
    """Arrivals, departures and purchases since the newest deal was published."""
    paid: tuple[Paid, ...] = ()
    """Owed cuts given since the newest deal was published."""
    voids: int = 0
    """How often the present hand was void."""
    agreed: tuple[str, ...] | None = None
    """The people who agree to go on, while agreement is needed; else None."""
    gathering: bool = False
    """Whether the game waits until everybody who must cut its deal is connected."""
    entry: Entry = "open"
    """Who may enter the room."""
    waiting: tuple[Waiting, ...] = ()
    """People who wait to be admitted."""
    admitted: tuple[str, ...] = ()
    """People who were admitted."""
    banned: tuple[str, ...] = ()
    """People who were removed and cannot come back."""
    removed: tuple[Removed, ...] = ()
    """People who were removed and may be pardoned."""
    kept_out: tuple[str, ...] = ()
    """The devices and addresses of those who were removed, as `Origin` has them."""
    changes: tuple[Change, ...] = ()
    """Arrivals, departures and purchases that wait for the end of the round."""
    booked: tuple[int, ...] = ()
    """Each seat's chips in the ledger."""
    acted_by: str = ""
    """The person who made the last move of the game, and when."""
    acted_at_ms: int = 0
    turn_since_ms: int = 0
    shown_at_ms: int = 0
    """When the last deal of the round has been shown to everybody: players' own time runs from then."""
    next_at_ms: int | None = None
    """When the next round begins; None if it cannot."""
    paused_at_ms: int | None = None
    asleep_at_ms: int | None = None
    """Since when everything is stopped because nobody is connected."""
    closed: bool = False
    """Whether the room is closed for good."""
    asides: tuple[str, ...] = ()
    """The senders of the commands that did not move the running round, one entry per command."""

    @property
    def seats(self) -> int:
        return self.options.seats

    @property
    def waits_for_first_deal(self) -> bool:
        """Whether a match that needs everybody still waits for its first deal: until then it can be cancelled."""
        return (self.agreed is not None or self.gathering) and not self.packs

    def member(self, member_id: str) -> Member | None:
        for member in self.members:
            if member.id == member_id:
                return member
        return None

    def waits(self, person: str) -> bool:
        """Whether this person waits to be admitted."""
        return any(waiting.id == person for waiting in self.waiting)

    def seated(self, seat: int) -> Member | None:
        for member in self.members:
            if member.seat == seat:
                return member
        return None

    @property
    def players(self) -> tuple[Member, ...]:
        return tuple(member for member in self.members if member.seat is not None)

    def person(self, seat: int) -> str:
        """The person in a seat; empty for a free seat."""
        member = self.seated(seat)
        return "" if member is None else member.id

    @property
    def free_seats(self) -> tuple[int, ...]:
        taken = {member.seat for member in self.members}
        return tuple(seat for seat in range(self.seats) if seat not in taken)

    def viewer(self, member_id: str) -> Viewer:
        """The person as a viewer of the game: their seat, or a spectator."""
        member = self.member(member_id)
        if member is None or self.round is None or member.since_hand > self.hand:
            return SPECTATOR
        return member.seat

    @property
    def turn(self) -> tuple[int, ...]:
        return () if self.round is None or self.phase is not Phase.PLAYING else self.round.turn

    @property
    def is_open_table(self) -> bool:
        """Whether people may come and go between two rounds."""
        return is_open_table(self.rules)

    @property
    def teams(self) -> int:
        """How many teams play when every seat is taken; 0 if everybody plays alone."""
        return self.rules.teams(self.seats)

    @property
    def deadline_ms(self) -> int | None:
        """When the clock must look at the room again."""
        if self.phase is not Phase.PLAYING or self.paused_at_ms is not None or self.asleep_at_ms is not None:
            return None
        if self.cutting is not None:
            return self.cutting.deadline_ms
        if self.agreed is not None or self.gathering:
            return None
        if self.round is None or self.round.over:
            return self.next_at_ms
        turn = self.round.turn
        return self.turn_deadline_ms(turn[0]) if len(turn) == 1 else min(map(self.turn_deadline_ms, turn))

    def turn_deadline_ms(self, seat: int) -> int:
        """The deadline of a seat in turn: its turn and its time bank, unless nobody is there."""
        member = self.seated(seat)
        if member is None or member.is_out:
            return self.turn_since_ms
        if member.missed >= MISSED_MAX:
            return self.turn_since_ms + 1000
        return self.own_time_since_ms + 1000 * self.options.turn_seconds + member.bank_ms

    @property
    def own_time_since_ms(self) -> int:
        """When the present turn's own time began: not before the cards were shown."""
        return max(self.turn_since_ms, self.shown_at_ms)

    def known(self, viewer: Viewer) -> DealtSet:
        """Which cards of the round this viewer has been shown."""
        return 0 if self.round is None or not self.packs else self.rules.known(self.round.state, viewer)

    def drawn_from(self, card: int) -> tuple[int, int]:
        """The shuffle that a card of the round came from, and how many of its cards were dealt before."""
        shuffle = bisect_right(self.pack_starts, card) - 1
        return shuffle, card - self.pack_starts[shuffle]


def is_open_table(rules: AnyRules) -> bool:
    """Whether people may come and go between two rounds by these rules."""
    return _is_open_table(cast(Hashable, rules))


@lru_cache(maxsize=256)  # Every state of a room has this.
def _is_open_table(rules: Any) -> bool:
    setup = rules.setup(rules.seat_range[0])
    return not isinstance(rules.amend(setup, Change(0, "sat_in")), Refusal)


def secret_name(deal: int) -> str:
    """The name under which the master secret of a deal is kept."""
    return f"cut:{deal}"


class Making:
    """A command under construction: the room so far, its events, secrets and ledger entries. `down` are the people
    known to be disconnected; `log_format` is that of the command's log entry, which decides the room's behaviour.
    """

    def __init__(
        self, room: Room, at_ms: int, secret: bytes, down: tuple[str, ...] = (), *, log_format: int = FORMAT
    ) -> None:
        self.room = room
        self.at_ms = at_ms
        self.secret = secret
        self.down = down
        self.log_format = log_format
        self.asked_version = 0
        """The version that the player had seen; 0 if no player asked."""
        self.told: list[Told[Any]] = []
        self.secrets: list[tuple[str, bytes]] = []
        self.entries: list[tuple[str, int]] = []

    @property
    def first_release(self) -> bool:
        """Whether the command is from a log of the first release."""
        return self.log_format == 1

    def change(self, **fields: Any) -> None:
        self.room = replace(self.room, **fields)

    def member(self, member_id: str, **fields: Any) -> None:
        """Change a member. If nothing differs, the members stay the same object and are not encoded again."""
        before = self.room.members
        for place, member in enumerate(before):
            if member.id == member_id:
                after = replace(member, **fields)
                if after != member:
                    self.change(members=(*before[:place], after, *before[place + 1 :]))
                return

    def seat(self, seat: int, **fields: Any) -> None:
        """Change the member in a seat, if there is one."""
        member = self.room.seated(seat)
        if member is not None:
            self.member(member.id, **fields)

    def can_cut(self, member: Member) -> bool:
        """Whether this person can be listed in the next deal."""
        here = not member.is_out and member.id not in self.down
        return here and bool(member.promise) and member.owes is None and self.room.hand >= member.back_at_hand

    def remove(self, member_id: str) -> None:
        self.change(members=tuple(member for member in self.room.members if member.id != member_id))

    def book(self, seat: int, chips: int, against: str) -> None:
        """Move chips between a seat and the bank (buying and cashing in) or the house (winning and losing)."""
        if chips:
            self.entries += [(f"{self.room.code}/seat/{seat}", chips), (f"{self.room.code}/{against}", -chips)]
            booked = list(self.room.booked)
            booked[seat] += chips
            self.change(booked=tuple(booked))
