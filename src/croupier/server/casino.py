"""The casino: every player's session of blackjack against the house, kept in the store for ever. The commands of one
player run one at a time, in order. **Write, then tell**: an answer is given only when its contents are durable. A
session stays in memory while it is used, and for 30 minutes after that; then any server can load it again by replay.
Two servers may serve one player: of two writers of a version, one is refused as stale, and loads what the other wrote.

A player's first request, whatever it is, opens the session: from then on there is a committed server seed, and chips to
play with. A bet as the first request is refused as stale, so a client seed is never taken before a hash was shown. From
the first request on the connection hears every change, made by any connection on any node.
"""

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from croupier import locales
from croupier.dealing.seeds import commitment
from croupier.game.refusal import Fact, Refusal
from croupier.games import blackjack
from croupier.games.blackjack import CASINO, BlackjackRules
from croupier.games.blackjack.casino import session as table
from croupier.games.blackjack.casino.log import LEDGER_EDITION, LogError
from croupier.games.blackjack.casino.session import Inputs
from croupier.games.blackjack.casino.step import Done, Session, SessionCode, table_name, wallet
from croupier.games.blackjack.rules.codes import BlackjackCode
from croupier.server.actor import Actor
from croupier.server.broadcast import Listener
from croupier.server.casino_state import game_state, parameters, passed_through, seeds_view, settled_round
from croupier.server.metrics import Metrics
from croupier.server.replays import BusyError, Replays, drained
from croupier.store.port import ANY_TABLE, Append, Entry, Repeated, Stale, Store, StoreError
from croupier.wire.casino import (
    CHIP_UNITS,
    CasinoAnswer,
    CasinoCommand,
    CasinoQuery,
    CasinoRequest,
    CheckActive,
    CheckActiveResponse,
    Double,
    GameState,
    GetHistory,
    GetParams,
    GetSeeds,
    GetState,
    GetWallet,
    HistoryResponse,
    Hit,
    Insurance,
    PlaceBet,
    RefillWallet,
    ResumeGame,
    ResumeGameResponse,
    RotateSeed,
    SeedsResponse,
    Split,
    Stand,
    Told,
    WalletLine,
    WalletResponse,
    amount_of,
    units_of,
)
from croupier.wire.casino_log import link, read_log, write_entry
from croupier.wire.codes import RoomCode
from croupier.wire.frames import Answer, Command, Error
from croupier.wire.records import line

CASINO_GAME: Final = CASINO.game
STARTING_CHIPS: Final = 10_000
IDLE_MINUTES_MAX: Final = 30
SESSIONS_HELD_MAX: Final = 10_000
REQUESTS_WAITING_MAX: Final = 16
"""How many requests of one player may wait."""

_AMOUNTS: Final[dict[str, tuple[str, ...]]] = {
    SessionCode.INSUFFICIENT_FUNDS: ("needed", "available"),
    SessionCode.WALLET_NOT_EMPTY: ("available",),
    BlackjackCode.BET_OUT_OF_RANGE: ("amount", "low", "high"),
    BlackjackCode.DECIDE_INSURANCE_FIRST: ("insurance",),
}
"""The facts of a refusal that are amounts."""

_log = logging.getLogger(__name__)
_ANSWERS: Final = msgspec.json.Decoder(Told)
_encode: Final = msgspec.json.Encoder().encode


class _Listing(msgspec.Struct, frozen=True):
    """The session's listing in the store: the version from which a replay can begin."""

    checkpoint: int


class _Held:
    """A player's place in memory: the session, once it is loaded, and its actor."""

    def __init__(self) -> None:
        self.actor = Actor(REQUESTS_WAITING_MAX, expected=(StoreError, LogError))
        self.used_ms = 0
        self.session: Session | None = None
        self.seeds: dict[str, str] = {}
        """The server seeds that were secret when the session was loaded or came later, by their hashes."""
        self.link = ""
        """To the log's last entry; the next one carries it."""


