"""The check of one `cut-2` deal in a record: fixed for this round and no other, then cut by everybody, or void."""

from collections.abc import Sequence
from typing import Any

import msgspec

from croupier.dealing import canonical, cut2
from croupier.dealing.cut2 import Context
from croupier.dealing.findings import Finding, fact, shown
from croupier.dealing.proof import Cut2Proof
from croupier.dealing.shuffle import PACK_CARDS_MAX
from croupier.game.game import AnyRules, Game
from croupier.game.refusal import OptionError
from croupier.game.registry import GAMES, written_name
from croupier.table.deal_faults import DealFault
from croupier.table.deals import packs_of, plain_moves
from croupier.table.mirror import MirrorError, read_rules, read_setup
from croupier.table.room import is_open_table
from croupier.table.round import ABSENT, Move, Round, begin
from croupier.table.verdict import RecordFault


class Start(msgspec.Struct, frozen=True):
    """The round that a deal was fixed for, read from its context."""

    game: Game
    rules: AnyRules
    match: int
    setup: Any
    moves: list[Any]
    """The moves before the deal, as plain values."""


class CheckedDeal(msgspec.Struct, frozen=True):
    """A deal in a record, and what everybody can compute from it."""

    proof: Cut2Proof
    seal: str
    cut: str | None
    """The result of the cuts; None for a void deal."""
    start: Start
    round_moves: int
    """How many moves the round had when the deal was fixed."""
    dealt_in: tuple[int, ...]
    everybody_needed: bool
    """Whether the game has no deal without one of its seats."""

    @property
    def number(self) -> int:
        return self.proof.context.deal

    @property
    def place(self) -> tuple[int, int]:
        """Hand and shuffle."""
        return self.proof.context.hand, self.proof.context.shuffle


