"""A player's guard in one room: checks every state, cuts the deals that pass, and remembers both in a vault.

A cut is bound to one deal before it is given: the vault keeps "this promise, this seal" once, for all programs of the
player. Events are written to the player's own log, which `croupier verify RECORD --mine LOG` reads.
"""

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Final, TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.clients.environment import wall_ms
from croupier.clients.vault import Vault
from croupier.dealing.cut2 import check_context, check_roots, context_hash, promise_of, seal_of
from croupier.dealing.findings import Finding
from croupier.dealing.hash_input import is_hash
from croupier.game.registry import GAMES
from croupier.table.checker import Checker
from croupier.table.client_memory import CutWanted, Memory, OwnAction, Seen
from croupier.table.deal_faults import DealFault
from croupier.table.deal_news import DealFixed
from croupier.table.deals import VOIDS_MAX
from croupier.table.state_form import read_action
from croupier.wire.own_logs import write_room_line

SECRET_BYTES: Final = 32
PROGRAM_BYTES: Final = 8
LOG_FORMAT: Final = "croupier-log-1"
_CODE: Final = re.compile(r"[A-Z0-9]{1,32}")


Remembered: TypeAlias = tuple[str, Memory | None, "Told | None"]
"""A room's random name, what is remembered of it, and how far its newest hand had come."""


class Told(msgspec.Struct, frozen=True):
    """Moves of a hand as the room told them. A line of the vault has those from number `first` on."""

    hand: int
    deal: int
    """The newest deal of the hand."""
    since: int
    """How many moves the hand had when that deal was cut."""
    moves: list[Any]
    first: int = 0


def remembered(vault: Vault, code: str) -> Remembered:
    """What this user's programs know of the last room with this code. Its name is empty if there was none."""
    rooms = vault.lines(_code_name(code)) if _CODE.fullmatch(code) else []
    return _remembered_of(vault, rooms[-1]) if rooms else ("", None, None)


def _remembered_of(vault: Vault, room: str) -> Remembered:
    memory = _kept_memory(vault, room)
    return room, memory, None if memory is None else _kept_moves(vault, room, memory)


def _code_name(code: str) -> str:
    return f"cut2/code/{code.lower()}"


def _kept_memory(vault: Vault, room: str) -> Memory | None:
    """The furthest state of a room that any program of this user has seen since its player last began anew."""
    best: Memory | None = None
    for kept in _memories(vault, room):
        if best is None or not kept.deal or _progress(kept) >= _progress(best):
            best = kept
    return best


def _moves_name(room: str, hand: int) -> str:
    return f"cut2/moves/{room}/{hand}"


def _kept_moves(vault: Vault, room: str, memory: Memory) -> Told | None:
    """The most moves of the newest hand that any program of this user was told."""
    best: Told | None = None
    for line in vault.lines(_moves_name(room, memory.hand)):
        told = msgspec.json.decode(line, type=Told)
        before = [] if best is None else best.moves
        if told.deal == 0 or len(before) < told.first:
            best = None
        elif len(before) < told.first + len(told.moves) or best is None or best.deal < told.deal:
            best = replace(told, moves=[*before[: told.first], *told.moves], first=0)
    return best if best is not None and best.deal == memory.deal and memory.cut else None


def _memories(vault: Vault, room: str) -> list[Memory]:
    return [msgspec.json.decode(line, type=Memory) for line in vault.lines(f"cut2/memory/{room}")]


