"""A node that lies: what it says of a room is changed on the way to whoever is connected to it.

The store, the other nodes and all clients are honest. So whoever hears a lie must raise the alarm that belongs to it,
and bets nothing from then on; whoever hears none raises none.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

import msgspec

from croupier.dealing import canonical
from croupier.dealing.cut2 import (
    CommittedDeal,
    Context,
    Cut,
    closing_digest,
    context_hash,
    cut_of,
    promise_of,
    seal_of,
)
from tests.simulation.world import World

if TYPE_CHECKING:
    from tests.simulation.network import Wire

State = dict[str, Any]
Change = Callable[["Liar", State, "Heard"], bool]
"""Changes a state that is about to be sent. Whether it is a lie now."""
STATE: Final = b'{"type":"ROOM_STATE"'
CLOSED: Final = b'{"type":"ROOM_CLOSED"'


class Forged(bytes):
    """A frame of which the truth knows nothing."""


@dataclass
class Heard:
    """What the liar has told one program so far."""

    program: str
    person: str
    fixed: dict[int, State] = field(default_factory=dict)
    """The news of deals that were fixed, as told."""
    made: dict[int, State] = field(default_factory=dict)
    lied: bool = False
    knows: bool = False
    """Whether they have heard what became of the deal whose cut was thrown away."""
    left: bool = False
    """Whether they left the room before that: then there was nothing to notice."""


@dataclass(frozen=True)
class Lie:
    """One way to lie. `codes` are the alarms that an honest client may raise at it."""

    name: str
    codes: frozenset[str]
    change: Change | None = None
    swallows: bool = False
    """Whether the cuts of the people at this node are acknowledged and thrown away."""
    restarts: bool = False
    """Whether the node restarts after a deal, and lies when its people come back."""


class Liar:
    """What makes a node lie, and whom it has lied to."""

    def __init__(self, world: World, lie: Lie) -> None:
        self.world, self.lie = world, lie
        self.random = world.stream("liar")
        self.known: dict[str, Heard] = {}
        self.restart: Callable[[], None] | None = None
        """Restarts the node, so that its people come back to it."""

    @property
    def lied_to(self) -> list[Heard]:
        """Everybody who was lied to."""
        return [heard for heard in self.known.values() if heard.lied]

    @property
    def victims(self) -> list[Heard]:
        """Those of them who must notice."""
        return [heard for heard in self.known.values() if heard.lied and not heard.left]

    def tell(self, wire: "Wire", text: bytes) -> bytes:
        """What is sent in place of a frame."""
        if self.lie.swallows and (lied_to := self.known.get(wire.program)) is not None:
            lied_to.knows |= b'"DEAL_MADE"' in text or b'"DEAL_VOID"' in text
            lied_to.left |= text.startswith(CLOSED) and not lied_to.knows
        if wire.is_cut or self.lie.change is None or not text.startswith(STATE):
            return text
        heard = self.known.setdefault(wire.program, Heard(wire.program, wire.server.reader.person))
        state = msgspec.json.decode(text)
        if not heard.lied and self.lie.change(self, state, heard):
            heard.lied = True
            self.world.note(f"lies to {wire.program}: {self.lie.name}", wire.node.place.name)
            return Forged(msgspec.json.encode(state))
        for news in state["deals"]:
            if news["type"] == "DEAL_FIXED":
                heard.fixed[news["context"]["deal"]] = news
            elif news["type"] == "DEAL_MADE":
                heard.made[news["deal"]] = news
                if self.restart is not None:
                    restart, self.restart = self.restart, None
                    self.world.later(0.05, restart)
        return text

    def swallow(self, wire: "Wire", text: str) -> bytes | None:
        """The answer to a cut that nobody but this node hears of."""
        if not self.lie.swallows or '"DEAL_CUT"' not in text:
            return None
        heard = self.known.setdefault(wire.program, Heard(wire.program, wire.server.reader.person))
        if heard.lied:
            return None
        heard.lied = True
        asked = msgspec.json.decode(text)
        self.world.note(f"lies to {wire.program}: {self.lie.name}", wire.node.place.name)
        answer = {"type": "ACCEPTED", "requestId": asked["requestId"], "roomCode": asked["roomCode"], "version": 1}
        return Forged(msgspec.json.encode(answer))

    def another_deal(self, news: State, **fields: Any) -> State:
        """A deal that the liar fixes itself: the same but for some fields of its context, and with other packs."""
        context = msgspec.convert({**news["context"], **fields}, Context)
        deal = CommittedDeal(self.random.randbytes(32), context, canonical.read(context.pack))
        return {**news, "context": msgspec.to_builtins(context), "roots": list(deal.roots)}


def _news(state: State, kind: str) -> State | None:
    return next((news for news in state["deals"] if news["type"] == kind), None)


def _refix(liar: Liar, state: State, **fields: Any) -> bool:
    """Tells of another deal in place of the one that is fixed."""
    fixed = _news(state, "DEAL_FIXED")
    if fixed is None or not state["public"]["waitsFor"]:
        return False
    state["deals"] = [liar.another_deal(news, **fields) if news is fixed else news for news in state["deals"]]
    return True


def _is_cutter(state: State) -> bool:
    return state["you"]["seat"] in state["public"]["waitsFor"]


def _other_roots(liar: Liar, state: State, heard: Heard) -> bool:
    """The packs that are committed to are not those that will be played."""
    return _is_cutter(state) and _refix(liar, state)


def _same_deal_twice(liar: Liar, state: State, heard: Heard) -> bool:
    made = _news(state, "DEAL_MADE")
    fixed = heard.fixed.get(made["deal"]) if made is not None else None
    if fixed is None or state["whole"]:
        return False
    state["deals"] = [liar.another_deal(fixed), *state["deals"]]
    return True


def _dealt_anew(liar: Liar, state: State, heard: Heard) -> bool:
    """A deal that everybody cut is followed by another one of the same hand."""
    made = heard.made.get(state["public"]["deal"])
    fixed = heard.fixed.get(state["public"]["deal"])
    if made is None or fixed is None or state["whole"] or state["deals"] or state["public"]["payouts"]:
        return False
    context = msgspec.convert(fixed["context"], Context)
    seal = seal_of(context_hash(context), fixed["roots"])
    cuts = msgspec.convert(made["cuts"], list[Cut])
    ended = {"deal": context.deal, "seal": seal.hex(), "cut": cut_of(seal, cuts).hex(), "missing": [], "cuts": []}
    ended |= {"secrets": [], "moves": [], "payouts": None, "changes": [], "paid": []}
    closing = canonical.write(ended)
    again = liar.another_deal(fixed, deal=context.deal + 1, before=closing_digest(closing))
    state["deals"] = [{**again, "closing": closing}]
    state["public"]["deal"] += 1
    return True


def _skipped(liar: Liar, state: State, heard: Heard) -> bool:
    """A deal is left out: the next one has a number too high."""
    fixed = _news(state, "DEAL_FIXED")
    number = 0 if fixed is None else fixed["context"]["deal"]
    if number - 1 not in heard.fixed or not _refix(liar, state, deal=number + 1):
        return False
    state["public"]["deal"] = number + 1
    return True


def _without_me(liar: Liar, state: State, heard: Heard) -> bool:
    """The deal is to be cut without this player, who is dealt in."""
    fixed, seat = _news(state, "DEAL_FIXED"), state["you"]["seat"]
    if fixed is None or not _is_cutter(state):
        return False
    others = [cutter for cutter in fixed["context"]["cutters"] if cutter["seat"] != seat]
    return _refix(liar, state, cutters=others)


def _foreign_promise(liar: Liar, state: State, heard: Heard) -> bool:
    """The deal lists a promise for this player's seat that the player never made."""
    fixed, seat = _news(state, "DEAL_FIXED"), state["you"]["seat"]
    if fixed is None or not _is_cutter(state):
        return False
    foreign = promise_of(liar.random.randbytes(32))
    cutters = [
        {**cutter, "promise": foreign} if cutter["seat"] == seat else cutter for cutter in fixed["context"]["cutters"]
    ]
    return _refix(liar, state, cutters=cutters)