class DealCheckError(ValueError):
    """A deal that cannot be checked further. `finding` says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.code)
        self.finding = finding


def fault(code: str, /, **facts: int | str) -> Finding:
    return Finding(code, dict(facts))


def read_start(context: Context) -> Start:
    """Read the round that the deal was fixed for. Raises DealCheckError if that is impossible."""
    faults = cut2.check_context(context)
    if faults:
        raise DealCheckError(faults[0])
    rules = canonical.read(context.rules)
    game = GAMES.get(rules.get("game", "") if isinstance(rules, dict) else "")
    if game is None:
        raise DealCheckError(fault(RecordFault.DEAL_DIFFERS, deal=context.deal, field="rules"))
    start = canonical.read(context.setup)
    if not isinstance(start, dict) or set(start) != {"match", "setup", "moves"}:
        raise DealCheckError(fault(RecordFault.DEAL_DIFFERS, deal=context.deal, field="setup"))
    if type(start["match"]) is not int or not isinstance(start["moves"], list):
        raise DealCheckError(fault(RecordFault.DEAL_DIFFERS, deal=context.deal, field="setup"))
    try:
        read = read_rules(game, rules)
        if rules["game"] != written_name(game.name, read.edition):
            raise DealCheckError(fault(RecordFault.DEAL_DIFFERS, deal=context.deal, field="rules"))
        return Start(game, read, start["match"], read_setup(game, start["setup"]), list(start["moves"]))
    except MirrorError as error:
        raise DealCheckError(Finding(error.code, dict(error.facts))) from error


def round_at(start: Start) -> Round:
    """The round that waits for the deal. Raises DealCheckError if the rules do not lead there."""
    try:
        now = begin(start.rules, start.setup)
    except OptionError as error:
        raise DealCheckError(fault(RecordFault.SETUP_REFUSED, code=error.refusal.code)) from error
    for number, raw in enumerate(start.moves):
        now = redone(now, start.game, raw, number)
    return now


def redone(now: Round, game: Game, raw: Any, number: int) -> Round:
    """The round after a move in plain values. Raises DealCheckError for one that the rules refuse."""
    seat = raw.get("seat") if isinstance(raw, dict) else None
    if type(seat) is not int or set(raw) != {"seat", "action"}:
        raise DealCheckError(fault(RecordFault.ACTION_MALFORMED, move=number, fault="$"))
    action = raw["action"]
    if action is not None and action != ABSENT:
        try:
            action = msgspec.convert(action, game.action)
        except msgspec.ValidationError as error:
            raise DealCheckError(fault(RecordFault.ACTION_MALFORMED, move=number, fault=shown(str(error)))) from error
        if now.wants is not None:
            raise DealCheckError(
                fault(RecordFault.ACTION_REFUSED, move=number, seat=fact(seat), code="NOT_BETWEEN_ROUNDS")
            )
    moved = now.redo(Move(seat, action))
    if moved.refusal is not None:
        raise DealCheckError(fault(RecordFault.ACTION_REFUSED, move=number, seat=fact(seat), code=moved.refusal.code))
    return moved


def check_deal(now: Round, proof: Cut2Proof, shuffle: int, start: Start) -> list[Finding]:
    """Whether the deal was fixed for exactly this: the round that waits for its `shuffle`-th pack."""
    context, deal = proof.context, proof.context.deal
    wanted = now.wants
    assert wanted is not None
    before = () if shuffle else now.moves
    says: dict[str, bool] = {
        "rules": start.rules == now.rules,
        "setup": start.setup == now.setup,
        "moves": start.moves == plain_moves(before),
        "shuffle": context.shuffle == shuffle,
    }
    found = [fault(RecordFault.DEAL_DIFFERS, deal=deal, field=field) for field, good in says.items() if not good]
    if context.pack != canonical.write([str(card) for card in wanted.pack]):
        found.append(fault(DealFault.PACK_MISMATCH, deal=deal))
    if context.packs != packs_of(now.rules):
        found.append(fault(DealFault.PACKS_MISMATCH, deal=deal, packs=context.packs, expected=packs_of(now.rules)))
    dealt_in = now.rules.dealt_in(now.state)
    for cutter in context.cutters:
        if cutter.seat not in dealt_in:
            found.append(fault(RecordFault.CUTTER_NOT_DEALT_IN, deal=deal, seat=cutter.seat))
    return found


def check_void(proof: Cut2Proof) -> list[Finding]:
    """Whether somebody was missing and everybody else's cut is there, each as promised, and all secrets are shown."""
    context, deal = proof.context, proof.context.deal
    found: list[Finding] = []
    gave = [cut.seat for cut in proof.cuts]
    missing = list(proof.missing)
    if not missing:
        found.append(fault(DealFault.VOID_FOR_NOBODY, deal=deal))
    for seat in sorted(set(missing) & set(gave)):
        found.append(fault(DealFault.VOID_WITH_CUT, deal=deal, seat=seat))
    listed = [cutter.seat for cutter in context.cutters]
    if sorted((*missing, *gave)) != listed or missing != sorted(missing) or gave != sorted(gave):
        found.append(fault(DealFault.CUT_LEFT_OUT, deal=deal))
    if proof.openings:
        found.append(fault(RecordFault.DEAL_DIFFERS, deal=deal, field="openings"))
    roots = cut2.check_roots(context, proof.roots)
    found += (*roots, *cut2.check_given(context, proof.cuts))
    if not roots:
        hashed = cut2.context_hash(context)
        found += cut2.check_secrets(hashed, proof.roots, _pack(context), proof.secrets, None)
    return found


def _pack(context: Context) -> Sequence[str]:
    pack = canonical.read(context.pack)
    if not isinstance(pack, list) or not 1 <= len(pack) <= PACK_CARDS_MAX or not all(type(c) is str for c in pack):
        raise DealCheckError(fault(DealFault.PACK_MISMATCH, deal=context.deal))
    return pack


def checked_deal(now: Round, proof: Cut2Proof, start: Start) -> CheckedDeal:
    """What everybody can compute of a deal whose context and roots can be read."""
    seal = cut2.seal_of(cut2.context_hash(proof.context), proof.roots)
    void = proof.is_void or bool(cut2.check_cuts(proof.context, proof.cuts))
    cut = None if void else cut2.cut_of(seal, proof.cuts).hex()
    return CheckedDeal(
        proof, seal.hex(), cut, start, len(now.moves), now.rules.dealt_in(now.state), needs_everybody(now)
    )


def needs_everybody(now: Round) -> bool:
    """Whether the game has no deal without one of its seats."""
    seats = now.rules.dealt_in(now.state)
    return not is_open_table(now.rules) and all(now.exclude(seat).refusal is not None for seat in seats)
