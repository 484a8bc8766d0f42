"""Locks: fixed frequencies for hands at a decision, read from TOML and passed to the solver.

[[lock]]
path = "check"                # "" is the first decision
hands = "AA,AKs"              # without it, all hands
frequencies = { check = 0.25, "bet 50" = 0.75 }
"""

import tomllib
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from croupier.lab.poker.ranges import parse
from croupier.lab.poker.solver import regrets
from croupier.lab.poker.solver.betting import Kind
from croupier.lab.poker.solver.errors import SolveError
from croupier.lab.poker.solver.solver import LockedHands, Solver
from croupier.lab.poker.solver.spot import Lock, Setting
from croupier.lab.poker.solver.walk import Place, combination_places, walk

SUM_TOLERANCE: Final = 1e-6
FILE_BYTES_MAX: Final = 10_000_000


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    lock: tuple[Lock, ...] = ()


def read_locks(path: Path) -> tuple[Lock, ...]:
    """The locks of a TOML file. Raises SolveError that says what is wrong with it."""
    try:
        if path.stat().st_size > FILE_BYTES_MAX:
            raise SolveError("SOLVE_LOCK_FILE", file=str(path), reason=f"> {FILE_BYTES_MAX} bytes")
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), _File).lock
    except OSError as error:
        raise SolveError("SOLVE_LOCK_FILE", file=str(path), reason=error.strerror or str(error)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise SolveError("SOLVE_LOCK_FILE", file=str(path), reason=str(error)) from None


def apply_locks(solver: Solver, case: Setting) -> None:
    """Fix the solver to the locks of its spot. Raises SolveError that names the first lock that does not fit."""
    found = LockedHands(solver.layout.decision_count)
    for lock in case.spot.locks:
        place = walk(solver, case, lock.path)
        if place.point.kind is not Kind.DECISION:
            raise SolveError("SOLVE_LOCK_PLACE", path=lock.path)
        decision = int(regrets.decision_at(solver.tree, solver.deal, place.block, place.board, place.spot))
        frequencies = _frequencies(lock, place)
        for hand in _hands(lock, case, place):
            found.add(decision, hand, frequencies)
    solver.lock(found)


def _frequencies(lock: Lock, place: Place) -> list[float]:
    actions = place.point.actions
    named = {" ".join(name.lower().split()): share for name, share in lock.frequencies.items()}
    for name in named:
        if name not in actions:
            raise SolveError("SOLVE_PATH_ACTION", step=name, actions=actions)
    shares = [named.get(action, 0.0) for action in actions]
    if not all(0 <= share <= 1 for share in shares) or abs(sum(shares) - 1) > SUM_TOLERANCE:
        raise SolveError("SOLVE_LOCK_SUM", path=lock.path, sum=float(np.sum(shares)))
    return shares


def _hands(lock: Lock, case: Setting, place: Place) -> list[int]:
    player = place.point.player
    numbers = combination_places(case, player)
    if not lock.hands.strip():
        return place.hands[player].tolist()
    wanted = parse(lock.hands).weights
    found = [int(place.hands[player][numbers[pair]]) for pair in wanted if pair in numbers]
    if not found:
        raise SolveError("SOLVE_LOCK_HANDS", path=lock.path, hands=lock.hands)
    return found
