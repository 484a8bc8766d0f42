"""Checks records from nothing but their text: commitments, seeds, nonces, every card, every action, every payout.

Each fault is named (`Finding`), with the line it stands on. Nothing in a record makes this raise.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import Any

import msgspec

from croupier.dealing.findings import Finding, shown
from croupier.dealing.history import check_history
from croupier.dealing.proof import Cut1Proof, Proof, cards_of, read_proof
from croupier.dealing.shoe import Shoe
from croupier.rules.game import Game
from croupier.rules.refusal import OptionError
from croupier.rules.registry import GAMES
from croupier.table.record import Record, RecordedMove, rules_name
from croupier.table.round import Round, begin


class RecordFault(StrEnum):
    """What can be wrong with a record besides its proofs."""

    FILE_EMPTY = "FILE_EMPTY"
    RECORD_MALFORMED = "RECORD_MALFORMED"
    GAME_UNKNOWN = "GAME_UNKNOWN"
    EDITION_UNKNOWN = "EDITION_UNKNOWN"
    RULES_MALFORMED = "RULES_MALFORMED"
    SETUP_MALFORMED = "SETUP_MALFORMED"
    SETUP_REFUSED = "SETUP_REFUSED"
    PROOF_MISSING = "PROOF_MISSING"
    PROOF_UNUSED = "PROOF_UNUSED"
    CONTEXT_MISMATCH = "CONTEXT_MISMATCH"
    SHOE_MISMATCH = "SHOE_MISMATCH"
    CARD_UNKNOWN = "CARD_UNKNOWN"
    CARD_MISMATCH = "CARD_MISMATCH"
    CARD_NOT_PROVEN = "CARD_NOT_PROVEN"
    CARD_COUNT_MISMATCH = "CARD_COUNT_MISMATCH"
    ACTION_MALFORMED = "ACTION_MALFORMED"
    ACTION_REFUSED = "ACTION_REFUSED"
    PAYOUT_MISMATCH = "PAYOUT_MISMATCH"
    ROUND_UNFINISHED = "ROUND_UNFINISHED"
    PAYOUTS_MISSING = "PAYOUTS_MISSING"


class Verdict(msgspec.Struct, frozen=True):
    """What a check of some records found. `rounds` are the rounds as replayed, None where that was not possible."""

    rounds: tuple[Round | None, ...]
    findings: tuple[tuple[int, Finding], ...]
    """Each fault with the number of its line, from 1."""

    @property
    def ok(self) -> bool:
        return not self.findings


def verify(lines: Iterable[str | bytes]) -> Verdict:
    """Checks records, one a line, in the order in which they were played. Blank lines are passed over."""
    rounds: list[Round | None] = []
    findings: list[tuple[int, Finding]] = []
    history: list[tuple[int, Proof]] = []
    for number, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        check = _Check()
        rounds.append(check.replay(text))
        findings += [(number, found) for found in check.findings]
        history += [(number, proof) for proof in check.shuffles]
    if not rounds:
        findings.append((1, Finding(RecordFault.FILE_EMPTY)))
    for found in check_history([proof for _, proof in history]):
        place = int(found.facts["proof"])
        findings.append((history[place][0], found))
    return Verdict(tuple(rounds), tuple(sorted(findings, key=lambda entry: entry[0])))


class _Check:
    """The check of one record. What can still be checked after a fault is checked."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.shuffles: list[Proof] = []
        """The proofs of shuffles made for this round; not of a shoe that goes on from the round before."""
        self._unproven: set[int] = set()
        """Places in the deal whose card a sound proof does not tell."""

    def replay(self, text: str | bytes) -> Round | None:
        try:
            record = msgspec.json.decode(text, type=Record)
        except (msgspec.DecodeError, UnicodeError) as error:
            self._fault(RecordFault.RECORD_MALFORMED, fault=shown(str(error)))
            return None
        game = GAMES.get(record.game)
        if game is None:
            self._fault(RecordFault.GAME_UNKNOWN, game=shown(record.game), known=", ".join(GAMES))
            return None
        if record.edition != game.rules.edition:
            self._fault(RecordFault.EDITION_UNKNOWN, edition=shown(record.edition), known=shown(game.rules.edition))
            return None
        rules = self._read(record.rules, game.rules, RecordFault.RULES_MALFORMED)
        setup = self._read(record.setup, game.setup, RecordFault.SETUP_MALFORMED)
        if rules is None or setup is None:
            return None
        try:
            played = begin(rules, setup)
        except OptionError as error:
            self._fault(RecordFault.SETUP_REFUSED, code=error.refusal.code)
            return None
        replayed = self._play(played, game, record)
        if replayed is not None:
            self._compare(replayed, record)
        return replayed

    def _play(self, played: Round, game: Game, record: Record) -> Round | None:
        """Plays all moves; None when the record leaves the rules and nothing more can be said."""
        proofs = list(record.proofs)
        now: Round | None = self._supplied(played, record, proofs)
        for index, move in enumerate(record.moves):
            if now is None or now.wants is not None:
                return None
            moved = self._moved(now, game, move, index)
            now = None if moved is None else self._supplied(moved, record, proofs)
        if now is not None and proofs:
            self._fault(RecordFault.PROOF_UNUSED, count=len(proofs))
        return now

    def _moved(self, now: Round, game: Game, move: RecordedMove, index: int) -> Round | None:
        if bytes(move.action) == b"null":
            moved = now.leave(move.seat)
        else:
            action = self._read(move.action, game.action, RecordFault.ACTION_MALFORMED, move=index)
            if action is None:
                return None
            moved = now.act(action, move.seat)
        if moved.refusal is not None:
            self._fault(RecordFault.ACTION_REFUSED, move=index, seat=shown(move.seat), code=moved.refusal.code)
            return None
        return moved

    def _supplied(self, now: Round, record: Record, proofs: list[msgspec.Raw]) -> Round | None:
        """Gives the round the shoe it wants, made from the next proof."""
        while now.wants is not None:
            pack = now.wants.pack
            if not proofs:
                self._fault(RecordFault.PROOF_MISSING, card=len(now.dealt))
                return None
            order = self._proven(now, proofs.pop(0))
            cards = {str(card): card for card in pack}
            recorded = self._recorded(now, record, cards)
            if recorded is None:
                return None
            merged = self._merged(now, order, recorded)
            now = now.supply(Shoe(tuple(None if text is None else cards[text] for text in merged), len(now.wants.gone)))
        return now

    def _proven(self, now: Round, raw: msgspec.Raw) -> tuple[str | None, ...]:
        """The order of the pack that is wanted, as far as the proof tells."""
        wanted = now.wants
        assert wanted is not None
        pack = [str(card) for card in wanted.pack]
        unknown: tuple[str | None, ...] = (None,) * len(pack)
        try:
            proof = read_proof(msgspec.json.decode(raw))
        except (msgspec.DecodeError, UnicodeError) as error:
            self._fault(RecordFault.RECORD_MALFORMED, fault=shown(str(error)))
            return unknown
        if isinstance(proof, Finding):
            self.findings.append(proof)
            return unknown
        order, faults = cards_of(proof, pack, now.rules.seats(now.state))
        self.findings += faults
        if isinstance(proof, Cut1Proof) and proof.context.rules != rules_name(now.rules):
            self._fault(RecordFault.CONTEXT_MISMATCH, found=shown(proof.context.rules), expected=rules_name(now.rules))
        gone = tuple(str(card) for card in wanted.gone)
        if not gone:
            self.shuffles.append(proof)
        elif any(card not in (None, known) for card, known in zip(order, gone, strict=False)):
            self._fault(RecordFault.SHOE_MISMATCH, cards=len(gone))
        if not faults:
            first = len(now.dealt) - len(gone)
            self._unproven = {place for place in self._unproven if place < len(now.dealt)}
            self._unproven |= {first + place for place, card in enumerate(order) if card is None}
        return order

    def _recorded(self, now: Round, record: Record, cards: dict[str, Any]) -> tuple[str | None, ...] | None:
        """The cards that the record says were dealt from here on; None if one of them is no card of this pack."""
        recorded = record.cards[len(now.dealt) :]
        assert now.wants is not None
        for index, text in enumerate(recorded[: now.wants.count]):
            if text is not None and text not in cards:
                self._fault(RecordFault.CARD_UNKNOWN, card=len(now.dealt) + index, found=shown(text))
                return None
        return tuple(text if text in cards else None for text in recorded)

    def _merged(
        self, now: Round, order: tuple[str | None, ...], recorded: tuple[str | None, ...]
    ) -> tuple[str | None, ...]:
        """The proven order, with the record's word for it where there is no proof."""
        assert now.wants is not None
        begun = len(now.wants.gone)
        spare = [str(card) for card in now.wants.pack]
        merged = list(order)
        for place in range(len(merged)):
            if merged[place] is None and begun <= place < begun + len(recorded):
                merged[place] = recorded[place - begun]
            if merged[place] is None and now.rules.opens_all:
                merged[place] = spare[place]
        return tuple(merged)

    def _compare(self, now: Round, record: Record) -> None:
        """The replayed round against what the record says of it."""
        dealt = [None if card is None else str(card) for card in now.dealt]
        if len(dealt) != len(record.cards):
            self._fault(RecordFault.CARD_COUNT_MISMATCH, recorded=len(record.cards), dealt=len(dealt))
        for index, (card, recorded) in enumerate(zip(dealt, record.cards, strict=False)):
            if card != recorded:
                self._fault(
                    RecordFault.CARD_MISMATCH, card=index, recorded=shown(recorded or "?"), proven=shown(card or "?")
                )
            elif index in self._unproven and (recorded is not None or now.rules.opens_all):
                self._fault(RecordFault.CARD_NOT_PROVEN, card=index, recorded=shown(recorded or "?"))
        if not now.over:
            if record.payouts is not None:
                self._fault(RecordFault.ROUND_UNFINISHED, moves=len(record.moves))
        elif record.payouts is None:
            self._fault(RecordFault.PAYOUTS_MISSING)
        elif record.payouts != now.payouts:
            self._fault(
                RecordFault.PAYOUT_MISMATCH,
                recorded=" ".join(map(shown, record.payouts)),
                computed=" ".join(map(shown, now.payouts)),
            )

    def _read(self, raw: msgspec.Raw, type_: Any, fault: RecordFault, **facts: int) -> Any:
        try:
            return msgspec.json.decode(raw, type=type_)
        except (msgspec.DecodeError, UnicodeError) as error:
            self._fault(fault, fault=shown(str(error)), **facts)
            return None

    def _fault(self, code: RecordFault, /, **facts: int | str) -> None:
        self.findings.append(Finding(code, dict(facts)))
