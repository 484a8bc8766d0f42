"""The hostile part of a lying server, and what it needs to lie well.

How to write an attack
----------------------
Derive a class from `Liar` and override the one thing that it lies about. Every part of the server asks the liar:

- `hear`: a command of somebody came. Do it, swallow it (acknowledged, not done), or refuse it.
- `commit`: the room as it is after a command, before it is stored and told. The room is a value: give another one back.
  `forged` and `ground` put another deal in the place of the one that was just fixed, with all that follows from it.
- `tell`: a state on its way to one listener, as JSON that was read. Give back what goes out: this state changed, none,
  or several. `listener.person` says whose it is; two tabs of a person are two listeners.
- `history`: what `DEAL_HISTORY` answers to somebody who was away.
- `records`: what can be downloaded after the game.

The same liar works at two kinds of tables:

- `OfflineTable(game, preset, liar=…)` (`offline.py`): no network, the real guards. Quick: the place for most attacks.
  `test_wire.py` plays each of them against the SDK's client on a real WebSocket, and against the terminal, too.
- `lying(monkeypatch, liar, …)` (`live.py`): a real server on a real port, for the SDK, the terminal, and the page.

An attack is worth something only if the liar adapts everything else: digests, closings, seals, cuts, views. So that one
check alone stands in its way; `removal.py` takes a check out, and then nothing at all is found.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, Final, Protocol

import msgspec
from msgspec.structs import replace

from croupier.dealing import canonical
from croupier.dealing.cut2 import (
    CommittedDeal,
    Context,
    Cut,
    CutDeal,
    Cutter,
    closing_digest,
    context_hash,
    pack_secret,
    seal_of,
)
from croupier.dealing.sealed_pack import SealedPack
from croupier.dealing.shoe import Shoe
from croupier.game.game import Draw
from croupier.table.commands import DealCut
from croupier.table.cuts import closing_of
from croupier.table.deal_news import DealFixed
from croupier.table.deals import Cutting, Deal, Tail, VoidDeal, last_deal, setup_text
from croupier.table.game_flow import settle
from croupier.table.room import Making, Room

SWALLOWED: Final = "SWALLOWED"
"""A command is acknowledged, and nothing is done."""


MASTER: Final = sha256(b"the master of a liar").digest()


class Listener(Protocol):
    """A tab or a program that hears a room."""

    @property
    def person(self) -> str: ...


class Liar:
    """An honest server. A liar overrides what it lies about."""

    def hear(self, room: Room, who: str, command: Any) -> str:
        """What becomes of a command: empty to do it, `SWALLOWED`, or the code of a refusal."""
        return ""

    def commit(self, before: Room, after: Room) -> Room:
        """The room after a command, as it is stored and told."""
        return after

    def tell(self, listener: Listener, state: dict[str, Any]) -> list[dict[str, Any]]:
        """What goes out to a listener in the place of a state."""
        return [state]

    def history(self, deals: list[DealFixed]) -> list[DealFixed]:
        """The deals that somebody missed."""
        return deals

    def records(self, lines: list[str]) -> list[str]:
        """The records of the finished rounds."""
        return lines


class Spy(Liar):
    """A liar to be told what to do: remembers what everybody gave (`values[person][deal]`), lets `forge` put another
    deal in the place of each new one, and lets `answer` and `twist` decide about commands and states."""

    def __init__(self) -> None:
        self.values: defaultdict[str, dict[int, str]] = defaultdict(dict)
        self.forge: Callable[[Room], Room] = lambda room: room
        self.answer: Callable[[Room, str, Any], str] = lambda room, who, command: ""
        self.twist: Callable[[Listener, dict[str, Any]], list[dict[str, Any]]] = lambda listener, state: [state]

    def hear(self, room: Room, who: str, command: Any) -> str:
        if isinstance(command, DealCut):
            self.values[who][command.deal] = command.value
        return self.answer(room, who, command)

    def commit(self, before: Room, after: Room) -> Room:
        return self.forge(after) if is_new_deal(before, after) else after

    def tell(self, listener: Listener, state: dict[str, Any]) -> list[dict[str, Any]]:
        return self.twist(listener, state)


class ForgedDeal(CommittedDeal[Any]):
    """A deal whose packs are whatever the server wants: `packs` has the cards that are sealed in each. Nothing about it
    is checked."""

    __slots__ = ()

    def __init__(self, master: bytes, context: Context, packs: Sequence[Sequence[Any]]) -> None:
        self.context = context
        self.hashed = context_hash(context)
        self._secrets = tuple(pack_secret(master, self.hashed, number) for number in range(len(packs)))
        self._packs = tuple(
            SealedPack(secret, self.hashed, pack) for secret, pack in zip(self._secrets, packs, strict=True)
        )
        self.roots = tuple(sealed.root for sealed in self._packs)
        self.seal = seal_of(self.hashed, self.roots).hex()


class RiggedDeal(ForgedDeal):
    """A deal that is fixed honestly, and whose cut is then bent: `rig` changes what the cut has made."""

    __slots__ = ("rig",)

    def __init__(self, master: bytes, context: Context, packs: Sequence[Sequence[Any]], rig: "Rig") -> None:
        super().__init__(master, context, packs)
        self.rig = rig

    def cut(self, cuts: Sequence[Cut]) -> CutDeal[Any]:
        made = super().cut(cuts)
        self.rig(self, made)
        return made

    def pack(self, number: int) -> SealedPack[Any]:
        """One of the packs."""
        return self._packs[number]


def cutting_of(room: Room) -> Cutting:
    """The deal that the room waits for."""
    assert isinstance(room.cutting, Cutting)
    return room.cutting


def is_new_deal(before: Room, after: Room) -> bool:
    """Whether this command fixed a deal."""
    return isinstance(after.cutting, Cutting) and after.deals > before.deals


Rig = Callable[["RiggedDeal", CutDeal[Any]], None]


def forged(
    room: Room,
    master: bytes = MASTER,
    cards: Sequence[Sequence[Any]] | None = None,
    rig: Rig | None = None,
    **changes: Any,
) -> Room:
    """The room with another deal in the place of the one that it waits for. `cards` has what is sealed in each pack,
    `rig` bends what the cut makes of it. `changes` are those of its context and of `closing`, the closing before, whose
    digest the context then has."""
    cutting = cutting_of(room)
    closing = changes.pop("closing", cutting.closing)
    if closing != cutting.closing:
        changes["before"] = closing_digest(closing)
    context = replace(cutting.deal.context, **changes)
    if cards is None:
        cards = (wanted_of(room).pack,) * context.packs
    deal = ForgedDeal(master, context, cards) if rig is None else RiggedDeal(master, context, cards, rig)
    seats = tuple(cutter.seat for cutter in context.cutters)
    again = replace(cutting, deal=deal, closing=closing, waits_for=seats, cuts=(), missing=())
    return replace(room, deals=context.deal, cutting=again)


def wanted_of(room: Room) -> Draw[Any]:
    """What the round waits for."""
    assert room.round is not None
    wanted = room.round.wants
    assert wanted is not None
    return wanted


def settled(room: Room, secret: bytes = MASTER) -> Room:
    """The room after a deal that everybody has answered was dealt, or is void."""
    making = Making(room, room.turn_since_ms, secret)
    settle(making)
    return replace(making.room, version=room.version + 1)


def swapped(room: Room, k: int, other: int) -> Room:
    """The room in which the k-th card of the newest shuffle, which nobody has seen yet, is the one that another place
    should have had."""
    made, played = room.packs[-1], room.round
    assert isinstance(made, CutDeal)
    assert played is not None
    assert played.shoe is not None
    assert played.shoe.dealt <= k < other
    order = list(made.permutation)
    order[k], order[other] = order[other], order[k]
    made.permutation = tuple(order)
    return replace(room, round=replace(played, shoe=Shoe(made.order(), played.shoe.dealt, made)))


def void_again(
    room: Room,
    values: dict[int, str],
    missing: tuple[int, ...],
    cutters: Sequence[Cutter],
    without: tuple[int, ...] = (),
    master: bytes = MASTER,
) -> Room:
    """The room after the deal that it waits for was declared void, with the next deal of the same hand fixed. `values`
    are the cuts that are shown, `without` the seats that are not dealt in any more."""
    cutting, played = cutting_of(room), room.round
    assert played is not None
    deal = cutting.deal
    cuts = tuple(Cut(seat, value) for seat, value in sorted(values.items()))
    outcome = VoidDeal(deal.context, deal.roots, deal.seal, cuts, missing, deal.secrets())
    closed = Deal(cutting.closing, outcome, len(played.moves))
    for seat in without:
        played = replace(played.exclude(seat), told=())
    dealt = (*(each for each in room.dealt if each.number < closed.number), closed)
    after = replace(
        room, round=played, last=last_deal(closed), dealt=dealt, packs=(), voids=room.voids + 1, tail=Tail()
    )
    setup = setup_text(room.match, played.setup, played.moves)
    number, closing = room.deals + 1, closing_of(after)
    return forged(after, master, closing=closing, deal=number, setup=setup, cutters=tuple(cutters))


def with_member(room: Room, person: str, **changes: Any) -> Room:
    """The room with somebody changed."""
    members = tuple(replace(member, **changes) if member.id == person else member for member in room.members)
    return replace(room, members=members)


def closing_with(room: Room, **changes: Any) -> str:
    """The closing of the room's last deal, with some fields changed."""
    return canonical.write({**canonical.read(closing_of(room)), **changes})


