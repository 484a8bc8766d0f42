"""One player and the house: rounds on a wallet, dealt by `shuffle-1`, as one value that each command turns into the
next.

The order of `shuffle-1` is kept here. The hash of a server seed is part of the session before the first bet on it, and
so is the hash of the one after. A seed is revealed by `Rotate` only, which a player may ask for whenever no round runs,
so at once after a round as well. Its rounds can be downloaded before that, and verify wholly after it. A client seed
may change with every bet: then a new pair begins, with nonce 0, and one that this server seed has seen before goes on
with its next nonce. Under another server seed it is not taken again: a seed that was known before the commitment
proves nothing.

What happened is a log of entries without secrets. `handle` makes the next entry, and `replay` the session that a log
tells of; both go through the same step, so they cannot differ. What the wallet holds comes in with every command, in
whole units of the ledger. A session of an older edition of the ledger goes on in that one until its round is over, and
is then converted.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.dealing.seeds import commitment
from croupier.game.game import AnyRules
from croupier.game.refusal import Refusal
from croupier.games.blackjack.casino.log import (
    LEDGER_EDITION,
    BetPlaced,
    Converted,
    Entry,
    LogError,
    Opened,
    Played,
    Refilled,
    Rotated,
    Summary,
)
from croupier.games.blackjack.casino.step import Done, Movement, Session, begun, movements, step
from croupier.table.record import Record, record

CHECKPOINT_ENTRIES: Final = 100
"""After so many entries the next bet carries all that came before it, so that a replay can begin there."""


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
    """Takes an amount of the house again, once the wallet cannot pay a single chip."""

    units: int


class Convert(msgspec.Struct, frozen=True):
    """Goes over to the present edition of the ledger."""


Command: TypeAlias = Bet | Play | Rotate | Refill | Convert


class Inputs(msgspec.Struct, frozen=True, kw_only=True):
    """What a command needs from outside: the time, the wallet, and seeds, which stay secret."""

    at_ms: int
    balance_units: int
    server_seed: str
    """The one whose hash the session shows."""
    fresh_seed: str
    """A new one, which becomes the next when the session rotates."""

    def __repr__(self) -> str:
        return f"Inputs(at_ms={self.at_ms}, balance_units={self.balance_units}, <seeds>)"


def opened(person: str, granted_units: int, seeds: tuple[str, str], at_ms: int, balance_units: int) -> Done:
    """A first session: something of the house to begin with, and two server seeds, the first one and the next."""
    first, following = (commitment(seed) for seed in seeds)
    entry = Opened(
        at_ms=at_ms,
        balance_units=balance_units,
        person=person,
        granted_units=granted_units,
        server_seed_hash=first,
        next_server_seed_hash=following,
        ledger=LEDGER_EDITION,
    )
    session = begun(entry)
    return Done(session=session, entry=entry, movements=opened_movements(entry), keep=seeds)


def opened_movements(entry: Opened) -> tuple[Movement, ...]:
    """What comes to a session's accounts when it is opened."""
    return movements(begun(entry), wallet=entry.granted_units, stakes=0, house=-entry.granted_units)


def handle(session: Session, command: Command, inputs: Inputs) -> Done | Refusal:
    """Does a command. A refusal leaves the session as it was."""
    if commitment(inputs.server_seed) != session.server_seed_hash:
        raise ValueError("the seed is not the one that was committed to")
    entry = _entry(session, command, inputs)
    done = step(session, entry, inputs.server_seed)
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
            yield record(played, tuple(proofs), chip=session.chip)


def _replayed(log: Sequence[Entry], seeds: Iterable[str]) -> Iterator[Session]:
    revealed = (entry.server_seed for entry in log if isinstance(entry, Rotated))
    known = {commitment(seed): seed for seed in (*seeds, *revealed)}
    session: Session | None = None
    for entry in log:
        if isinstance(entry, Opened):
            if session is not None:
                raise LogError("a session begins twice")
            session = begun(entry)
        else:
            if session is None:
                session = _resumed(entry)
            if session.server_seed_hash not in known:
                raise LogError(f"the server seed with the hash {session.server_seed_hash} is missing")
            done = step(session, entry, known[session.server_seed_hash])
            if isinstance(done, Refusal):
                raise LogError(f"entry {session.version + 1} is refused: {done.code}")
            session = done.session
        yield session


def _resumed(entry: Entry) -> Session:
    if not isinstance(entry, BetPlaced) or entry.before is None:
        raise LogError("the log does not begin with an opening or a checkpoint")
    return Session(**{name: getattr(entry.before, name) for name in Summary.__struct_fields__})


def _entry(session: Session, command: Command, inputs: Inputs) -> Entry:
    at_ms, balance_units = inputs.at_ms, inputs.balance_units
    match command:
        case Bet(rules, amount, client_seed):
            return BetPlaced(
                at_ms=at_ms,
                balance_units=balance_units,
                game=rules.game,
                edition=rules.edition,
                rules=msgspec.Raw(msgspec.json.encode(rules)),
                amount=amount,
                client_seed=client_seed,
                before=session.summary if session.version - session.checkpoint >= CHECKPOINT_ENTRIES else None,
            )
        case Play(action):
            encoded = msgspec.Raw(msgspec.json.encode(action))
            return Played(at_ms=at_ms, balance_units=balance_units, action=encoded)
        case Rotate():
            return Rotated(
                at_ms=at_ms,
                balance_units=balance_units,
                server_seed=inputs.server_seed,
                next_server_seed_hash=commitment(inputs.fresh_seed),
            )
        case Refill(units):
            return Refilled(at_ms=at_ms, balance_units=balance_units, granted_units=units)
        case Convert():
            return Converted(at_ms=at_ms, balance_units=balance_units, ledger=LEDGER_EDITION)
