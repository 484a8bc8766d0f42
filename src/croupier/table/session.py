"""One player and the house: rounds on a wallet, dealt by `shuffle-1`, as one value that each command turns into the
next.

The order of `shuffle-1` is kept here. The hash of a server seed is part of the session before the first bet on it, and
so is the hash of the one after. A seed is revealed by `Rotate` only, which a player may ask for whenever no round runs,
so at once after a round as well. Its rounds can be downloaded before that, and verify wholly after it. A client seed
may change with every bet: then a new pair begins, with nonce 0. One that was given up is not taken again, so that no
nonce comes twice.

What happened is a log of entries without secrets. `handle` makes the next entry, and `replay` the session that a log
tells of; both go through the same step, so they cannot differ. A wallet is shared with the rest of the room: what it
holds comes in with every command.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import Any, Final, TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.dealing.seeds import (
    CLIENT_SEED_CHARACTERS_MAX,
    CLIENT_SEED_CHARACTERS_MIN,
    check_client_seed,
    commitment,
)
from croupier.rules.game import AnyRules
from croupier.rules.refusal import Refusal
from croupier.rules.registry import GAMES
from croupier.table.record import Record, record
from croupier.table.round import Round, Seeds, begin
from croupier.table.session_log import BetPlaced, Entry, LogError, Opened, Played, Refilled, Rotated, Settled, Summary

SEAT: Final = 0
HOUSE: Final = "house"
HISTORY_ROUNDS_MAX: Final = 20
CLIENT_SEEDS_PER_SERVER_SEED_MAX: Final = 256
CLIENT_SEEDS_REMEMBERED_MAX: Final = 1024
"""At least as many as one server seed can see: a pair of seeds that comes again would deal the same cards again."""
CHECKPOINT_ENTRIES: Final = 100
"""After so many entries the next bet carries all that came before it, so that a replay can begin there."""
PURSE_NEVER_SHORT: Final = 2**53 - 1


class SessionCode(StrEnum):
    """Why a session refuses something; what a round refuses has the codes of its rules."""

    GAME_IN_PROGRESS = "GAME_IN_PROGRESS"
    GAME_NOT_INROUND = "GAME_NOT_INROUND"
    INSUFFICIENT_FUNDS = "INSUFFICIENT_FUNDS"
    BAD_CLIENT_SEED = "BAD_CLIENT_SEED"
    CLIENT_SEED_USED = "CLIENT_SEED_USED"
    ROTATE_SEED_FIRST = "ROTATE_SEED_FIRST"
    NOTHING_TO_REVEAL = "NOTHING_TO_REVEAL"
    WALLET_NOT_EMPTY = "WALLET_NOT_EMPTY"


class Bet(msgspec.Struct, frozen=True):
    """Begins a round by these rules with a bet."""

    rules: AnyRules
    amount: int
    client_seed: str


class Play(msgspec.Struct, frozen=True):
    """Acts in the running round."""

    action: Any


class Rotate(msgspec.Struct, frozen=True):
    """Reveals the server seed and goes on with the one announced."""


class Refill(msgspec.Struct, frozen=True):
    """Takes chips of the house again, once the wallet cannot pay a single one."""

    chips: int


Command: TypeAlias = Bet | Play | Rotate | Refill


class Inputs(msgspec.Struct, frozen=True, kw_only=True):
    """What a command needs from outside: the time, the wallet, and seeds, which stay secret."""

    at_ms: int
    balance_chips: int
    server_seed: str
    """The one whose hash the session shows."""
    fresh_seed: str
    """A new one, which becomes the next when the session rotates."""

    def __repr__(self) -> str:
        return f"Inputs(at_ms={self.at_ms}, balance_chips={self.balance_chips}, <seeds>)"


class Session(Summary, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A player's session. `round` is the one that runs or, until the next bet, the last one; None before the first."""

    round: Round | None = None

    @property
    def running(self) -> Round | None:
        return None if self.round is None or self.round.over else self.round

    @property
    def summary(self) -> Summary:
        return Summary(**{name: getattr(self, name) for name in Summary.__struct_fields__})


