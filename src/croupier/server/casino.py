"""The casino: every player's session at blackjack against the house, on a store that keeps it for ever.

The commands of one player are done one at a time, in order. **Write, then tell**: an answer is given when what it tells
is durable. A session stays in memory while it is used, and 30 minutes after that; it is loaded again from the store by
replay, on whatever server the player comes back to. Two servers may serve one player: of two writers of a version one
is told that it is stale, and loads what the other wrote.

A session is opened by its player's first request, whichever that is: from then on there is a server seed to show the
hash of, and chips to play with. A bet out of the blue is refused as stale, so a client seed is never taken before there
was a hash to ask for.
"""

import asyncio
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

import msgspec
from msgspec.structs import replace

from croupier import locales
from croupier.dealing.seeds import commitment
from croupier.rules import blackjack
from croupier.rules.blackjack import CASINO, BlackjackRules
from croupier.rules.refusal import Refusal
from croupier.server.casino_state import game_state, parameters, seeds_view
from croupier.server.figures import Figures
from croupier.store.port import Append, Entry, Repeated, Stale, Store, StoreError
from croupier.table import session as table
from croupier.table.record import line
from croupier.table.session import Done, Inputs, Session, SessionCode
from croupier.table.session_log import LogError, read, write
from croupier.wire.casino import (
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
    WalletLine,
    WalletResponse,
)
from croupier.wire.codes import RoomCode
from croupier.wire.frames import Answer, Command, Error

STARTING_CHIPS: Final = 10_000
IDLE_MINUTES_MAX: Final = 30
SESSIONS_HELD_MAX: Final = 10_000
REQUESTS_WAITING_MAX: Final = 16
"""How many requests of one player may wait for each other."""

_log = logging.getLogger(__name__)
_ANSWERS: Final = msgspec.json.Decoder(CasinoAnswer)


class _Listing(msgspec.Struct, frozen=True):
    """What the store keeps beside the log: the version from which a replay can begin."""

    checkpoint: int