class RoomGuard:
    """Guards one player in one room. `me` is the player's id there, `code` the room's code."""

    def __init__(
        self,
        me: str,
        code: str,
        vault: Vault,
        chance: Callable[[int], bytes],
        clock_ms: Callable[[], int] = wall_ms,
    ) -> None:
        self.checker = Checker(me)
        self.checker.own_actions = self._own_actions
        self.checker.own_requests = self._own_requests
        self.checker.is_own_promise = lambda promise: self._secret(promise) is not None
        self._vault = vault
        self._chance = chance
        self._clock_ms = clock_ms
        self._code = code
        self._program = chance(PROGRAM_BYTES).hex()
        """Tells this one's lines from those of other programs that write the same log."""
        self._room = ""
        self._shown_room = ""
        """The room that the newest state is about."""
        self._own = sha256(me.encode()).hexdigest()[:16]
        """This player among those who share the vault."""
        self.remembered: Remembered | None = None
        """What was known when this client asked for the room; None if it did not look."""
        self._seen_ms: dict[int, int] = {}
        """When each deal was shown."""
        self._sent_ms: dict[int, int] = {}
        self._told: Told | None = None
        """The moves of a hand that were stored last."""

    @property
    def log_name(self) -> str:
        """The name of the player's own log of this room in the vault."""
        return f"cut2/log/{self._room}/{self._own}"

    @property
    def evidence(self) -> str:
        """Where the player's own log is; empty if it is not kept."""
        return self._vault.place(self.log_name) if self._room else ""

    def see(self, frame: dict[str, Any]) -> Seen:
        """Check a state, and write down what is new in it."""
        alarms = self._open(frame)
        if alarms:
            self._write_state(frame, Seen(alarms))
            return Seen(alarms)
        for news in _rows(frame.get("deals")):
            self._recall(news)
        self._recall_agreement()
        seen = self.checker.see(frame)
        if seen.gap is None:
            self._write_state(frame, seen)
        self._keep_alarms(seen.alarms)
        if seen.remember:
            self._keep_memory()
        if not seen.alarms and seen.gap is None:
            self._keep_moves()
        return seen

    def _open(self, frame: dict[str, Any]) -> tuple[Finding, ...]:
        """At the first state: load what is remembered of the room, and return the alarms that still hold."""
        public = frame.get("public")
        room = public.get("roomId") if isinstance(public, dict) else None
        if not isinstance(room, str) or not is_hash(room):
            return ()
        self._shown_room = room
        if self._room:
            return ()
        self._room = room
        asked_with = self.remembered
        if asked_with is None or asked_with[0] not in ("", room):
            asked_with = _remembered_of(self._vault, room)
        _, self.checker.memory, told = asked_with
        self._recall_newest()
        if told is not None:
            self.checker.recall_moves(told.hand, told.deal, told.since, told.moves)
            self._told = told
        if not self._vault.lines(self.log_name):
            self._write(format=LOG_FORMAT, room=room, player=self.checker.me)
        for line in self._vault.lines(f"cut2/alarms/{room}/{self._own}"):
            found = msgspec.json.decode(line, type=Finding)
            if found.code:
                self.checker.findings.append(found)
            else:
                self.checker.decided = len(self.checker.findings)
        name = _code_name(self._code)
        before = self._vault.lines(name) if _CODE.fullmatch(self._code) else [room]
        if not before:
            self._vault.append(name, room)
        elif before[-1] != room:
            self._keep_alarms((self.checker.alarm(DealFault.ROOM_REPLACED, room=room[:16]),))
        return self.checker.alarms

    def _recall(self, news: Any) -> None:
        """After a reload, and where another program has cut: which deals of the round this player has cut, and whether
        the room had taken the cut."""
        memory = self.checker.memory
        if memory is not None and news.get("type") == "DEAL_MADE" and news.get("deal") == memory.deal:
            self._recall_newest()
            return
        try:
            fixed = msgspec.convert(news, DealFixed)
        except msgspec.ValidationError:
            return
        context = fixed.context
        if check_context(context) or check_roots(context, fixed.roots) or context.deal in self.checker.gave:
            return
        self._seen_ms.setdefault(context.deal, self._clock_ms())
        self._recall_cut(context.deal, seal_of(context_hash(context), fixed.roots).hex())

    def _recall_newest(self) -> None:
        """Whether this player has cut the newest deal. At the first state, which may no longer show it."""
        memory = self.checker.memory
        if memory is not None and memory.deal and memory.deal not in self.checker.gave:
            self._recall_cut(memory.deal, memory.seal)

    def _recall_cut(self, deal: int, seal: str) -> None:
        given = self._vault.get(self._key("gave", deal))
        if given is not None and given.startswith(seal):
            self.checker.gave[deal] = given.partition(" ")[2]
        if self._vault.get(self._key("acknowledged", deal)) is not None:
            self.checker.acknowledged.add(deal)

    def _recall_agreement(self) -> None:
        """Whether this player, in another program, has agreed to another deal of a hand that was void twice."""
        memory = self.checker.memory
        if memory is None or memory.hand_voids < VOIDS_MAX or memory.agreed_hand == memory.hand:
            return
        if any(kept.agreed_hand == memory.hand for kept in _memories(self._vault, self._room)):
            self.checker.agree_to_hand(memory.hand)

    def _key(self, kind: str, deal: int) -> str:
        return f"cut2/{kind}/{self._room}/{deal}/{self._own}"

    def _keep_memory(self) -> None:
        if self._room:
            self._vault.append(f"cut2/memory/{self._room}", msgspec.json.encode(self.checker.memory).decode())

    def _keep_moves(self) -> None:
        """Keep the moves of a hand that has its cards. After a reload, the room must continue from them."""
        told = self.checker.told_moves
        if told is None or not self._room:
            return
        hand, deal, since, moves = told
        kept = self._told if self._told is not None and self._told.hand == hand else Told(hand, 0, 0, [])
        if deal == kept.deal and len(moves) <= len(kept.moves):
            return
        first = len(kept.moves)
        line = Told(hand, deal, since, list(moves[first:]), first)
        self._vault.append(_moves_name(self._room, hand), msgspec.json.encode(line).decode())
        self._told = replace(line, moves=list(moves), first=0)

    def _forget_moves(self) -> None:
        """Begin anew: moves told earlier need not be told again."""
        if self._room and self._told is not None:
            line = Told(self._told.hand, 0, 0, [])
            self._vault.append(_moves_name(self._room, line.hand), msgspec.json.encode(line).decode())
            self._told = None

    def _keep_alarms(self, found: tuple[Finding, ...]) -> None:
        """Keep the alarms: they hold until the player decides, also after a reload."""
        for each in found if self._room else ():
            self._vault.append(f"cut2/alarms/{self._room}/{self._own}", msgspec.json.encode(each).decode())

    def _own_actions(self, hand: int) -> list[OwnAction]:
        """What this player did in a hand, in any program that shares the vault."""
        lines = self._vault.lines(f"cut2/acts/{self._room}/{self._own}")
        acts = (msgspec.json.decode(line) for line in lines)
        return [OwnAction(act["action"], act.get("number")) for act in acts if act["hand"] == hand]

    def _own_requests(self, first: int, last: int) -> list[tuple[str, int]]:
        """What this player asked for between two hands, in any program that shares the vault."""
        lines = self._vault.lines(f"cut2/bought/{self._room}/{self._own}")
        asked = (msgspec.json.decode(line) for line in lines)
        # An earlier version wrote down purchases only, and no kind.
        return [(each.get("kind", "bought"), each["chips"]) for each in asked if first <= each["hand"] <= last]

    def promise(self) -> str:
        """A promise for a coming deal. Its secret is stored before the promise is sent."""
        secret = self._chance(SECRET_BYTES)
        promised = promise_of(secret)
        self._vault.put(f"cut2/secret/{promised}", f"{secret.hex()} {self._own}")
        self._write(promise=promised)
        return promised

    def _secret(self, promise: str) -> str | None:
        """The secret of a promise; None if it is not this player's, or was made elsewhere."""
        secret, _, whose = (self._vault.get(f"cut2/secret/{promise}") or "").partition(" ")
        return secret if whose == self._own else None

    def cut(self, wanted: CutWanted) -> str | None:
        """The cut for a deal; None if it must not be given. The same seal always gets the same answer."""
        secret = self._bound(wanted)
        if secret is None:
            return None
        self._vault.put(self._key("gave", wanted.deal), f"{wanted.seal} {secret}")
        now_ms = self._clock_ms()
        took_ms = now_ms - self._seen_ms.get(wanted.deal, now_ms)
        self.checker.gave[wanted.deal] = secret
        self.checker.seconds[wanted.deal] = f"{took_ms / 1000:.1f}"
        self._sent_ms[wanted.deal] = now_ms
        return secret

    def _bound(self, wanted: CutWanted) -> str | None:
        """The secret of a promise, once it is bound to this deal and written down; None after an alarm."""
        secret = self._secret(wanted.promise)
        if secret is None:
            if DealFault.PROMISE_NOT_MINE not in self.checker.accepted:
                self.alarm(DealFault.PROMISE_NOT_MINE, deal=wanted.deal)
            return None
        if not self._bind(f"cut2/deal/{self._room}/{wanted.deal}", wanted.seal):
            self.alarm(DealFault.DEAL_CHANGED, deal=wanted.deal)
            return None
        if not self._bind(f"cut2/sealed/{wanted.promise}", wanted.seal):
            self.alarm(DealFault.PROMISE_SEALED_TWICE, deal=wanted.deal)
            return None
        self._write(cut={"deal": wanted.deal, "promise": wanted.promise, "seal": wanted.seal, "value": secret})
        return secret

    def _bind(self, key: str, seal: str) -> bool:
        return self._vault.put(key, seal) or self._vault.get(key) == seal

    def alarm(self, code: DealFault, /, **facts: int | str) -> None:
        """Raise an alarm that no single state shows, unless the player has decided about it."""
        if Finding(code, dict(facts)) in self.checker.findings[: self.checker.decided]:
            return
        found = (self.checker.alarm(code, **facts),)
        self._write(alarms=found)
        self._keep_alarms(found)

    def owed(self, number: int, told: Any) -> str | None:
        """The cut owed to a deal that is void by now; `told` begins with that deal as fixed. None if it must not be
        given."""
        try:
            deal = msgspec.convert(_rows(told)[0], DealFixed)
        except (IndexError, msgspec.ValidationError):
            return None
        context = deal.context
        if check_context(context) or check_roots(context, deal.roots):
            return None
        seal = seal_of(context_hash(context), deal.roots).hex()
        if (context.room, context.deal) != (self._room, number) or not self._is_past(number, seal):
            return None
        mine = [cutter.promise for cutter in context.cutters if self._secret(cutter.promise) is not None]
        return self._bound(CutWanted(number, mine[0], seal)) if mine else None

    def _is_past(self, deal: int, seal: str) -> bool:
        """Whether a deal is one of the room's that waits for no cut any more."""
        memory = self.checker.memory
        if memory is None or deal > memory.deal or self.checker.is_open(deal):
            return False
        return deal < memory.deal or seal == memory.seal

    def acknowledge(self, deal: int) -> None:
        """Note that the room has taken this player's cut: in time, unless the deal is void and the cut was owed."""
        memory = self.checker.memory
        if memory is None or memory.deal != deal or memory.missing or self.checker.is_alarmed:
            return
        self.checker.acknowledged.add(deal)
        self._vault.put(self._key("acknowledged", deal), "yes")
        now_ms = self._clock_ms()
        took_ms = now_ms - self._sent_ms.get(deal, now_ms)
        self._write(acknowledged={"deal": deal, "tookMs": took_ms})

    def bridge(self, missed: list[Any], last: int) -> tuple[Finding, ...]:
        """Take the deals that were missed, up to the last of them."""
        found = self.checker.bridge(missed, last)
        self._write(bridged=missed, alarms=found)
        self._keep_alarms(found)
        if not found:
            self._keep_memory()
        return found

    def may_act(self, game: str, action: dict[str, Any]) -> tuple[Finding, ...]:
        """What forbids an action: an open alarm, or chips for a hand that was not cut here."""
        checker = self.checker
        if checker.is_alarmed:
            return checker.alarms
        if not checker.cut_this_hand and _stakes(game, action):
            return (Finding(DealFault.BET_WITHOUT_CUT, {}),)
        return ()

    def is_action(self, game: str, command: dict[str, Any]) -> bool:
        """Whether a command is an action of the game."""
        known = GAMES.get(game)
        return known is not None and read_action(known.action, command) is not None

    def acted(self, hand: int, action: dict[str, Any]) -> None:
        """Write down what the player is about to do."""
        if self._room:
            number = self.checker.next_own_move
            line = msgspec.json.encode({"hand": hand, "number": number, "action": action}).decode()
            self._vault.append(f"cut2/acts/{self._room}/{self._own}", line)
        self._write(hand=hand, action=action)

    def asks(self, hand: int, kind: str, chips: int = 0) -> None:
        """Write down what the player is about to ask for: `bought` chips, or to sit in again, `sat_in` or `waits`."""
        if self._room:
            line = msgspec.json.encode({"hand": hand, "kind": kind, "chips": chips}).decode()
            self._vault.append(f"cut2/bought/{self._room}/{self._own}", line)
        self._write(hand=hand, **({"bought": chips} if kind == "bought" else {"sits": kind}))

    def accept_alarms(self) -> None:
        """Go on despite all alarms so far, beginning anew with what the room shows next."""
        self._write(decided="go on", alarms=self.checker.alarms)
        self._keep_alarms((Finding(""),))
        if any(found.code == DealFault.ROOM_REPLACED for found in self.checker.alarms):
            self._room = self._shown_room
            self._vault.append(_code_name(self._code), self._room)
        self._forget_moves()
        self.checker.accept_alarms(self._room)
        self._keep_memory()

    def agree(self, hand: int) -> None:
        """Agree to another deal of a hand that was void twice."""
        self.checker.agree_to_hand(hand)
        self._keep_memory()
        self._write(agreed=hand)

    def accept_voids(self) -> CutWanted | None:
        """Go on cutting although many deals were void. Return the cut that the room waits for, if any."""
        self.checker.agree_to_voids()
        self._write(decided="voids")
        return self.checker.wanted_now()

    def set_aside(self, frame: dict[str, Any]) -> None:
        """Write down a state that came while the player had not decided. It is not shown."""
        self._write_state(frame, Seen())

    def _write_state(self, frame: dict[str, Any], seen: Seen) -> None:
        public = frame.get("public")
        public = public if isinstance(public, dict) else {}
        openings = [
            {name: opening.get(name) for name in ("shuffle", "k", "card")} for opening in _rows(frame.get("openings"))
        ]
        entry = {
            "deals": frame.get("deals"),
            "moves": frame.get("moves"),
            "cards": openings,
            "payouts": public.get("payouts") and [public.get("hand"), *_list(public["payouts"])],
            "alarms": seen.alarms,
            "notes": seen.notes,
        }
        told = {name: value for name, value in entry.items() if value}
        if set(told) - {"payouts"}:
            you = frame.get("you")
            seat = you.get("seat") if isinstance(you, dict) else None
            where = {"hand": public.get("hand"), "seat": seat, "whole": frame.get("whole")}
            self._write(**where, **told)

    def _write(self, **entry: Any) -> None:
        if self._room:
            self._vault.append(self.log_name, write_room_line(self._clock_ms(), self._program, entry))


def _progress(memory: Memory) -> tuple[int, bool]:
    return memory.deal, bool(memory.cut or memory.missing)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _rows(value: Any) -> list[dict[str, Any]]:
    """The objects in a list from a server."""
    return [each for each in _list(value) if isinstance(each, dict)]


def _stakes(game: str, action: dict[str, Any]) -> bool:
    known = GAMES.get(game)
    read = None if known is None else read_action(known.action, action)
    return True if read is None else bool(read.stakes)
