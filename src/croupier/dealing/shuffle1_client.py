"""A client's side of `shuffle-1` against a server that may lie: pure, from what was shown and logged.

A `Notebook` is what a client knows: all that stands in its own log. It does nothing by itself. Each question to it (may
I bet, is this answer right, may I see this state) gives lines to be written down, alarms among them; once they are
kept, `take` makes them part of what is known. So every tab, program and later visit that reads the same log knows the
same.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from croupier.dealing import shuffle1_checks as checks
from croupier.dealing.findings import fact
from croupier.dealing.hash_input import is_hash
from croupier.dealing.shuffle1_checks import Found, Shown, ShownRound, order_of
from croupier.dealing.shuffle1_log import (
    Alarm,
    Amount,
    BetRefused,
    BetSent,
    CardsSeen,
    Committed,
    Decided,
    Draw,
    Line,
    NeverDealt,
    Revealed,
    RotationAsked,
    RotationRefused,
    SeedFault,
)

ROUNDS_BEFORE_ROTATION: Final = 50
"""After so many rounds a client asks for the reveal on its own: without it, nothing is proved."""


class Notebook:
    """What a player knows, from the lines of the log."""

    def __init__(self, lines: Iterable[Line] = ()) -> None:
        self.commitment: Committed | None = None
        """The current commitment, as first shown."""
        self.asked: RotationAsked | None = None
        """A rotation that was requested and not yet answered."""
        self.alarms: list[Alarm] = []
        """Alarms that the player has not decided about."""
        self.proven = 0
        """How many rounds are proved by revealed seeds."""
        self.open_bets: dict[Draw, BetSent] = {}
        """Bets that were sent and, as far as known, not dealt."""
        self.rounds: dict[Draw, CardsSeen] = {}
        """The rounds of unrevealed seeds."""
        self.version = 0
        """The newest version of the session seen."""
        self._given_up: dict[Draw, BetSent] = {}
        self._replaced: set[str] = set()
        self._counts: dict[tuple[str, str], int] = {}
        self._amounts: dict[Draw, tuple[Amount, ...]] = {}
        """The amounts that were sent for each draw."""
        self._typed: dict[str, str] = {}
        self._accepted: set[Draw] = set()
        for line in lines:
            self.take(line)

    @property
    def unproven(self) -> int:
        """How many rounds were dealt by unrevealed seeds."""
        return len(self.rounds)

    @property
    def pending(self) -> BetSent | None:
        """The first bet on the current commitment that was not dealt. The next bet is the same draw."""
        known = self.commitment
        hash_ = "" if known is None else known.server_seed_hash
        return next((bet for draw, bet in self.open_bets.items() if draw[0] == hash_), None)

    @property
    def _dealt(self) -> list[CardsSeen]:
        """The rounds dealt by the current seed."""
        hash_ = None if self.commitment is None else self.commitment.server_seed_hash
        return [seen for seen in self.rounds.values() if seen.server_seed_hash == hash_]

    @property
    def _running(self) -> list[CardsSeen]:
        """The rounds that were not seen to end. There is one at most, at an honest server."""
        return [seen for seen in self.rounds.values() if not seen.over and seen.draw not in self._accepted]

    def has_lost(self, shown: Shown) -> bool:
        """Whether a round that was running is not in this state: then only the history can tell how it ended."""
        return checks.dropped(self._running, shown) is not None

    def take(self, line: Line) -> None:
        """Add a line of the log to what is known."""
        if isinstance(line, Committed | CardsSeen):
            self.version = max(self.version, line.version)
        match line:
            case Committed():
                self._continue_with(line)
            case BetSent():
                self.open_bets[line.draw] = line
                self._amounts[line.draw] = (*self._amounts.get(line.draw, ()), line.amount)
                if line.typed:
                    self._typed[line.client_seed] = line.server_seed_hash
            case CardsSeen():
                pair = line.server_seed_hash, line.client_seed
                self._counts[pair] = max(self._counts.get(pair, 0), line.nonce + 1)
                self.open_bets.pop(line.draw, None)
                before = self.rounds.get(line.draw)
                if before is not None and not line.cards:
                    # A line from the history has no cards.
                    line = msgspec.structs.replace(line, cards=before.cards)
                self.rounds[line.draw] = line
            case RotationAsked():
                self.asked = line
            case RotationRefused():
                self.asked = None
            case Revealed():
                self.proven += line.rounds
                self.asked = None
                self.rounds = _without(self.rounds, line.server_seed_hash)
                self.open_bets = _without(self.open_bets, line.server_seed_hash)
                self._given_up = _without(self._given_up, line.server_seed_hash)
                self._amounts = _without(self._amounts, line.server_seed_hash)
            case Alarm():
                self.alarms.append(line)
            case Decided():
                self._decided(line)

    def _continue_with(self, shown: Committed) -> None:
        if self.commitment is not None and self.commitment.server_seed_hash != shown.server_seed_hash:
            self._replaced.add(self.commitment.server_seed_hash)
        self.commitment = shown

    def _decided(self, line: Decided) -> None:
        self.alarms.clear()
        self._given_up |= self.open_bets
        self.open_bets.clear()
        self.asked = None
        self.version = line.version
        self._continue_with(_committed(line, line.at_ms))
        self._replaced.discard(line.server_seed_hash)
        self._accepted.update(seen.draw for seen in self._running)
        if line.client_seed is not None and line.nonce is not None:
            self._accepted.add((line.server_seed_hash, line.client_seed, line.nonce))

    # Seeing what the server shows.

    def see_nonsense(self, fault: str, at_ms: int) -> tuple[Line, ...]:
        """The lines to log about an unreadable message."""
        return () if self.alarms else (_alarm((SeedFault.STATE_MALFORMED, {"fault": fact(fault)}), at_ms),)

    def arrive(self, shown: Shown, history: Iterable[ShownRound], at_ms: int, since: int = 0) -> tuple[Line, ...]:
        """The lines to log about the first state of a visit.

        A player with several devices may reveal the seed on another one. That is fine if no round of this log depends
        on the seed, or if the server's history tells the seed and it fits.
        """
        known, past = self.commitment, tuple(history)
        if known is None or self.alarms or self._rotates(shown) or shown.server_seed_hash == known.server_seed_hash:
            return self.see(shown, at_ms, since)
        found = checks.malformed(shown) or checks.wound_back(since, shown) or checks.came_back(self._replaced, shown)
        if found is not None:
            return (_alarm(found, at_ms),)
        told = {played.server_seed for played in past if played.server_seed_hash == known.server_seed_hash}
        server_seed = next((seed for seed in told if seed is not None), None)
        if server_seed is not None:
            lines = self._revealed(server_seed, at_ms)
        elif self.pending is not None or self._dealt:
            return self.see(shown, at_ms, since)
        else:
            lines = ()
        return lines if _alarms(lines) else (*lines, _committed(shown, at_ms))

    def see(self, shown: Shown, at_ms: int, since: int = 0) -> tuple[Line, ...]:
        """The lines to log about a state. A state older than what is known gives none.

        `since` is the version that was known when the state was requested; 0 for a state that the server pushed.
        """
        if self.alarms:
            return ()
        found = checks.wound_back(since, shown)
        if found is not None:
            return (_alarm(found, at_ms),)
        if shown.version < self.version:
            return ()
        lines = self._see_commitment(shown, at_ms)
        if self._rotates(shown) or _alarms(lines):
            return lines
        lines = (*lines, *self._see_round(shown.round, shown.version, at_ms))
        return lines if _alarms(lines) else (*lines, *self._see_dropped(shown, at_ms))

    def _rotates(self, shown: Shown) -> bool:
        """Whether the server has answered a request to rotate, and continues with the seed it announced."""
        known = self.commitment
        return (
            known is not None
            and self.asked is not None
            and self.asked.server_seed_hash == known.server_seed_hash
            and shown.server_seed_hash == known.next_server_seed_hash
        )

    def _see_commitment(self, shown: Shown, at_ms: int) -> tuple[Line, ...]:
        found = checks.malformed(shown)
        if found is not None:
            return (_alarm(found, at_ms),)
        known = self.commitment
        if known is None:
            return (_committed(shown, at_ms),)
        if self._rotates(shown):
            last = shown.round
            if last is None or last.server_seed is None or last.server_seed_hash != known.server_seed_hash:
                return ()  # The program that asked is told the seed, and checks it.
            return self.reveal(last.server_seed, shown, at_ms)
        found = checks.unasked(known, shown) or checks.swapped(known, shown) or checks.next_changed(known, shown)
        if found is not None:
            return (_alarm(found, at_ms),)
        if _pair(shown) != _pair(known):
            return (_committed(shown, at_ms),)
        return ()

    def _see_round(self, shown: ShownRound | None, version: int, at_ms: int) -> tuple[Line, ...]:
        if shown is None or shown.draw in self._accepted:
            return ()
        before = self.rounds.get(shown.draw)
        if before is None and shown.draw not in self.open_bets:
            found = None if shown.over else checks.not_mine(shown)
            return () if found is None else (_alarm(found, at_ms),)
        found = checks.card_swapped(before, shown) if before is not None else self._other_amount(shown)
        if found is not None:
            return (_alarm(found, at_ms),)
        if before is not None and (before.cards, before.over) == (shown.cards, shown.over):
            return ()
        return (_seen(shown, version, at_ms),)

    def _see_dropped(self, shown: Shown, at_ms: int) -> tuple[Line, ...]:
        found = checks.dropped(self._running, shown)
        return () if found is None else (_alarm(found, at_ms),)

    def see_history(self, draws: Iterable[ShownRound], at_ms: int) -> tuple[Line, ...]:
        """Unanswered bets, and rounds not seen to end, that are among the server's past rounds."""
        known = self.open_bets.keys() | {seen.draw for seen in self._running}
        lines: list[Line] = []
        for played in draws:
            if played.draw in known:
                found = self._other_amount(played)
                lines.append(_seen(played, self.version, at_ms) if found is None else _alarm(found, at_ms))
        return tuple(lines)

    def _other_amount(self, shown: ShownRound) -> Found | None:
        """What is wrong with the stake of a round that was bet on and whose beginning was not seen."""
        sent = self._amounts.get(shown.draw, ())
        return checks.other_amount(sent, shown, answers=False) if sent else None

    # Betting.

    def bet(
        self, amount: Amount, command_id: str, fresh_seed: str, at_ms: int, typed_seed: str | None = None
    ) -> BetSent | None:
        """The bet to log and then send; None while nothing may be bet.

        A refused or unanswered bet is repeated with the same seed and nonce, whatever the amount. Otherwise it uses the
        typed seed with its next nonce, or a fresh seed.
        """
        known = self.commitment
        if known is None or self.alarms or self.asked is not None:
            return None
        if self.pending is not None:
            return msgspec.structs.replace(self.pending, at_ms=at_ms, amount=amount, command_id=command_id)
        seed = fresh_seed if typed_seed is None else typed_seed
        return BetSent(
            at_ms=at_ms,
            server_seed_hash=known.server_seed_hash,
            client_seed=seed,
            nonce=self._counts.get((known.server_seed_hash, seed), 0),
            amount=amount,
            command_id=command_id,
            typed=typed_seed is not None,
        )

    def was_typed_elsewhere(self, seed: str) -> bool:
        """Whether a seed was used under another commitment: the server knew it before it made this one."""
        known = self.commitment
        return known is not None and self._typed.get(seed, known.server_seed_hash) != known.server_seed_hash

    def answer(self, bet: BetSent, shown: Shown, at_ms: int) -> tuple[Line, ...]:
        """The lines to log about the answer to a bet, before anything else is done with it.

        None after an alarm: the state of a round that ends at once may be heard before the answer, and the lie is in
        both.
        """
        if self.alarms:
            return ()
        if shown.round is None:
            return (_alarm((SeedFault.BET_NOT_DEALT, {}), at_ms),)
        found = (
            checks.other_hash(bet, shown.round)
            or checks.other_seed(bet, shown.round)
            or checks.other_nonce(bet, shown.round)
            or checks.other_amount((bet.amount,), shown.round, answers=True)
        )
        if found is not None:
            return (_alarm(found, at_ms),)
        lines = self._see_commitment(shown, at_ms)
        lines = lines if _alarms(lines) else (*lines, *self._see_dropped(shown, at_ms))
        return lines if _alarms(lines) else (*lines, _seen(shown.round, shown.version, at_ms))

    def refuse(self, bet: BetSent, code: str, client_seeds_left: int, at_ms: int) -> tuple[Line, ...]:
        """The lines to log about a refused bet. It stays open: the next bet is the same draw."""
        refused = BetRefused(at_ms=at_ms, command_id=bet.command_id, code=code)
        found = checks.untrue(code, client_seeds_left)
        return (refused,) if found is None else (refused, _alarm(found, at_ms))

    # The reveal.

    def rotation_due(self, client_seeds_left: int) -> bool:
        """Whether the client should have the seed revealed before the next bet with a fresh seed."""
        if self.commitment is None or self.alarms or self.pending is not None:
            return False
        dealt = len(self._dealt)
        return dealt > 0 and (dealt >= ROUNDS_BEFORE_ROTATION or client_seeds_left < 1)

    def ask_rotation(self, command_id: str, version: int, at_ms: int) -> RotationAsked | None:
        """The request to reveal the seed, to log and then send. An unanswered one is sent again.

        None if there is nothing to reveal, or an alarm.
        """
        known = self.commitment
        if known is None or self.alarms:
            return None
        if self.asked is not None:
            return self.asked
        return RotationAsked(
            at_ms=at_ms, server_seed_hash=known.server_seed_hash, command_id=command_id, version=version
        )

    def refuse_rotation(self, asked: RotationAsked, code: str, running: bool, at_ms: int) -> tuple[Line, ...]:
        """The lines to log about a refused reveal: an alarm, unless a round is running or the seed dealt none."""
        refused = RotationRefused(at_ms=at_ms, command_id=asked.command_id, code=code)
        found = checks.reveal_refused(code, running or not self._dealt)
        return (refused,) if found is None else (refused, _alarm(found, at_ms))

    def reveal(self, server_seed: str, shown: Shown, at_ms: int) -> tuple[Line, ...]:
        """The lines to log about a revealed seed and the next commitment."""
        known = self.commitment
        assert known is not None, "nothing was promised"
        lines = self._revealed(server_seed, at_ms)
        if _alarms(lines):
            return lines
        found = checks.malformed(shown) or checks.next_skipped(known, shown)
        return (*lines, _committed(shown, at_ms)) if found is None else (_alarm(found, at_ms),)

    def _revealed(self, server_seed: str, at_ms: int) -> tuple[Line, ...]:
        """The lines to log about a revealed seed: whether it fits the commitment and every card seen follows from it.

        Bets that were never dealt get the cards that they would have got.
        """
        known = self.commitment
        assert known is not None, "nothing was promised"
        rounds = self._dealt
        found = checks.not_promised(known, server_seed) or checks.not_from_seeds(known, rounds, server_seed)
        if found is not None:
            return (_alarm(found, at_ms),)
        revealed = Revealed(
            at_ms=at_ms, server_seed_hash=known.server_seed_hash, server_seed=server_seed, rounds=len(rounds)
        )
        return (*self._never_dealt(server_seed, at_ms), revealed)

    def _never_dealt(self, server_seed: str, at_ms: int) -> Iterator[NeverDealt]:
        known = self.commitment
        assert known is not None
        for draw, bet in (self._given_up | self.open_bets).items():
            if draw[0] == known.server_seed_hash and is_hash(server_seed):
                yield NeverDealt(
                    at_ms=at_ms,
                    server_seed_hash=draw[0],
                    client_seed=draw[1],
                    nonce=draw[2],
                    amount=bet.amount,
                    cards=order_of(known.decks, server_seed, draw)[: checks.FIRST_CARDS],
                )

    def decide(self, shown: Shown, at_ms: int) -> Decided:
        """The player goes on in spite of the alarms."""
        running = shown.round if shown.round is not None and not shown.round.over else None
        return Decided(
            at_ms=at_ms,
            version=shown.version,
            server_seed_hash=shown.server_seed_hash,
            next_server_seed_hash=shown.next_server_seed_hash,
            decks=shown.decks,
            client_seed=None if running is None else running.client_seed,
            nonce=None if running is None else running.nonce,
        )


def _alarm(found: Found, at_ms: int) -> Alarm:
    code, facts = found
    return Alarm(at_ms=at_ms, code=code, facts=facts)


def _committed(shown: Shown | Decided, at_ms: int) -> Committed:
    hashes = {"server_seed_hash": shown.server_seed_hash, "next_server_seed_hash": shown.next_server_seed_hash}
    return Committed(at_ms=at_ms, version=shown.version, decks=shown.decks, **hashes)


def _seen(shown: ShownRound, version: int, at_ms: int) -> CardsSeen:
    fields = {name: getattr(shown, name) for name in CardsSeen.__struct_fields__ if name not in ("at_ms", "version")}
    return CardsSeen(at_ms=at_ms, version=version, **fields)


def _alarms(lines: Iterable[Line]) -> bool:
    return any(isinstance(line, Alarm) for line in lines)


def _pair(shown: Shown | Committed) -> tuple[str, str]:
    return shown.server_seed_hash, shown.next_server_seed_hash


def _without(draws: Mapping[Draw, Any], hash_: str) -> dict[Draw, Any]:
    return {draw: value for draw, value in draws.items() if draw[0] != hash_}