def masters() -> Any:
    """Secrets to try, one after the other."""
    number = 0
    while True:
        number += 1
        yield sha256(number.to_bytes(8, "big")).digest()


Wish = Callable[[Sequence[Any]], bool]
"""Whether the liar likes a deal: its cards in the order in which they are dealt."""


def ground(room: Room, values: dict[int, str], wish: Wish, **changes: Any) -> Room:
    """The room with a deal that is to the liar's liking, given what every cutter will give: by seat, `values`."""
    for master in masters():
        made = forged(room, master, **changes)
        deal = cutting_of(made).deal
        cuts = [Cut(cutter.seat, values[cutter.seat]) for cutter in deal.context.cutters]
        if wish(deal.cut(cuts).order()):
            return made
    raise AssertionError("there are always more secrets")


def place(room: Room, name: str) -> int:
    """Which card of the shuffle is for a place, such as `hole:1:0`."""
    return wanted_of(room).places.index(name)


def an_ace_for(room: Room, seat: int) -> Wish:
    """The wish that a seat's first card is an ace."""
    k = place(room, f"hole:{seat}:0")
    return lambda order: str(order[k]).startswith("A")


def plain(value: Any) -> Any:
    """A value as it stands in a frame."""
    return msgspec.json.decode(msgspec.json.encode(value))