def _other_stack_in_setup(liar: Liar, state: State, heard: Heard) -> bool:
    """The deal starts from stacks that nobody has."""
    fixed = _news(state, "DEAL_FIXED")
    # Where this program saw no hand before, nobody can know what the stacks should be.
    if fixed is None or not _is_cutter(state) or not heard.made:
        return False
    start = canonical.read(fixed["context"]["setup"])
    start["setup"]["stacks"][state["you"]["seat"]] += 1
    return _refix(liar, state, setup=canonical.write(start))


def _fewer_packs(liar: Liar, state: State, heard: Heard) -> bool:
    return _is_cutter(state) and _refix(liar, state, packs=1)


def _false_pack(liar: Liar, state: State, heard: Heard) -> bool:
    """A pack with five aces."""
    fixed = _news(state, "DEAL_FIXED")
    if fixed is None or not _is_cutter(state):
        return False
    pack = canonical.read(fixed["context"]["pack"])
    return _refix(liar, state, pack=canonical.write(["As", *pack[1:]]))


def _other_stack(liar: Liar, state: State, heard: Heard) -> bool:
    """The table shows a stack that does not follow from the moves."""
    view = state["you"]["view"]
    if view is None or _news(state, "DEAL_MADE") is None:
        return False
    view["seats"][0]["chips"] += 10
    return True


def _swapped_places(liar: Liar, state: State, heard: Heard) -> bool:
    """Two good openings, each for the other's place."""
    openings = state["openings"]
    if len(openings) < 2:
        return False
    openings[0]["k"], openings[1]["k"] = openings[1]["k"], openings[0]["k"]
    return True


def _other_card(liar: Liar, state: State, heard: Heard) -> bool:
    """Another card than the one that was committed to, in the opening and on the table."""
    if not state["openings"] or state["you"]["seat"] is None:
        return False
    card = state["openings"][0]["card"]
    other = "2c" if card != "2c" else "2d"
    changed = msgspec.json.encode(state).replace(f'"{card}"'.encode(), f'"{other}"'.encode())
    state.update(msgspec.json.decode(changed))
    return True


