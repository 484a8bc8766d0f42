"""A step of a casino session: an entry of the log makes the next session of the one before, with movements between its
accounts. Commands and replays both come through here, so they cannot differ."""

from enum import StrEnum
from hashlib import sha256
from typing import Final

import msgspec
from msgspec.structs import replace

from croupier.dealing.seeds import CLIENT_SEED_CHARACTERS_MAX, CLIENT_SEED_CHARACTERS_MIN, check_client_seed
from croupier.game.refusal import Refusal
from croupier.games.blackjack.casino.log import (
    CHIP_UNITS,
    LEDGER_EDITION,
    BetPlaced,
    Converted,
    Entry,
    LogError,
    Opened,
    Played,
    Refilled,
    Rotated,
    Settled,
    Summary,
)
from croupier.games.blackjack.rules.actions import BlackjackAction
from croupier.games.blackjack.rules.rules import BlackjackRules
from croupier.table.round import Round, Seeds, begin

SEAT: Final = 0
HOUSE: Final = "house"
HISTORY_ROUNDS_MAX: Final = 20
CLIENT_SEEDS_PER_SERVER_SEED_MAX: Final = 256
CLIENT_SEEDS_REMEMBERED_MAX: Final = 1024
"""Never below the number that one server seed may be used with: a repeated pair of seeds would deal the same cards."""
PURSE_NEVER_SHORT: Final = 2**53 - 1
PLAY_ON: Final = "DECIDE_INSURANCE_FIRST"
"""The refusal of an action that is possible once insurance is declined."""


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
    """Units that come to an account, or leave it if negative."""

    account: str
    units: int


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a command: the next session, and everything that must be written together with its entry."""

    session: Session
    entry: Entry
    movements: tuple[Movement, ...] = ()
    """They sum to zero, with one movement per account."""
    keep: tuple[str, ...] = ()
    """Server seeds that are committed to from now on."""
    forget: tuple[str, ...] = ()
    """Hashes of server seeds that are no longer secret."""

    def __repr__(self) -> str:
        return f"Done({type(self.entry).__name__}, version={self.session.version}, movements={self.movements})"


def table_name(person: str) -> str:
    """The name under which a person's session is kept."""
    return f"casino:{person}"


def wallet(person: str, ledger: int = LEDGER_EDITION) -> str:
    """The account of a person's chips. Each edition of the ledger has accounts of its own: one account, one unit."""
    return _account(f"wallet:{person}", ledger)


def stakes(person: str, ledger: int = LEDGER_EDITION) -> str:
    """The account of what a person has on the table."""
    return _account(f"table:{table_name(person)}", ledger)


def house(ledger: int = LEDGER_EDITION) -> str:
    return _account(HOUSE, ledger)


def _account(name: str, ledger: int) -> str:
    return name if ledger == 1 else f"{name}/{ledger}"


def begun(entry: Opened) -> Session:
    return Session(
        person=entry.person,
        version=1,
        balance_units=entry.balance_units + entry.granted_units,
        server_seed_hash=entry.server_seed_hash,
        next_server_seed_hash=entry.next_server_seed_hash,
        ledger=entry.ledger,
    )


def step(session: Session, entry: Entry, server_seed: str) -> Done | Refusal:
    """Apply an entry. A refusal leaves the session as it was."""
    match entry:
        case BetPlaced():
            return _bet(session, entry, server_seed)
        case Played():
            return _play(session, entry)
        case Rotated():
            return _rotate(session, entry)
        case Refilled():
            return _refill(session, entry)
        case Converted():
            return _convert(session, entry)
        case Opened():
            raise AssertionError("a session is opened once, by `opened`")


def _bet(session: Session, entry: BetPlaced, server_seed: str) -> Done | Refusal:
    if session.running is not None:
        return Refusal(SessionCode.GAME_IN_PROGRESS)
    refusal = _check_client_seed(session, entry.client_seed)
    if refusal is not None:
        return refusal
    rules = _rules(entry)
    # A purse that can pay anything tells the limits, so that a bet out of range is not called too expensive.
    rich = _opened_round(rules, PURSE_NEVER_SHORT)
    action = rich.menu(SEAT)[0].choose(entry.amount)
    refusal = rich.act(action, SEAT).refusal
    if refusal is not None:
        return refusal
    available = max(0, entry.balance_units)
    if entry.amount > available:
        return Refusal(SessionCode.INSUFFICIENT_FUNDS, {"needed": entry.amount, "available": available})
    paired = _paired(session, entry.client_seed)
    begun = _opened_round(rules, available, Seeds(server_seed, entry.client_seed, paired.nonce))
    dealt = begun.act(action, SEAT)
    if dealt.refusal is not None:
        raise LogError(f"a bet that was possible is refused: {dealt.refusal.code}")
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
    acted = running.act(entry.action, SEAT)
    if acted.refusal is not None and acted.refusal.code == PLAY_ON:
        acted = _played_on(running, entry.action)
    if acted.refusal is not None:
        return acted.refusal
    return _played(session, entry, running, acted)


def _played_on(running: Round, action: BlackjackAction) -> Round:
    """Insurance is declined by playing on: the dealer looks, and the action is done unless that ends the round."""
    declined = running.act(running.rules.absent(running.menu(SEAT)), SEAT)
    if declined.over:
        return declined
    acted = declined.act(action, SEAT)
    return acted if acted.refusal is not None else replace(acted, told=declined.told + acted.told)


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
        balance_units=entry.balance_units,
        server_seed_hash=session.next_server_seed_hash,
        next_server_seed_hash=entry.next_server_seed_hash,
        client_seed=None,
        nonce=0,
        pairs=0,
        paused={},
        history=history,
    )
    return Done(session=rotated, entry=entry, forget=(session.server_seed_hash,))


