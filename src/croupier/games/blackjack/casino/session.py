"""One player and the house: rounds paid from a wallet and dealt by `shuffle-1`, as one value that each command turns
into the next.

The session holds to the order of `shuffle-1`. It has the hash of a server seed before the first bet on that seed, and
the hash of the next seed as well. Only `Rotate` reveals a seed; a player may ask for it whenever no round runs, also
right after a round. The rounds on a seed can be downloaded before it is revealed, and verify completely afterwards. The
client seed may change with every bet. A new pair of seeds starts with nonce 0; a pair used before continues with its
next nonce. A client seed is not accepted again with another server seed: a seed that was known before the commitment
proves nothing.

The log has entries without secrets. `handle` makes the next entry, and `replay` makes the session from a log; both go
through the same step, so they cannot differ. Every command brings the balance of the wallet, in whole units of the
ledger. A session in an older edition of the ledger stays in it until its round is over, and is then converted.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

import msgspec
from msgspec.structs import replace

from croupier.dealing.seeds import commitment
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
from croupier.games.blackjack.rules.actions import BlackjackAction
from croupier.games.blackjack.rules.rules import BlackjackRules
from croupier.table.record import Record, record

CHECKPOINT_ENTRIES: Final = 100
"""After this many entries the next bet carries a summary of all before it, so that a replay can begin there."""


class Bet(msgspec.Struct, frozen=True):
    """Begin a round by these rules with a bet."""

    rules: BlackjackRules
    amount: int
    client_seed: str


class Play(msgspec.Struct, frozen=True):
    """Act in the running round."""

    action: BlackjackAction


class Rotate(msgspec.Struct, frozen=True):
    """Reveal the server seed and go on with the one announced."""


class Refill(msgspec.Struct, frozen=True):
    """Take another grant from the house, once the wallet cannot pay a single chip."""

    units: int


class Convert(msgspec.Struct, frozen=True):
    """Convert the wallet to the present edition of the ledger."""


Command: TypeAlias = Bet | Play | Rotate | Refill | Convert


class Inputs(msgspec.Struct, frozen=True, kw_only=True):
    """What a command needs from outside: the time, the balance of the wallet, and seeds, which stay secret."""

    at_ms: int
    balance_units: int
    server_seed: str
    """The one whose hash the session shows."""
    fresh_seed: str
    """A new seed, which becomes the next one when the session rotates."""

    def __repr__(self) -> str:
        return f"Inputs(at_ms={self.at_ms}, balance_units={self.balance_units}, <seeds>)"


def opened(person: str, granted_units: int, seeds: tuple[str, str], at_ms: int, balance_units: int) -> Done:
    """A new session: a grant from the house, and two server seeds, the first and the next."""
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
    """The movements on a session's accounts when it is opened."""
    return movements(begun(entry), wallet=entry.granted_units, stakes=0, house=-entry.granted_units)


def handle(session: Session, command: Command, inputs: Inputs) -> Done | Refusal:
    """Apply a command. A refusal leaves the session as it was."""
    if commitment(inputs.server_seed) != session.server_seed_hash:
        raise ValueError("the seed is not the one that was committed to")
    entry = _entry(session, command, inputs)
    done = step(session, entry, inputs.server_seed)
    if isinstance(done, Done) and isinstance(entry, Rotated):
        return replace(done, keep=(inputs.fresh_seed,))
    return done


def replay(log: Sequence[Entry], seeds: Iterable[str]) -> Session:
    """The session of a log, from its first entry or from a checkpoint; `seeds` are the unrevealed ones.

    Raises LogError when the log is damaged or a seed is missing.
    """
    sessions = deque(_replayed(log, seeds), maxlen=1)
    if not sessions:
        raise LogError("the log is empty")
    return sessions[0]


def records(log: Sequence[Entry], seeds: Iterable[str]) -> Iterator[Record]:
    """The record of every round that is over, in order. It has the server seed once that was revealed.

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
                rules=rules,
                amount=amount,
                client_seed=client_seed,
                before=session.summary if session.version - session.checkpoint >= CHECKPOINT_ENTRIES else None,
            )
        case Play(action):
            return Played(at_ms=at_ms, balance_units=balance_units, action=action)
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