class Movement(msgspec.Struct, frozen=True):
    """Chips that come to an account, or leave it."""

    account: str
    chips: int


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a command: the next session and what must be written together with its entry."""

    session: Session
    entry: Entry
    movements: tuple[Movement, ...] = ()
    """They sum to zero, with one movement an account."""
    keep: tuple[str, ...] = ()
    """Server seeds that are committed to from now on."""
    forget: tuple[str, ...] = ()
    """Hashes of server seeds that are no secret any more."""

    def __repr__(self) -> str:
        return f"Done({type(self.entry).__name__}, version={self.session.version}, movements={self.movements})"


def wallet(person: str) -> str:
    return f"wallet:{person}"


def table(person: str) -> str:
    """The name under which a person's session is kept."""
    return f"casino:{person}"


def stakes(person: str) -> str:
    """The account of the chips that a person has on the table."""
    return f"table:{table(person)}"


def opened(person: str, granted_chips: int, seeds: tuple[str, str], at_ms: int, balance_chips: int) -> Done:
    """A first session: chips of the house to begin with, and two server seeds, the first one and the next."""
    first, following = (commitment(seed) for seed in seeds)
    entry = Opened(
        at_ms=at_ms,
        balance_chips=balance_chips,
        person=person,
        granted_chips=granted_chips,
        server_seed_hash=first,
        next_server_seed_hash=following,
    )
    moved = _movements(person, wallet=granted_chips, stakes=0, house=-granted_chips)
    return Done(session=_begun(entry), entry=entry, movements=moved, keep=seeds)


def handle(session: Session, command: Command, inputs: Inputs) -> Done | Refusal:
    """Does a command. A refusal leaves the session as it was."""
    assert commitment(inputs.server_seed) == session.server_seed_hash, "the seed is not the one that was committed to"
    entry = _entry(session, command, inputs)
    done = _step(session, entry, inputs.server_seed)
    if isinstance(done, Done) and isinstance(entry, Rotated):
        return replace(done, keep=(inputs.fresh_seed,))
    return done


def replay(log: Sequence[Entry], seeds: Iterable[str]) -> Session:
    """The session that a log tells of, from its first entry or from a checkpoint; `seeds` are the unrevealed ones.

    Raises LogError when the log or a seed is not whole.
    """
    sessions = deque(_replayed(log, seeds), maxlen=1)
    if not sessions:
        raise LogError("the log is empty")
    return sessions[0]


def records(log: Sequence[Entry], seeds: Iterable[str]) -> Iterator[Record]:
    """The record of every round that is over, in order. A server seed stands in it once it was revealed.

    Raises LogError like `replay`.
    """
    revealed = {commitment(entry.server_seed): entry.server_seed for entry in log if isinstance(entry, Rotated)}
    told = 0
    for session in _replayed(log, seeds):
        played = session.round
        if played is not None and played.over and session.rounds > told:
            told = session.rounds
            proofs = (
                replace(
                    proof,
                    server_seed=revealed.get(proof.server_seed_hash),
                    next_server_seed_hash=session.next_server_seed_hash,
                )
                for proof in played.proofs
            )
            yield record(played, tuple(proofs))


def _replayed(log: Sequence[Entry], seeds: Iterable[str]) -> Iterator[Session]:
    revealed = (entry.server_seed for entry in log if isinstance(entry, Rotated))
    known = {commitment(seed): seed for seed in (*seeds, *revealed)}
    session: Session | None = None
    for entry in log:
        if isinstance(entry, Opened):
            if session is not None:
                raise LogError("a session begins twice")
            session = _begun(entry)
        else:
            if session is None:
                session = _resumed(entry)
            if session.server_seed_hash not in known:
                raise LogError(f"the server seed with the hash {session.server_seed_hash} is missing")
            done = _step(session, entry, known[session.server_seed_hash])
            if isinstance(done, Refusal):
                raise LogError(f"entry {session.version + 1} is refused: {done.code}")
            session = done.session
        yield session


def _begun(entry: Opened) -> Session:
    return Session(
        person=entry.person,
        version=1,
        balance_chips=entry.balance_chips + entry.granted_chips,
        server_seed_hash=entry.server_seed_hash,
        next_server_seed_hash=entry.next_server_seed_hash,
    )


def _resumed(entry: Entry) -> Session:
    if not isinstance(entry, BetPlaced) or entry.before is None:
        raise LogError("the log does not begin with an opening or a checkpoint")
    return Session(**{name: getattr(entry.before, name) for name in Summary.__struct_fields__})


