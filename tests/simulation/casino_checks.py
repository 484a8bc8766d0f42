"""What must hold of every casino session when a seed is over."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec.structs import replace

from croupier.dealing.seeds import commitment
from croupier.games.blackjack import CASINO, BlackjackRules
from croupier.games.blackjack.casino import session as table
from croupier.games.blackjack.casino import step as accounts
from croupier.games.blackjack.casino.log import BetPlaced, LogError, Opened, Played, Refilled, Rotated
from croupier.games.blackjack.casino.step import Session
from croupier.server.casino_state import game_state, passed_through
from croupier.wire.casino import amount_of, units_of
from croupier.wire.casino_log import read_entry
from croupier.wire.records import line, verify
from tests.simulation.audit import Acknowledged, decoded
from tests.simulation.chips import owed
from tests.simulation.database import at_once

if TYPE_CHECKING:
    from tests.simulation.scene import Scene

SESSIONS: Final = accounts.table_name("")
RULES: Final[BlackjackRules] = replace(CASINO, bet_min=100, bet_max=100 * CASINO.bet_max)
PASSING: Final = ("dealing", "dealer", "finished")
TOLD: Final = ("status", "playerHands", "dealerHand", "betAmount", "insurance", "seeds", "roundId", "clientSeed")


def faults(scene: "Scene") -> Iterator[tuple[str, str]]:
    """Broken invariants, each with how."""
    logs: dict[str, list[Any]] = {}
    for _, _, append in scene.database.journal:
        if append.table.startswith(SESSIONS):
            logs.setdefault(append.table, []).append(read_entry(append.record))
    for name, log in logs.items():
        person = name.removeprefix(SESSIONS)
        seeds = [seed.decode() for seed in at_once(scene.database.memory.secrets(name)).values()]
        try:
            sessions = list(table._replayed(log, seeds))
        except LogError as error:
            yield "what is stored can be replayed", f"{name}: {error}"
            continue
        # Should the store fail just when a revealed seed is to be forgotten, it stays, which harms nobody.
        revealed = {entry.server_seed for entry in log if isinstance(entry, Rotated)}
        yield from (("chips are neither made nor lost", fault) for fault in _wallet(scene, person, log, sessions))
        yield from (("everybody is told what the records say", fault) for fault in _told(scene, person, sessions))
        yield from (("nobody learns what they may not know", fault) for fault in _hole_cards(scene, person, sessions))
        yield from (("every acknowledged command is there exactly once", fault) for fault in _done(scene, name, log))
        yield from (("no secret reaches anybody", fault) for fault in _seeds(scene, person, set(seeds) - revealed))
        yield from (("records verify", fault) for fault in _proofs(name, log, seeds))


def _wallet(scene: "Scene", person: str, log: list[Any], sessions: list[Session]) -> Iterator[str]:
    """Granted chips and what every round owed: that is what the wallet and the stakes must hold."""
    wallet = sum(entry.granted_units for entry in log if isinstance(entry, Opened | Refilled))
    stakes, settled = 0, 0
    for session in sessions:
        played = session.round
        if played is not None and played.over and session.rounds > settled:
            settled = session.rounds
            seat = played.state.seats[0]
            wallet += owed(played.rules, played.state, 0) - sum(hand.bet for hand in seat.hands) - seat.insurance
    running = sessions[-1].running
    if running is not None:
        seat = running.state.seats[0]
        stakes = sum(hand.bet for hand in seat.hands) + seat.insurance
    memory = scene.database.memory
    held = at_once(memory.balance(accounts.wallet(person))), at_once(memory.balance(accounts.stakes(person)))
    if held != (wallet - stakes, stakes):
        yield f"{person} has {held} in wallet and stakes, and should have {(wallet - stakes, stakes)}"
    if sessions[-1].balance_units != held[0]:
        yield f"the session of {person} says {sessions[-1].balance_units}, the ledger {held[0]}"


def _told(scene: "Scene", person: str, sessions: list[Session]) -> Iterator[str]:
    for told in _game_states(scene, person, len(sessions)):
        version = told["version"]
        session = sessions[version - 1]
        states = [game_state(session, RULES, session.balance_units)]
        if told["status"] in PASSING:
            states = list(passed_through(sessions[version - 2], session, RULES))
        should = [decoded(msgspec.json.encode(state)) for state in states if state.status == told["status"]]
        wrong = [
            {name: (told.get(name), each.get(name)) for name in TOLD if told.get(name) != each.get(name)}
            for each in should
        ]
        if not should or any(wrong):
            yield f"{person} was told in version {version}, and should have been: {str(wrong)[:300]}"
        # The wallet is asked after the session was read: by then it may be ahead, but never behind.
        balances = [amount_of(after.balance_units) for after in sessions[version - 1 :]]
        if told["balance"] not in (balances + [each["balance"] for each in should]):
            yield f"{person} was told a balance of {told['balance']} in version {version}"


def _hole_cards(scene: "Scene", person: str, sessions: list[Session]) -> Iterator[str]:
    for told in _game_states(scene, person, len(sessions)):
        running = sessions[told["version"] - 1].running
        hidden = running is not None and running.state.hole is not None
        if hidden and len(told["dealerHand"]["cards"]) > 1:
            yield f"{person} was shown the hole card in version {told['version']}"


def _game_states(scene: "Scene", person: str, versions: int) -> Iterator[Any]:
    for text in scene.audit.others.get(person, ()):
        if text.startswith(b'{"type":"BLACKJACK_GAME_STATE"') and (told := decoded(text))["version"] <= versions:
            yield told


def _done(scene: "Scene", name: str, log: list[Any]) -> Iterator[str]:
    for told in scene.audit.acknowledged.values():
        if told.table == name and not _is_there(told, log[told.version - 1]):
            yield f"{told.text[:200]} was acknowledged as version {told.version}, where {log[told.version - 1]} stands"


def _is_there(told: Acknowledged, entry: Any) -> bool:
    asked = decoded(told.text)
    match entry:
        case BetPlaced(amount=amount, client_seed=seed):
            return (asked["type"], units_of(asked["amount"]), asked["clientSeed"]) == ("PLACE_BET", amount, seed)
        case Played(action=action):
            return bool(msgspec.to_builtins(action)["type"] == asked["type"])
        case Rotated():
            return bool(asked["type"] == "BLACKJACK_ROTATE_SEED")
    return bool(asked["type"] == "WALLET_REFILL")


def _seeds(scene: "Scene", person: str, seeds: set[str]) -> Iterator[str]:
    """What is still secret was never told, to nobody."""
    everything = b"\n".join(text for frames in scene.audit.others.values() for text in frames)
    yield from (f"somebody was told a server seed of {person}" for seed in seeds if seed.encode() in everything)


def _proofs(name: str, log: list[Any], seeds: list[str]) -> Iterator[str]:
    """The rounds verify as they will when the last seed is revealed."""
    hashes = {commitment(seed): seed for seed in seeds}
    lines = []
    for entry in table.records(log, seeds):
        shown = [
            replace(proof, server_seed=hashes.get(proof.server_seed_hash, proof.server_seed)) for proof in entry.proofs
        ]
        lines.append(line(replace(entry, proofs=tuple(shown))))
    if lines:
        yield from (f"{name} line {number}: {finding}" for number, finding in verify(lines).findings)