def _no_opening(liar: Liar, state: State, heard: Heard) -> bool:
    if not state["openings"]:
        return False
    state["openings"] = state["openings"][1:]
    return True


def _my_cut_left_out(liar: Liar, state: State, heard: Heard) -> bool:
    """The deal is made without this player's cut."""
    made, seat = _news(state, "DEAL_MADE"), state["you"]["seat"]
    if made is None or all(cut["seat"] != seat for cut in made["cuts"]):
        return False
    made["cuts"] = [cut for cut in made["cuts"] if cut["seat"] != seat]
    return True


def _void_for_nobody(liar: Liar, state: State, heard: Heard) -> bool:
    """A deal that everybody cut is called void."""
    made = _news(state, "DEAL_MADE")
    if made is None or state["whole"]:
        return False
    secrets = [secret or "0" * 64 for secret in made["secrets"]]
    void = {"type": "DEAL_VOID", "deal": made["deal"], "cuts": made["cuts"], "missing": [], "secrets": secrets}
    state["deals"] = [void if news is made else news for news in state["deals"]]
    return True


def _wrong_pack_played(liar: Liar, state: State, heard: Heard) -> bool:
    """Another pack's secret is kept back than that of the pack that the cut chose."""
    made = _news(state, "DEAL_MADE")
    if made is None or len(made["secrets"]) < 2:
        return False
    played = made["secrets"].index(None)
    made["secrets"][played] = made["secrets"][played - 1]
    made["secrets"][played - 1] = None
    return True


def _other_cut(liar: Liar, state: State, heard: Heard) -> bool:
    """After a restart a cut is another one, with a promise that fits it."""
    made, fixed = _news(state, "DEAL_MADE"), _news(state, "DEAL_FIXED")
    if made is None or fixed is None or not state["whole"] or made["deal"] not in heard.made:
        return False
    value = liar.random.randbytes(32)
    made["cuts"][0]["value"] = value.hex()
    fixed["context"]["cutters"][0]["promise"] = promise_of(value)
    return True


def _other_payouts(liar: Liar, state: State, heard: Heard) -> bool:
    payouts = state["public"]["payouts"]
    if not payouts or state["you"]["view"] is None or not heard.made:
        return False
    payouts[0] += 10
    return True


def _invented_move(liar: Liar, state: State, heard: Heard) -> bool:
    """A move that nobody made."""
    if state["whole"] or not state["moves"]:
        return False
    state["moves"] = [*state["moves"], {"seat": 0, "action": {"type": "HOLDEM_CALL"}}]
    return True


def _downgrade(liar: Liar, state: State, heard: Heard) -> bool:
    if state["public"]["phase"] != "playing" or state["public"]["payouts"] is not None:
        return False
    state["public"]["scheme"] = "cut-1"
    return True


def _another_room(liar: Liar, state: State, heard: Heard) -> bool:
    if not heard.fixed:
        return False
    state["public"]["roomId"] = liar.random.randbytes(32).hex()
    return True


def _lie(change: Change, *codes: str, restarts: bool = False) -> Lie:
    return Lie(change.__name__.removeprefix("_"), frozenset(codes), change, restarts=restarts)


LIES: Final = (
    Lie("dropped_cut", frozenset(("MISSING_THOUGH_CUT",)), swallows=True),
    # Other roots are another seal, and so another cut, which may choose another pack.
    _lie(_other_roots, "PACK_FALSE", "OPENING_NOT_IN_ROOT", "SECRET_MISSING"),
    _lie(_same_deal_twice, "DEAL_CHANGED"),
    _lie(_dealt_anew, "HAND_BROKEN_OFF"),
    _lie(_skipped, "DEAL_NOT_NEXT", "CLOSING_MISMATCH"),
    _lie(_without_me, "NOT_LISTED", "CUTTERS_CHANGED"),
    _lie(_foreign_promise, "PROMISE_NOT_MINE"),
    _lie(_other_stack_in_setup, "SETUP_MISMATCH"),
    _lie(_fewer_packs, "PACKS_MISMATCH"),
    _lie(_false_pack, "PACK_MISMATCH"),
    _lie(_other_stack, "VIEW_MISMATCH"),
    _lie(_swapped_places, "POSITION_MISMATCH"),
    _lie(_other_card, "OPENING_NOT_IN_ROOT"),
    _lie(_no_opening, "CARD_WITHOUT_PROOF", "VIEW_MISMATCH"),
    _lie(_my_cut_left_out, "CUTS_INCOMPLETE"),
    _lie(_void_for_nobody, "VOID_FOR_NOBODY"),
    _lie(_wrong_pack_played, "SECRET_MISSING", "PACK_FALSE"),
    _lie(_other_cut, "DEAL_CHANGED", restarts=True),
    _lie(_other_payouts, "PAYOUT_MISMATCH"),
    _lie(_invented_move, "MOVE_REFUSED", "MOVE_NOT_MINE", "VIEW_MISMATCH"),
    _lie(_downgrade, "SCHEME_OLD"),
    _lie(_another_room, "ROOM_REPLACED"),
)