def _entry(session: Session, command: Command, inputs: Inputs) -> Entry:
    at_ms, balance_chips = inputs.at_ms, inputs.balance_chips
    match command:
        case Bet(rules, amount, client_seed):
            return BetPlaced(
                at_ms=at_ms,
                balance_chips=balance_chips,
                game=rules.game,
                edition=rules.edition,
                rules=msgspec.Raw(msgspec.json.encode(rules)),
                amount=amount,
                client_seed=client_seed,
                before=session.summary if session.version - session.checkpoint >= CHECKPOINT_ENTRIES else None,
            )
        case Play(action):
            encoded = msgspec.Raw(msgspec.json.encode(action))
            return Played(at_ms=at_ms, balance_chips=balance_chips, action=encoded)
        case Rotate():
            return Rotated(
                at_ms=at_ms,
                balance_chips=balance_chips,
                server_seed=inputs.server_seed,
                next_server_seed_hash=commitment(inputs.fresh_seed),
            )
        case Refill(chips):
            return Refilled(at_ms=at_ms, balance_chips=balance_chips, granted_chips=chips)


def _step(session: Session, entry: Entry, server_seed: str) -> Done | Refusal:
    match entry:
        case BetPlaced():
            return _bet(session, entry, server_seed)
        case Played():
            return _play(session, entry)
        case Rotated():
            return _rotate(session, entry)
        case Refilled():
            return _refill(session, entry)
        case Opened():
            raise AssertionError("a session is opened once, by `opened`")


def _bet(session: Session, entry: BetPlaced, server_seed: str) -> Done | Refusal:
    if session.running is not None:
        return Refusal(SessionCode.GAME_IN_PROGRESS)
    refusal = _check_client_seed(session, entry.client_seed)
    if refusal is not None:
        return refusal
    rules = _rules(entry)
    # The limits are asked of a purse that can pay anything, so that a bet out of range is not called too dear.
    rich = _opened_round(rules, PURSE_NEVER_SHORT)
    action = rich.menu(SEAT)[0].choose(entry.amount)
    refusal = rich.act(action, SEAT).refusal
    if refusal is not None:
        return refusal
    available = max(0, entry.balance_chips)
    if entry.amount > available:
        return Refusal(SessionCode.INSUFFICIENT_FUNDS, {"needed": entry.amount, "available": available})
    paired = _paired(session, entry.client_seed)
    begun = _opened_round(rules, available, Seeds(server_seed, entry.client_seed, paired.nonce))
    dealt = begun.act(action, SEAT)
    assert dealt.refusal is None
    dealt_session = replace(
        paired,
        nonce=paired.nonce + 1,
        rounds=paired.rounds + 1,
        checkpoint=paired.checkpoint if entry.before is None else paired.version + 1,
    )
    return _played(dealt_session, entry, begun, dealt)


def _play(session: Session, entry: Played) -> Done | Refusal:
    running = session.running
    if running is None:
        return Refusal(SessionCode.GAME_NOT_INROUND)
    action = _decoded(entry.action, GAMES[running.rules.game].action)
    acted = running.act(action, SEAT)
    if acted.refusal is not None:
        return acted.refusal
    return _played(session, entry, running, acted)


def _rotate(session: Session, entry: Rotated) -> Done | Refusal:
    """Refused while a round runs, whose undealt cards the seed would show, and before the first bet on the seed: then
    the seed has nothing to prove, and the commitment announced for the next rounds would be skipped."""
    if session.running is not None:
        return Refusal(SessionCode.GAME_IN_PROGRESS)
    if not session.pairs:
        return Refusal(SessionCode.NOTHING_TO_REVEAL)
    history = tuple(
        replace(settled, server_seed=entry.server_seed)
        if settled.server_seed_hash == session.server_seed_hash
        else settled
        for settled in session.history
    )
    rotated = replace(
        session,
        version=session.version + 1,
        balance_chips=entry.balance_chips,
        server_seed_hash=session.next_server_seed_hash,
        next_server_seed_hash=entry.next_server_seed_hash,
        client_seed=None,
        nonce=0,
        pairs=0,
        history=history,
    )
    return Done(session=rotated, entry=entry, forget=(session.server_seed_hash,))


def _refill(session: Session, entry: Refilled) -> Done | Refusal:
    if session.running is not None:
        return Refusal(SessionCode.GAME_IN_PROGRESS)
    if entry.balance_chips > 0:
        return Refusal(SessionCode.WALLET_NOT_EMPTY, {"available": entry.balance_chips})
    chips = entry.granted_chips
    filled = replace(session, version=session.version + 1, balance_chips=entry.balance_chips + chips)
    moved = _movements(session.person, wallet=chips, stakes=0, house=-chips)
    return Done(session=filled, entry=entry, movements=moved)