class _Held:
    """A player's place in memory: the session, once it is loaded, and who waits for it."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.waiting = 0
        self.used_ms = 0
        self.session: Session | None = None
        self.seeds: dict[str, str] = {}
        """The server seeds that were secret when the session was loaded or came later, by their hashes."""


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
        figures: Figures | None = None,
    ) -> None:
        self._store = store
        self._rules = rules
        self._starting_chips = starting_chips
        self._clock_ms = clock_ms
        self._new_seed = new_seed
        self._figures = figures or Figures()
        self._held: OrderedDict[str, _Held] = OrderedDict()

    @property
    def sessions_held(self) -> int:
        """How many sessions are in memory."""
        return len(self._held)

    async def handle(self, person: str, language: str, request: CasinoRequest) -> tuple[Answer, ...]:
        """Does what a player asks, and answers: with what was asked for, or an ERROR in the player's language."""
        held = self._hold(person)
        if held.waiting >= REQUESTS_WAITING_MAX:
            return (self._error(Refusal(RoomCode.BUSY), language, request),)
        held.waiting += 1
        try:
            async with held.lock:
                answer = await self._answer(person, held, request)
        except (StoreError, LogError) as error:
            _log.error("the casino session of %s cannot be read or written: %s", person, error)
            answer = Refusal(RoomCode.STORE_FAILED)
        finally:
            held.waiting -= 1
            held.used_ms = self._clock_ms()
        if isinstance(answer, Refusal):
            return (self._error(answer, language, request),)
        return (replace(answer, request_id=request.request_id),)

    def _error(self, refusal: Refusal, language: str, request: CasinoRequest) -> Error:
        self._figures.refusals[refusal.code] += 1
        message = locales.text(language, f"code.{refusal.code}", **refusal.facts)
        return Error(request_id=request.request_id, code=refusal.code, message=message, facts=refusal.facts)

    async def records(self, person: str) -> list[str]:
        """The records of a player's rounds as lines of JSON, the oldest first, as `croupier verify` reads them.

        A round that runs is not among them; the server seed is in them once it was revealed. Raises StoreError, or
        LogError for a damaged log.
        """
        name = table.table(person)
        seeds = await self._seeds(name)
        log = [read(stored.record) for stored in await self._store.records(name)]
        return await asyncio.to_thread(lambda: [line(entry) for entry in table.records(log, seeds.values())])

    def _hold(self, person: str) -> _Held:
        """The player's place, now the last used; the places that nobody used for long are given up."""
        held = self._held.setdefault(person, _Held())
        self._held.move_to_end(person)
        held.used_ms = self._clock_ms()
        latest_ms = held.used_ms - IDLE_MINUTES_MAX * 60_000
        while True:
            name, oldest = next(iter(self._held.items()))
            unneeded = oldest.used_ms <= latest_ms or len(self._held) > SESSIONS_HELD_MAX
            if oldest is held or oldest.waiting or not unneeded:
                return held
            del self._held[name]

    async def _answer(self, person: str, held: _Held, request: CasinoRequest) -> CasinoAnswer | Refusal:
        session = held.session
        if session is None or await self._missed(session, request):
            session = held.session = await self._load(person, held)
        if isinstance(request, Command):
            return await self._do(held, session, request)
        return await self._tell(session, request)

    async def _missed(self, session: Session, request: CasinoRequest) -> bool:
        """Whether another server has written since. A command on the version that is held need not ask: should that be
        an old one, the store refuses to write it."""
        if isinstance(request, Command) and request.expected_version == session.version:
            return False
        row = await self._store.table(table.table(session.person))
        return row is None or row.version != session.version

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
                return HistoryResponse(version=version, rounds=session.history[::-1])
            case GetWallet(most=most):
                account = table.wallet(session.person)
                ledger = await self._store.ledger(account, most) if most else ()
                lines = tuple(WalletLine(entry.chips, entry.at_ms) for entry in ledger)
                return WalletResponse(version=version, balance=await self._store.balance(account), lines=lines)

    async def _state(self, session: Session) -> GameState:
        return game_state(session, self._rules, await self._store.balance(table.wallet(session.person)))

    async def _do(self, held: _Held, session: Session, request: CasinoCommand) -> CasinoAnswer | Refusal:
        if request.expected_version != session.version:
            return await self._repeated(session, request) or _stale(session.version)
        inputs = Inputs(
            at_ms=self._clock_ms(),
            balance_chips=await self._store.balance(table.wallet(session.person)),
            server_seed=held.seeds[session.server_seed_hash],
            fresh_seed=self._new_seed(),
        )
        done = table.handle(session, self._command(request), inputs)
        if isinstance(done, Refusal):
            return await self._repeated(session, request) or done
        answer = self._told(done, inputs.server_seed)
        outcome = await self._append(done, request.command_id, msgspec.json.encode(answer))
        match outcome:
            case Stale(version):
                return _stale(version)
            case Repeated(answer=first):
                return _read_answer(first)
            case None:
                self._figures.commands["casino"] += 1
                held.session = done.session
                held.seeds |= {commitment(seed): seed for seed in done.keep}
                await self._forget(done)
                return answer

    def _command(self, request: CasinoCommand) -> table.Command:
        match request:
            case PlaceBet(amount=amount, client_seed=client_seed):
                return table.Bet(self._rules, amount, client_seed)
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
                return table.Refill(self._starting_chips)

    def _told(self, done: Done, server_seed: str) -> CasinoAnswer:
        session = done.session
        if done.forget:
            return SeedsResponse(version=session.version, seeds=seeds_view(session), revealed=server_seed)
        return game_state(session, self._rules, session.balance_chips, events=True)

    async def _repeated(self, session: Session, request: CasinoCommand) -> CasinoAnswer | None:
        """The answer that this command got when it was done; None when it was not."""
        repeated = await self._store.answer(table.table(session.person), request.command_id)
        return None if repeated is None else _read_answer(repeated.answer)

    async def _append(self, done: Done, command_id: str = "", answer: bytes = b"") -> Stale | Repeated | None:
        session = done.session
        moved = session.checkpoint == session.version
        append = Append(
            table=table.table(session.person),
            version=session.version,
            record=write(done.entry),
            at_ms=done.entry.at_ms,
            command_id=command_id,
            answer=answer,
            entries=tuple(Entry(movement.account, movement.chips) for movement in done.movements),
            secrets=tuple((commitment(seed), seed.encode()) for seed in done.keep),
            listing=msgspec.json.encode(_Listing(session.checkpoint)) if moved else None,
        )
        return await self._figures.timed(self._store.append(append))

    async def _forget(self, done: Done) -> None:
        """Drops what was revealed. Should the store fail just now, it stays there, which harms nobody."""
        if not done.forget:
            return
        try:
            await self._store.forget_secrets(table.table(done.session.person), done.forget)
        except StoreError as error:
            _log.warning("revealed seeds stay in the store: %s", error)

    async def _load(self, person: str, held: _Held) -> Session:
        """The session as the store tells it; a new one for somebody who has none."""
        name = table.table(person)
        row = await self._store.table(name)
        if row is None:
            # Where another server was faster, its session is the one.
            await self._append(await self._opened(person))
            row = await self._store.table(name)
            assert row is not None, "a store reads what it wrote"
        checkpoint = _read_listing(row.listing).checkpoint
        # Once before the log and once after it: a rotation in between changes both.
        seeds = await self._seeds(name)
        log = [read(stored.record) for stored in await self._store.records(name, checkpoint - 1)]
        seeds |= await self._seeds(name)
        session = await asyncio.to_thread(table.replay, log, tuple(seeds.values()))
        if not {session.server_seed_hash, session.next_server_seed_hash} <= seeds.keys():
            raise LogError("a server seed that is committed to is missing")
        held.seeds = seeds
        return session

    async def _opened(self, person: str) -> Done:
        pair = self._new_seed(), self._new_seed()
        balance_chips = await self._store.balance(table.wallet(person))
        return table.opened(person, self._starting_chips, pair, self._clock_ms(), balance_chips)

    async def _seeds(self, name: str) -> dict[str, str]:
        return {key: seed.decode() for key, seed in (await self._store.secrets(name)).items()}


def _read_listing(stored: bytes) -> _Listing:
    try:
        return msgspec.json.decode(stored, type=_Listing)
    except msgspec.DecodeError as error:
        raise LogError(f"the listing cannot be read: {error}") from error


def _read_answer(stored: bytes) -> CasinoAnswer:
    answer: CasinoAnswer = _ANSWERS.decode(stored)
    return answer


def _stale(version: int) -> Refusal:
    return Refusal(RoomCode.STALE_VERSION, {"version": version})