def _refill(session: Session, entry: Refilled) -> Done | Refusal:
    if session.running is not None:
        return Refusal(SessionCode.GAME_IN_PROGRESS)
    if entry.balance_units >= session.chip:
        return Refusal(SessionCode.WALLET_NOT_EMPTY, {"available": entry.balance_units})
    units = entry.granted_units
    filled = replace(session, version=session.version + 1, balance_units=entry.balance_units + units)
    moved = movements(session, wallet=units, stakes=0, house=-units)
    return Done(session=filled, entry=entry, movements=moved)


def _convert(session: Session, entry: Converted) -> Done | Refusal:
    """Empty the wallet of the old edition into the house's account of that edition, and fill the wallet of the new one
    with the same chips, in its own units."""
    if session.running is not None or entry.ledger not in CHIP_UNITS or entry.ledger <= session.ledger:
        return Refusal(SessionCode.GAME_IN_PROGRESS)
    factor = CHIP_UNITS[entry.ledger] // session.chip
    converted = replace(
        session,
        version=session.version + 1,
        balance_units=factor * entry.balance_units,
        round=None,
        history=tuple(
            replace(settled, staked=factor * settled.staked, final_payout=factor * settled.final_payout)
            for settled in session.history
        ),
        ledger=entry.ledger,
    )
    before, after = entry.balance_units, factor * entry.balance_units
    moved = (
        *movements(session, wallet=-before, stakes=0, house=before),
        *movements(converted, wallet=after, stakes=0, house=-after),
    )
    return Done(session=converted, entry=entry, movements=moved)


def _check_client_seed(session: Session, client_seed: str) -> Refusal | None:
    if check_client_seed(client_seed):
        facts = {"length": len(client_seed), "low": CLIENT_SEED_CHARACTERS_MIN, "high": CLIENT_SEED_CHARACTERS_MAX}
        return Refusal(SessionCode.BAD_CLIENT_SEED, dict(facts))
    if client_seed == session.client_seed or _fingerprint(client_seed) in session.paused:
        return None
    if _fingerprint(client_seed) in session.used:
        return Refusal(SessionCode.CLIENT_SEED_USED)
    if session.pairs >= CLIENT_SEEDS_PER_SERVER_SEED_MAX:
        return Refusal(SessionCode.ROTATE_SEED_FIRST, {"most": CLIENT_SEEDS_PER_SERVER_SEED_MAX})
    return None


def _paired(session: Session, client_seed: str) -> Session:
    """The session with this client seed: the same pair of seeds, one that was used before, or a new one."""
    if client_seed == session.client_seed:
        return session
    paused = dict(session.paused)
    if session.client_seed is not None:
        paused[_fingerprint(session.client_seed)] = session.nonce
    fingerprint = _fingerprint(client_seed)
    if fingerprint in paused:
        return replace(session, client_seed=client_seed, nonce=paused.pop(fingerprint), paused=paused)
    used = (*session.used, fingerprint)[-CLIENT_SEEDS_REMEMBERED_MAX:]
    return replace(session, client_seed=client_seed, nonce=0, pairs=session.pairs + 1, paused=paused, used=used)


def _fingerprint(client_seed: str) -> str:
    return sha256(client_seed.encode()).hexdigest()[:32]


def _rules(entry: BetPlaced) -> BlackjackRules:
    rules = entry.rules
    if rules.game != entry.game:
        raise LogError(f"the casino does not deal the game {entry.game}")
    if rules.edition != entry.edition:
        raise LogError(f"a bet of edition {entry.edition} has rules of edition {rules.edition}")
    return rules


def _opened_round(rules: BlackjackRules, purse_chips: int, seeds: Seeds | None = None) -> Round:
    return begin(rules, replace(rules.setup(1), purses=(purse_chips,)), seeds)


def _played(session: Session, entry: Entry, before: Round, after: Round) -> Done | Refusal:
    """The session after a step of its round. A stake that the wallet cannot pay is refused, whatever the round's purse
    says and whatever the stake would have won: chips may have left the wallet since the bet."""
    raised = _staked(after) - _staked(before)
    if raised > max(0, entry.balance_units):
        facts = {"needed": raised, "available": max(0, entry.balance_units)}
        return Refusal(SessionCode.INSUFFICIENT_FUNDS, dict(facts))
    was, now = _piles(before), _piles(after)
    wallet_units, stakes_units, house_units = (new - old for old, new in zip(was, now, strict=True))
    next_session = replace(
        session, version=session.version + 1, balance_units=entry.balance_units + wallet_units, round=after
    )
    if after.over:
        history = (*session.history, _settled(next_session, after, entry.at_ms))
        next_session = replace(next_session, history=history[-HISTORY_ROUNDS_MAX:])
    moved = movements(session, wallet=wallet_units, stakes=stakes_units, house=house_units)
    return Done(session=next_session, entry=entry, movements=moved)


def _staked(played: Round) -> int:
    """Everything the player has staked in this round, also after it is over."""
    seat = played.view(SEAT).seats[SEAT]
    staked: int = sum(hand.bet for hand in seat.hands) + seat.insurance
    return staked


def _piles(played: Round) -> tuple[int, int, int]:
    """The purse, the stakes, and the house's winnings."""
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


def movements(session: Session, **units: int) -> tuple[Movement, ...]:
    """The movements on these accounts of a session, in its units; none for an account that stays as it is."""
    if sum(units.values()) != 0:
        raise ValueError(f"chips neither come from nowhere nor go there: {units}")
    person, ledger = session.person, session.ledger
    accounts = {"wallet": wallet(person, ledger), "stakes": stakes(person, ledger), "house": house(ledger)}
    return tuple(Movement(accounts[name], amount) for name, amount in units.items() if amount)