def _check_client_seed(session: Session, client_seed: str) -> Refusal | None:
    if check_client_seed(client_seed):
        facts = {"length": len(client_seed), "low": CLIENT_SEED_CHARACTERS_MIN, "high": CLIENT_SEED_CHARACTERS_MAX}
        return Refusal(SessionCode.BAD_CLIENT_SEED, dict(facts))
    if client_seed == session.client_seed:
        return None
    if _fingerprint(client_seed) in session.used:
        return Refusal(SessionCode.CLIENT_SEED_USED)
    if session.pairs >= CLIENT_SEEDS_PER_SERVER_SEED_MAX:
        return Refusal(SessionCode.ROTATE_SEED_FIRST, {"most": CLIENT_SEEDS_PER_SERVER_SEED_MAX})
    return None


def _paired(session: Session, client_seed: str) -> Session:
    """The session with this client seed: the pair that was, or a new one."""
    if client_seed == session.client_seed:
        return session
    used = (*session.used, _fingerprint(client_seed))[-CLIENT_SEEDS_REMEMBERED_MAX:]
    return replace(session, client_seed=client_seed, nonce=0, pairs=session.pairs + 1, used=used)


def _fingerprint(client_seed: str) -> str:
    return sha256(client_seed.encode()).hexdigest()[:32]


def _rules(entry: BetPlaced) -> AnyRules:
    game = GAMES.get(entry.game)
    if game is None or game.rules.edition != entry.edition:
        raise LogError(f"the rules {entry.game}/{entry.edition} are unknown")
    rules: AnyRules = _decoded(entry.rules, game.rules)
    return rules


def _decoded(raw: msgspec.Raw, kind: Any) -> Any:
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.DecodeError as error:
        raise LogError(str(error)) from error


def _opened_round(rules: AnyRules, purse_chips: int, seeds: Seeds | None = None) -> Round:
    return begin(rules, replace(rules.setup(1), purses=(purse_chips,)), seeds)


def _played(session: Session, entry: Entry, before: Round, after: Round) -> Done | Refusal:
    """The session after a step of its round. A stake that the wallet cannot pay is refused, whatever the round's purse
    says and whatever the stake would have won: chips may have left the wallet since the bet."""
    raised = _staked(after) - _staked(before)
    if raised > max(0, entry.balance_chips):
        facts = {"needed": raised, "available": max(0, entry.balance_chips)}
        return Refusal(SessionCode.INSUFFICIENT_FUNDS, dict(facts))
    was, now = _piles(before), _piles(after)
    wallet_chips, stakes_chips, house_chips = (new - old for old, new in zip(was, now, strict=True))
    next_session = replace(
        session, version=session.version + 1, balance_chips=entry.balance_chips + wallet_chips, round=after
    )
    if after.over:
        history = (*session.history, _settled(next_session, after, entry.at_ms))
        next_session = replace(next_session, history=history[-HISTORY_ROUNDS_MAX:])
    moved = _movements(session.person, wallet=wallet_chips, stakes=stakes_chips, house=house_chips)
    return Done(session=next_session, entry=entry, movements=moved)


def _staked(played: Round) -> int:
    """All that the player has put on the table in this round, also after it is over."""
    seat = played.view(SEAT).seats[SEAT]
    staked: int = sum(hand.bet for hand in seat.hands) + seat.insurance
    return staked


def _piles(played: Round) -> tuple[int, int, int]:
    """The purse, the stakes and what the house has won."""
    purse, *staked, house = played.rules.chips(played.state)
    return purse, sum(staked), house


def _settled(session: Session, played: Round, at_ms: int) -> Settled:
    proof = played.proofs[0]
    return Settled(
        round_id=session.rounds,
        at_ms=at_ms,
        staked=_staked(played),
        final_payout=played.view(SEAT).seats[SEAT].final_payout,
        server_seed_hash=proof.server_seed_hash,
        client_seed=proof.client_seed,
        nonce=proof.nonce,
    )


def _movements(person: str, **chips: int) -> tuple[Movement, ...]:
    assert sum(chips.values()) == 0, "chips neither come from nowhere nor go there"
    accounts = {"wallet": wallet(person), "stakes": stakes(person), "house": HOUSE}
    return tuple(Movement(accounts[name], amount) for name, amount in chips.items() if amount)
