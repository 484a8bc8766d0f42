"""The check of one record: its proofs, every card, every move, every payout."""

from collections import deque
from collections.abc import Sequence
from typing import Any

import msgspec

from croupier.dealing import cut2
from croupier.dealing.cut2 import choice, cut_of, seal_of
from croupier.dealing.findings import Finding, fact, shown
from croupier.dealing.proof import Cut1Proof, Cut2Proof, Proof, cards_of, read_proof
from croupier.dealing.shoe import Shoe
from croupier.game.game import Game, UnseenCardError
from croupier.game.refusal import OptionError
from croupier.game.registry import GAMES, written_name
from croupier.table.deal_check import (
    CheckedDeal,
    DealCheckError,
    check_deal,
    check_void,
    checked_deal,
    read_start,
    redone,
    round_at,
)
from croupier.table.deal_faults import DealFault
from croupier.table.plain_values import plain, unknown_name
from croupier.table.record import FORMAT_1, Record, rules_name
from croupier.table.round import ABSENT, Round, begin
from croupier.table.verdict import RecordFault


class RecordCheck:
    """The check of a record. After a fault, everything still checkable is checked. Nothing in a record makes this
    raise."""

    def __init__(self) -> None:
        self.record: Record | None = None
        self.round: Round | None = None
        """The replayed round; None if that was not possible."""
        self.findings: list[Finding] = []
        self.shuffles: list[Proof] = []
        """The proofs of shuffles made for this round, without that of a shoe left from the round before."""
        self.deals: list[CheckedDeal] = []
        """The deals by `cut-2`, void ones included, in order."""
        self.starts: list[int] = []
        """The index of the first card of each shuffle, among the cards of the round."""
        self.proofs: list[Proof] = []
        """All proofs that could be read."""
        self.moves: list[Any] = []
        """All moves, as plain values."""
        self.cards = 0
        """How many cards were proved."""
        self.unseen = 0
        self._unproven: set[int] = set()
        """Places in the deal whose card the proof does not show."""
        self._voids: list[Cut2Proof] = []
        """Void deals of later shuffles, which are checked when the round waits for that shuffle."""

    def run(self, record: Record) -> None:
        """Check a decoded record: its parts are plain values."""
        self.record = record
        self.moves = [{"seat": move.seat, "action": move.action} for move in record.moves]
        if record.chip != 1 and not _is_of_the_house(record):
            self._fault(RecordFault.RECORD_MALFORMED, fault="$.chip")
        game = GAMES.get(record.game)
        if game is None:
            self._fault(RecordFault.GAME_UNKNOWN, game=shown(record.game), known=", ".join(GAMES))
            return
        rules = self._read(record.rules, game.rules, RecordFault.RULES_MALFORMED)
        if rules is not None and record.edition != rules.edition:
            self._fault(RecordFault.EDITION_MISMATCH, edition=fact(record.edition), rules=fact(rules.edition))
            return
        if rules is not None and record.game != written_name(game.name, rules.edition):
            self._fault(RecordFault.GAME_UNKNOWN, game=shown(record.game), known=", ".join(GAMES))
            return
        setup = self._read(record.setup, game.setup, RecordFault.SETUP_MALFORMED)
        if rules is None or setup is None:
            return
        try:
            opened = begin(rules, setup)
        except OptionError as error:
            self._fault(RecordFault.SETUP_REFUSED, code=error.refusal.code)
            return
        if record.voids and record.format == FORMAT_1:
            self._fault(RecordFault.RECORD_MALFORMED, fault="$.voids")
        self.run_voids(record.voids)
        self.round = self._play(opened, game, record)
        self.deals.sort(key=lambda deal: deal.number)
        if self.round is not None:
            self._compare(self.round, record)

    @property
    def has_own_deal(self) -> bool:
        """Whether the round had cards."""
        return self.record is not None and bool(self.record.proofs)

    def run_voids(self, voids: Sequence[Any]) -> None:
        """Check void deals; those of a later shuffle wait for the round."""
        for void in voids:
            proof = self._proof(void)
            if proof is not None and not isinstance(proof, Cut2Proof):
                self._fault(RecordFault.RECORD_MALFORMED, fault="$.voids")
            elif proof is not None and proof.context.shuffle:
                self._voids.append(proof)
            elif proof is not None:
                self._void(proof, None)

    def _void(self, proof: Cut2Proof, now: Round | None) -> None:
        """Check a void deal. `now` is the round that waited for it, or None before the first cards."""
        try:
            start = read_start(proof.context)
            now = round_at(start) if now is None else now
            if now.wants is None:
                self._fault(DealFault.HAND_BROKEN_OFF, deal=proof.context.deal, hand=proof.context.hand)
                return
            self.findings += check_deal(now, proof, proof.context.shuffle, start)
            self.findings += check_void(proof)
            if not cut2.check_roots(proof.context, proof.roots):
                self.deals.append(checked_deal(now, proof, start))
        except DealCheckError as error:
            self.findings.append(error.finding)

    def _play(self, opened: Round, game: Game, record: Record) -> Round | None:
        """Play all moves. Return None when the rules refuse one, or need a card that is hidden."""
        proofs = deque(record.proofs)
        moves = deque(enumerate(self.moves))
        now: Round | None = opened
        try:
            while now is not None and (moves or now.wants is not None):
                if moves and (now.wants is None or moves[0][1]["action"] == ABSENT):
                    number, move = moves.popleft()
                    now = redone(now, game, move, number)
                else:
                    now = self._supplied(now, record, proofs)
        except DealCheckError as error:
            self.findings.append(error.finding)
            return None
        except UnseenCardError:
            self._fault(RecordFault.CARD_HIDDEN, card=self._first_hidden(record))
            return None
        if now is not None and proofs:
            self._fault(RecordFault.PROOF_UNUSED, count=len(proofs))
        for void in self._voids:
            self._fault(RecordFault.DEAL_DIFFERS, deal=void.context.deal, field="shuffle")
        return now

    def _first_hidden(self, record: Record) -> int:
        return next((index for index, card in enumerate(record.cards) if card is None), len(record.cards))

    def _supplied(self, now: Round, record: Record, proofs: deque[Any]) -> Round | None:
        """The round with the shoe that it waits for, made from the next proof."""
        assert now.wants is not None
        if not proofs:
            self._fault(RecordFault.PROOF_MISSING, card=len(now.dealt))
            return None
        shuffle = len(self.starts)
        for void in [void for void in self._voids if void.context.shuffle == shuffle]:
            self._voids.remove(void)
            self._void(void, now)
        order = self._proven(now, proofs.popleft(), shuffle)
        self.starts.append(len(now.dealt))
        cards = {str(card): card for card in now.wants.pack}
        recorded = self._recorded(now, record, cards)
        if recorded is None:
            return None
        merged = self._merged(now, order, recorded)
        return now.supply(Shoe(tuple(None if text is None else cards[text] for text in merged), len(now.wants.gone)))

    def _proof(self, part: Any) -> Proof | None:
        proof = part if isinstance(part, Finding) else read_proof(part)
        if isinstance(proof, Finding):
            self.findings.append(proof)
            return None
        return proof

    def _proven(self, now: Round, part: Any, shuffle: int) -> tuple[str | None, ...]:
        """The order of the pack, as far as the proof shows it."""
        wanted = now.wants
        assert wanted is not None
        pack = [str(card) for card in wanted.pack]
        proof = self._proof(part)
        if proof is None:
            return (None,) * len(pack)
        self.proofs.append(proof)
        order, faults = cards_of(proof, pack, now.rules.seats(now.state))
        self.findings += faults
        gone = tuple(str(card) for card in wanted.gone)
        self._fits(now, proof, shuffle)
        if not gone:
            self.shuffles.append(proof)
        elif any(card not in (None, known) for card, known in zip(order, gone, strict=False)):
            self._fault(RecordFault.SHOE_MISMATCH, cards=len(gone))
        if not faults:
            first = len(now.dealt) - len(gone)
            self._unproven = {place for place in self._unproven if place < len(now.dealt)}
            self._unproven |= {first + place for place, card in enumerate(order) if card is None}
        return order

    def _fits(self, now: Round, proof: Proof, shuffle: int) -> None:
        """Whether the proof belongs to this round."""
        assert self.record is not None
        if isinstance(proof, Cut1Proof):
            if proof.context.rules != rules_name(now.rules):
                expected = rules_name(now.rules)
                self._fault(RecordFault.CONTEXT_MISMATCH, found=shown(proof.context.rules), expected=expected)
            for move in now.moves:
                if move.action == ABSENT:
                    self._fault(RecordFault.ACTION_MALFORMED, move=now.moves.index(move), fault=ABSENT)
        if not isinstance(proof, Cut2Proof):
            return
        if self.record.format == FORMAT_1:
            self._fault(RecordFault.RECORD_MALFORMED, fault="$.format")
        if proof.missing:
            self._fault(RecordFault.DEAL_DIFFERS, deal=proof.context.deal, field="missing")
        try:
            start = read_start(proof.context)
        except DealCheckError as error:
            self.findings.append(error.finding)
            return
        self.findings += check_deal(now, proof, shuffle, start)
        if not cut2.check_roots(proof.context, proof.roots):
            self.deals.append(checked_deal(now, proof, start))
            self._check_opened(now, proof)

    def _check_opened(self, now: Round, proof: Cut2Proof) -> None:
        """The played pack is opened by its secret where the rules open it, else card by card."""
        if len(proof.secrets) != len(proof.roots) or cut2.check_cuts(proof.context, proof.cuts):
            return
        cut = cut_of(seal_of(cut2.context_hash(proof.context), proof.roots), proof.cuts)
        is_whole = proof.secrets[choice(cut, proof.context.packs)] is not None
        if now.rules.opens_all and not is_whole:
            self._fault(DealFault.SECRET_NOT_REVEALED, deal=proof.context.deal)
        if is_whole and proof.openings:
            self._fault(RecordFault.DEAL_DIFFERS, deal=proof.context.deal, field="openings")

    def _recorded(self, now: Round, record: Record, cards: dict[str, Any]) -> tuple[str | None, ...] | None:
        """The cards dealt from here on, according to the record; None if one of them is not in this pack."""
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
        """The proven order, completed with the record's cards."""
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
        """Compare the replayed round with the record's own statements."""
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
            elif recorded is None:
                self.unseen += 1
            else:
                self.cards += 1
        self._compare_payouts(now, record)

    def _compare_payouts(self, now: Round, record: Record) -> None:
        if not now.over:
            if record.payouts is not None:
                self._fault(RecordFault.ROUND_UNFINISHED, moves=len(record.moves))
            elif self.deals:
                # A room records a round only when it is over.
                self._fault(RecordFault.ROUND_BROKEN_OFF, moves=len(record.moves))
        elif record.payouts is None:
            self._fault(RecordFault.PAYOUTS_MISSING)
        elif record.payouts != now.payouts:
            self._fault(
                RecordFault.PAYOUT_MISMATCH,
                recorded=" ".join(map(shown, record.payouts)),
                computed=" ".join(map(shown, now.payouts)),
            )

    def _read(self, part: Any, type_: Any, code: RecordFault) -> Any:
        """A part of the record in the game's own type; None if malformed."""
        if isinstance(part, Finding):
            self.findings.append(part)
            return None
        try:
            value = msgspec.convert(part, type_, str_keys=True)
        except msgspec.ValidationError as error:
            self._fault(code, fault=shown(str(error)))
            return None
        unknown = unknown_name(part, plain(value))
        if unknown:
            self._fault(code, fault=shown(unknown))
        return value

    def _fault(self, code: str, /, **facts: int | str) -> None:
        self.findings.append(Finding(code, dict(facts)))


def _is_of_the_house(record: Record) -> bool:
    """Whether the round was dealt by `shuffle-1`, as at the casino, where amounts may be fractions of a chip."""
    named = [proof.get("scheme") if isinstance(proof, dict) else None for proof in record.proofs]
    return bool(named) and all(scheme == "shuffle-1" for scheme in named)