class Casino:
    """All casino sessions of one server. Only the event loop that it was made for may use it."""

    def __init__(
        self,
        store: Store,
        *,
        rules: BlackjackRules = CASINO,
        starting_chips: int = STARTING_CHIPS,
        clock_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        new_seed: Callable[[], str] = lambda: secrets.token_hex(32),
        metrics: Metrics | None = None,
        replays: Replays | None = None,
    ) -> None:
        self._store = store
        self._replays = replays or Replays()
        self._rules = replace(rules, bet_min=CHIP_UNITS * rules.bet_min, bet_max=CHIP_UNITS * rules.bet_max)
        self._starting_units = CHIP_UNITS * starting_chips
        self._clock_ms = clock_ms
        self._new_seed = new_seed
        self._metrics = metrics or Metrics()
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._listeners: dict[str, set[Listener]] = {}
        """The listeners of each player's session."""
        self._chores: set[asyncio.Task[None]] = set()

    @property
    def sessions_held(self) -> int:
        """How many sessions are in memory."""
        return len(self._held)

    def listen(self, listener: Listener) -> None:
        """From now on this connection hears every change of its player's session."""
        self._listeners.setdefault(listener.person, set()).add(listener)

    def detach(self, listener: Listener) -> None:
        heard = self._listeners.get(listener.person, set())
        heard.discard(listener)
        if not heard:
            self._listeners.pop(listener.person, None)

    def refresh(self, listener: Listener) -> None:
        """Sends the newest state to a connection that missed some."""
        if listener in self._listeners.get(listener.person, ()):
            self._begin(self._show(listener.person, listener))

    def written(self, name: str) -> None:
        """Another node wrote to this table, or to any: send the listeners here what it wrote."""
        for person in tuple(self._listeners):
            if name in (table_name(person), ANY_TABLE):
                self._begin(self._show(person))

    async def handle(
        self, person: str, language: str, request: CasinoRequest, asking: Listener | None = None
    ) -> tuple[Answer, ...]:
        """Carry out a player's request and answer it: with the result, or an ERROR in the player's language; before
        that, with the states that the round passed through. The player's other connections get the same states."""
        held = self._hold(person)
        try:
            answers = await held.actor.run(lambda: self._answer(person, held, request, asking))
        except BusyError:
            answers = Refusal(RoomCode.BUSY)
        except (StoreError, LogError) as error:
            _log.error("the casino session of %s cannot be read or written: %s", person, error)
            answers = Refusal(RoomCode.STORE_FAILED)
        finally:
            held.used_ms = self._clock_ms()
        if isinstance(answers, Refusal):
            return (self._error(answers, language, request),)
        return (*answers[:-1], replace(answers[-1], request_id=request.request_id))

    def _send(self, listeners: Iterable[Listener], states: Iterable[GameState]) -> None:
        frames = [_encode(state) for state in states]
        for listener in tuple(listeners):
            for frame in frames:
                listener.send(frame)

    def _begin(self, chore: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(chore)
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)

    async def _show(self, person: str, *listeners: Listener) -> None:
        """Send what another node wrote to everybody who listens here; when nothing is new, send the state to these
        listeners. If the store fails now, the next request says so."""
        held = self._hold(person)
        try:
            await held.actor.run(lambda: self._show_new(person, held, listeners))
        except (StoreError, LogError, BusyError) as error:
            _log.warning("the casino session of %s cannot be shown: %s", person, error)

    async def _show_new(self, person: str, held: _Held, listeners: Iterable[Listener]) -> None:
        before = held.session
        if before is not None and not await self._is_behind(before):
            self._send(listeners, [await self._state(before)])
            return
        after = held.session = await self._load(person, held)
        passed = () if before is None else passed_through(before, after, self._rules)
        self._send(self._listeners.get(person, ()), (*passed, await self._state(after)))

    def _error(self, refusal: Refusal, language: str, request: CasinoRequest) -> Error:
        self._metrics.refusals[refusal.code] += 1
        message = locales.refusal_text(language, refusal)
        return Error(request_id=request.request_id, code=refusal.code, message=message, facts=refusal.facts)

    async def records(self, person: str, caller: str = "") -> list[str]:
        """The records of a player's rounds as lines of JSON, the oldest first, as `croupier verify` reads them.

        `caller` is the address that asks. A running round is not among them. The server seed is included once it was
        revealed. Raises StoreError, LogError for a damaged log, or BusyError when too many wait for downloads.
        """
        name = table_name(person)
        row = await self._store.table(name)
        async with self._replays.of_download(0 if row is None else row.version).turn(caller) as turn:
            seeds = await self._seeds(name)
            stored = [await self._store.records(name)]

            def lines() -> list[str]:
                log = read_log(entry.record for entry in turn.paced(drained(stored)))
                return [line(entry) for entry in turn.paced(table.records(log, seeds.values()))]

            return await turn.work(lines)

    def _hold(self, person: str) -> _Held:
        """The player's place, marked as just used. Places that were not used for long are dropped."""
        held = self._held.setdefault(person, _Held())
        self._held.move_to_end(person)
        held.used_ms = self._clock_ms()
        latest_ms = held.used_ms - IDLE_MINUTES_MAX * 60_000
        while True:
            name, oldest = next(iter(self._held.items()))
            unneeded = oldest.used_ms <= latest_ms or len(self._held) > SESSIONS_HELD_MAX
            if oldest is held or oldest.actor.is_busy or not unneeded:
                return held
            del self._held[name]

    async def _answer(
        self, person: str, held: _Held, request: CasinoRequest, asking: Listener | None
    ) -> tuple[CasinoAnswer, ...] | Refusal:
        """The answer, after the states that the round passed through."""
        session = held.session
        if session is None or await self._missed(session, request):
            session = held.session = await self._load(person, held)
        if not isinstance(request, Command):
            answer = await self._tell(session, request)
            return answer if isinstance(answer, Refusal) else (answer,)
        done = await self._do(held, session, request)
        after = held.session
        if isinstance(done, Refusal):
            return done
        if after is None or after is session:
            return (done,)
        passed = passed_through(session, after, self._rules)
        if others := self._listeners.get(person, set()) - {asking}:
            shown = done if isinstance(done, GameState) else self._shown(after, after.balance_units)
            self._send(others, (*passed, shown))
        return (*passed, done)

    async def _missed(self, session: Session, request: CasinoRequest) -> bool:
        """Whether another server has written since. A command need not ask: if its version is old, the store refuses
        the write."""
        if isinstance(request, Command) and request.expected_version == session.version:
            return False
        return await self._is_behind(session)

    async def _is_behind(self, session: Session) -> bool:
        row = await self._store.table(table_name(session.person))
        return row is None or row.version != session.version

    async def _converted(self, held: _Held, session: Session) -> Session:
        """The session in the present edition of the ledger. If another server was faster, the next write will be
        stale."""
        done = table.handle(session, table.Convert(), await self._inputs(held, session))
        if isinstance(done, Refusal):
            raise LogError(f"a session without a running round cannot be converted: {done.code}")
        await self._append(held, done)
        return done.session

    async def _inputs(self, held: _Held, session: Session) -> Inputs:
        return Inputs(
            at_ms=self._clock_ms(),
            balance_units=await self._balance(session),
            server_seed=held.seeds[session.server_seed_hash],
            fresh_seed=self._new_seed(),
        )

    async def _balance(self, session: Session) -> int:
        return await self._store.balance(wallet(session.person, session.ledger))

    async def _tell(self, session: Session, request: CasinoQuery) -> CasinoAnswer | Refusal:
        version = session.version
        match request:
            case GetState():
                return await self._state(session)
            case CheckActive():
                if session.running is None:
                    return CheckActiveResponse(version=version, active=False)
                return CheckActiveResponse(version=version, active=True, round_id=session.rounds)
            case ResumeGame():
                if session.running is None:
                    return Refusal(SessionCode.GAME_NOT_INROUND)
                return ResumeGameResponse(version=version, state=await self._state(session))
            case GetParams():
                return parameters(self._rules, version)
            case GetSeeds():
                return SeedsResponse(version=version, seeds=seeds_view(session))
            case GetHistory():
                rounds = tuple(settled_round(settled, session.chip) for settled in session.history[::-1])
                return HistoryResponse(version=version, rounds=rounds)
            case GetWallet(most=most):
                account = wallet(session.person, session.ledger)
                ledger = await self._store.ledger(account, most) if most else ()
                lines = tuple(WalletLine(amount_of(entry.chips, session.chip), entry.at_ms) for entry in ledger)
                balance = amount_of(await self._balance(session), session.chip)
                return WalletResponse(version=version, balance=balance, lines=lines)

    async def _state(self, session: Session) -> GameState:
        return self._shown(session, await self._balance(session))

    def _shown(self, session: Session, balance_units: int) -> GameState:
        return game_state(session, self._rules, balance_units)

    async def _do(self, held: _Held, session: Session, request: CasinoCommand) -> CasinoAnswer | Refusal:
        if request.expected_version != session.version:
            return await self._repeated(session, request) or _stale(session.version)
        if isinstance(request, PlaceBet | RefillWallet) and session.ledger != LEDGER_EDITION and not session.running:
            session = await self._converted(held, session)
        command = self._command(request, session.chip)
        if isinstance(command, Refusal):
            return command
        inputs = await self._inputs(held, session)
        done = table.handle(session, command, inputs)
        if isinstance(done, Refusal):
            return await self._repeated(session, request) or _in_chips(done, session.chip)
        answer = self._told(done, inputs.server_seed)
        outcome = await self._append(held, done, request.command_id, _encode(answer))
        match outcome:
            case Stale(version):
                return _stale(version)
            case Repeated():
                return await self._repeated(session, request) or _stale(session.version)
            case None:
                self._metrics.commands["casino"] += 1
                held.session = done.session
                held.seeds |= {commitment(seed): seed for seed in done.keep}
                await self._forget(done)
                return answer

    def _command(self, request: CasinoCommand, chip: int) -> table.Command | Refusal:
        match request:
            case PlaceBet(amount=amount, client_seed=client_seed):
                units = units_of(amount, chip)
                if units is None:
                    facts: dict[str, Fact] = {"path": "$.amount", "fault": "at most two decimal places"}
                    return Refusal(RoomCode.BAD_MESSAGE, facts)
                return table.Bet(self._rules, units, client_seed)
            case Hit():
                return table.Play(blackjack.Hit())
            case Stand():
                return table.Play(blackjack.Stand())
            case Double():
                return table.Play(blackjack.Double())
            case Split():
                return table.Play(blackjack.Split())
            case Insurance(take=take):
                return table.Play(blackjack.Insurance(take))
            case RotateSeed():
                return table.Rotate()
            case RefillWallet():
                return table.Refill(self._starting_units)

    def _told(self, done: Done, server_seed: str) -> Told:
        session = done.session
        if done.forget:
            return SeedsResponse(version=session.version, seeds=seeds_view(session), revealed=server_seed)
        return game_state(session, self._rules, session.balance_units, events=True)

    async def _repeated(self, session: Session, request: CasinoCommand) -> CasinoAnswer | None:
        """The earlier answer to this command; None if it was not done before. An answer of an older version of this
        program that can no longer be read is replaced by the present state."""
        repeated = await self._store.answer(table_name(session.person), request.command_id)
        if repeated is None:
            return None
        try:
            first: Told = _ANSWERS.decode(repeated.answer)
        except msgspec.DecodeError:
            return await self._state(session)
        return first

    async def _append(
        self, held: _Held, done: Done, command_id: str = "", answer: bytes = b""
    ) -> Stale | Repeated | None:
        session = done.session
        record = write_entry(replace(done.entry, chain=held.link))
        moved = session.checkpoint == session.version
        append = Append(
            table=table_name(session.person),
            version=session.version,
            record=record,
            at_ms=done.entry.at_ms,
            command_id=command_id,
            answer=answer,
            entries=tuple(Entry(movement.account, movement.units) for movement in done.movements),
            secrets=tuple((commitment(seed), seed.encode()) for seed in done.keep),
            listing=msgspec.json.encode(_Listing(session.checkpoint)) if moved else None,
        )
        outcome = await self._metrics.timed(self._store.append(append))
        if outcome is None:
            held.link = link(record)
        return outcome

    async def _forget(self, done: Done) -> None:
        """Drop secrets that were revealed. If the store fails now, they stay, which does no harm."""
        if not done.forget:
            return
        try:
            await self._store.forget_secrets(table_name(done.session.person), done.forget)
        except StoreError as error:
            _log.warning("revealed seeds stay in the store: %s", error)

    async def _load(self, person: str, held: _Held) -> Session:
        """The session from the store; a new one for a player who has none."""
        name = table_name(person)
        row = await self._store.table(name)
        if row is None:
            # If another server was faster, its session counts.
            await self._append(held, await self._opened(person))
            row = await self._store.table(name)
            if row is None:
                raise StoreError(f"{name}: the store does not have what it wrote")
        checkpoint = _read_listing(row.listing).checkpoint
        # Once before the log and once after it: a rotation in between changes both.
        seeds = await self._seeds(name)
        stored = await self._store.records(name, checkpoint - 1)
        log = read_log(entry.record for entry in stored)
        seeds |= await self._seeds(name)
        async with self._replays.of_length(len(log)).turn() as turn:
            session = await turn.work(lambda: table.replay(log, tuple(seeds.values())))
        if not {session.server_seed_hash, session.next_server_seed_hash} <= seeds.keys():
            raise LogError("a server seed that is committed to is missing")
        held.seeds = seeds
        held.link = link(stored[-1].record)
        return session

    async def _opened(self, person: str) -> Done:
        pair = self._new_seed(), self._new_seed()
        balance_units = await self._store.balance(wallet(person))
        return table.opened(person, self._starting_units, pair, self._clock_ms(), balance_units)

    async def _seeds(self, name: str) -> dict[str, str]:
        return {key: seed.decode() for key, seed in (await self._store.secrets(name)).items()}


def _read_listing(stored: bytes) -> _Listing:
    try:
        return msgspec.json.decode(stored, type=_Listing)
    except msgspec.DecodeError as error:
        raise LogError(f"the listing cannot be read: {error}") from error


def _in_chips(refusal: Refusal, chip: int) -> Refusal:
    """A refusal with its amounts in chips, as the protocol writes them."""
    amounts = {
        name: amount_of(units, chip)
        for name in _AMOUNTS.get(refusal.code, ())
        if isinstance(units := refusal.facts[name], int)
    }
    return Refusal(refusal.code, {**refusal.facts, **amounts})


def _stale(version: int) -> Refusal:
    return Refusal(RoomCode.STALE_VERSION, {"version": version})
