"""A room as a value: who is in it, what is played, and how far. Nothing here happens by itself.

`handle` (in `table.apply`) turns a room and a command into the next room. Replaying the commands gives the same room.
"""

from bisect import bisect_right
from enum import StrEnum
from typing import Any, Final

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
"""So many people may wait to be let in."""
KEPT_OUT_MAX: Final = 500
"""So many people, devices and addresses are kept out or let in; the oldest are forgotten first."""
TEAM_IDS: Final = ("A", "B", "C")
MISSED_MAX: Final = 2
"""After so many turns that the clock played for somebody, it does not wait for them until they are back."""


class Phase(StrEnum):
    LOBBY = "lobby"
    PLAYING = "playing"
    ENDED = "ended"


class Origin(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """Where somebody comes from, as far as a room remembers it: hashes with a secret key of the room, empty where
    nothing is known. Nobody who reads the log can tell the address or the device by them."""

    address: str = ""
    device: str = ""


UNKNOWN: Final = Origin()


class Waiting(msgspec.Struct, frozen=True, gc=False):
    """Somebody who waits until the host lets them in."""

    id: str
    name: str
    origin: Origin = UNKNOWN


class Member(msgspec.Struct, frozen=True, gc=False):
    """Somebody in the room: a person or a bot, in a seat or watching."""

    id: str
    name: str
    bot: str = ""
    """Which bot this is; empty for a person."""
    seat: int | None = None
    team: str = ""
    ready: bool = False
    away: bool = False
    """Has gone while the seat plays on: the rules' answer for the absent is given at once. They may come back."""
    missed: int = 0
    """Turns in a row that the clock played for them."""
    bank_ms: int = 0
    promise: str = ""
    """What they will give to the next deal in which they are listed; empty until their client has said."""
    misses: int = 0
    """Cuts that did not come in time, less those forgiven."""
    cut_streak: int = 0
    """Hands cut in time since the last miss, or since one was forgiven."""
    owes: Owed | None = None
    back_at_hand: int = 0
    """The first hand in which they may be dealt in after a miss."""
    anchor: str | None = None
    """Of the first release: the end of their hash chain."""
    links: int = 0
    """Of the first release: how many deals their hash chain had served."""
    since_hand: int = 0
    """The first round that is theirs to see from their seat: what was dealt there before was somebody else's."""
    origin: Origin = UNKNOWN


class Cutting1(msgspec.Struct, frozen=True, gc=False):
    """A deal of the first release, by `cut-1`, that waits for the players' cuts."""

    pack: CommittedPack[Any]
    cuts: tuple[tuple[int, str], ...]
    """Seats and their contributions, as they came."""
    waits_for: tuple[int, ...]
    deadline_ms: int


class Room(msgspec.Struct, frozen=True, gc=False):
    """The whole state of a room. `version` counts its commands; `game_version` is the last that moved the game."""

    code: str
    id: str
    """32 random bytes: the room's name in every deal. A code may come again, this never does."""
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
    """What the next round starts from, unless one is in play."""
    match: int = 0
    """How many matches were begun: each starts from new stacks."""
    hand: int = 0
    """The number of the present or last round."""
    cutting: Cutting | Cutting1 | None = None
    packs: tuple[CutDeal[Any] | CutPack[Any], ...] = ()
    """The shuffles of the present or last round, and with which card of the round each begins."""
    pack_starts: tuple[int, ...] = ()
    deals: int = 0
    """How many deals were published, void ones included."""
    dealt: tuple[Deal, ...] = ()
    """The deals of the present or last round, void ones included."""
    last: LastDeal | None = None
    """The newest deal that is cut or void."""
    tail: Tail = Tail()
    """What came after it, once its round is over."""
    since: tuple[Change, ...] = ()
    """Comings, goings and purchases since the newest deal was published."""
    paid: tuple[Paid, ...] = ()
    """Owed cuts that came since the newest deal was published."""
    voids: int = 0
    """How often the present hand was void."""
    agreed: tuple[str, ...] | None = None
    """Who agrees to go on, while that is asked; else None."""
    gathering: bool = False
    """Whether the game waits until everybody is there who must cut its deal."""
    entry: Entry = "open"
    """Who may come in."""
    waiting: tuple[Waiting, ...] = ()
    """Who waits to be let in."""
    admitted: tuple[str, ...] = ()
    """Who was let in."""
    banned: tuple[str, ...] = ()
    """Who was sent away and cannot come back."""
    kept_out: tuple[str, ...] = ()
    """The devices and addresses of those who were sent away, as `Origin` has them."""
    changes: tuple[Change, ...] = ()
    """Comings, goings and purchases that wait for the end of the round."""
    booked: tuple[int, ...] = ()
    """Each seat's chips as the ledger has them."""
    acted_by: str = ""
    """Who made the last move of the game, and when."""
    acted_at_ms: int = 0
    turn_since_ms: int = 0
    next_at_ms: int | None = None
    """When the next round begins; None while it cannot."""
    paused_at_ms: int | None = None
    asleep_at_ms: int | None = None
    """Since when everything stands still, because nobody is connected."""
    closed: bool = False
    """Whether the room was given up."""
    asides: tuple[str, ...] = ()
    """Who gave each of the commands that did not move the round, while it runs."""

    @property
    def seats(self) -> int:
        return self.options.seats

    @property
    def waits_for_first_deal(self) -> bool:
        """Whether a match was begun that has no deal without everybody: until then it can be called off."""
        return (self.agreed is not None or self.gathering) and not self.packs

    def member(self, member_id: str) -> Member | None:
        for member in self.members:
            if member.id == member_id:
                return member
        return None

    def waits(self, person: str) -> bool:
        """Whether this person waits to be let in."""
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
        """Who sits there; empty for a seat that is free."""
        member = self.seated(seat)
        return "" if member is None else member.id

    @property
    def free_seats(self) -> tuple[int, ...]:
        taken = {member.seat for member in self.members}
        return tuple(seat for seat in range(self.seats) if seat not in taken)

    def viewer(self, member_id: str) -> Viewer:
        """What this person is to the game: a seat, or a spectator."""
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
        """How many teams play when every seat is taken; 0 when everybody plays alone."""
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
        """How long the table waits for a seat whose turn it is: its turn and its bank, unless nobody is there."""
        member = self.seated(seat)
        if member is None or member.away:
            return self.turn_since_ms
        if member.missed >= MISSED_MAX:
            return self.turn_since_ms + 1000
        return self.turn_since_ms + 1000 * self.options.turn_seconds + member.bank_ms

    def known(self, viewer: Viewer) -> DealtSet:
        """Which cards of the round this viewer has been shown."""
        return 0 if self.round is None or not self.packs else self.rules.known(self.round.state, viewer)

    def drawn_from(self, card: int) -> tuple[int, int]:
        """The shuffle that a card of the round came from, and how many cards of that were dealt before it."""
        shuffle = bisect_right(self.pack_starts, card) - 1
        return shuffle, card - self.pack_starts[shuffle]


def is_open_table(rules: AnyRules) -> bool:
    """Whether people may come and go between two rounds by these rules."""
    setup = rules.setup(rules.seat_range[0])
    return not isinstance(rules.amend(setup, Change(0, "sat_in")), Refusal)


def secret_name(deal: int) -> str:
    """Under which name the master secret of a deal is kept."""
    return f"cut:{deal}"


class Making:
    """A command in the making: the room so far, what is to be told, kept secret and booked.

    `down` are the people whose lines were known to be down; `first_release` says that the command is out of a log
    that the first release wrote.
    """

    def __init__(
        self, room: Room, at_ms: int, secret: bytes, down: tuple[str, ...] = (), *, first_release: bool = False
    ) -> None:
        self.room = room
        self.at_ms = at_ms
        self.secret = secret
        self.down = down
        self.first_release = first_release
        self.asked_version = 0
        """The version that an action was asked at; 0 where nobody asked."""
        self.told: list[Told[Any]] = []
        self.secrets: list[tuple[str, bytes]] = []
        self.entries: list[tuple[str, int]] = []

    def change(self, **fields: Any) -> None:
        self.room = replace(self.room, **fields)

    def member(self, member_id: str, **fields: Any) -> None:
        """Changes a member. Where nothing is different the members stay the same object, and are not encoded anew."""
        before = self.room.members
        for place, member in enumerate(before):
            if member.id == member_id:
                after = replace(member, **fields)
                if after != member:
                    self.change(members=(*before[:place], after, *before[place + 1 :]))
                return

    def seat(self, seat: int, **fields: Any) -> None:
        """Changes the member in a seat, if there is one."""
        member = self.room.seated(seat)
        if member is not None:
            self.member(member.id, **fields)

    def can_cut(self, member: Member) -> bool:
        """Whether this person can be listed in the next deal."""
        here = not member.away and member.id not in self.down
        return here and bool(member.promise) and member.owes is None and self.room.hand >= member.back_at_hand

    def remove(self, member_id: str) -> None:
        self.change(members=tuple(member for member in self.room.members if member.id != member_id))

    def book(self, seat: int, chips: int, against: str) -> None:
        """Moves chips between a seat and the bank (buying and cashing in) or the house (winning and losing)."""
        if chips:
            self.entries += [(f"{self.room.code}/seat/{seat}", chips), (f"{self.room.code}/{against}", -chips)]
            booked = list(self.room.booked)
            booked[seat] += chips
            self.change(booked=tuple(booked))
