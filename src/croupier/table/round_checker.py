"""A client's checks of a room's rounds: the start of a deal must follow from the round before it."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from croupier.dealing import canonical, cut2
from croupier.dealing.cut2 import Context
from croupier.dealing.findings import Fault, Finding
from croupier.game.game import AnyRules, Change, Game
from croupier.game.refusal import Refusal
from croupier.game.registry import GAMES
from croupier.table.client_memory import Memory, State
from croupier.table.closing import stacks_after
from croupier.table.deal_faults import DealFault, DealNote
from croupier.table.deal_news import DealFixed
from croupier.table.deals import VOIDS_MAX, packs_of, rules_text
from croupier.table.mirror import Mirror, MirrorError, amended, read_rules, read_setup
from croupier.table.plain_values import plain
from croupier.table.room import is_open_table


class FixedDeal:
    """A fixed deal of the present round, and its outcome."""

    def __init__(self, fixed: DealFixed, hashed: bytes, seal: bytes) -> None:
        self.context, self.roots, self.hashed, self.seal = fixed.context, fixed.roots, hashed, seal
        self.cut = b""
        self.missing: tuple[int, ...] = ()
        """The seats that did not cut it, if it is void."""
        self.own_seat: int | None = None
        """The seat for which this client cut it."""
        self.played = 0
        self.order: tuple[int, ...] = ()
        self.cards: tuple[str, ...] = ()
        """All cards in the order of the deal, once the whole pack is opened."""


class MatchStart:
    """A match whose beginning was seen."""

    def __init__(self, hand: int, seats: frozenset[int], total: int) -> None:
        self.hand, self.seats, self.total = hand, seats, total

    def setup(self, rules: AnyRules) -> Any:
        """The setup of the match: the default one, without the empty seats."""
        if not is_open_table(rules):
            return plain(rules.setup(len(self.seats)))
        changes = [{"seat": seat, "kind": "left", "chips": 0} for seat in range(self.total) if seat not in self.seats]
        return amended(rules, rules.setup(self.total), changes)


class RoundChecker:
    """A client's knowledge of a room's rounds. It collects findings for the caller to take."""

    def __init__(self, me: str, memory: Memory | None = None) -> None:
        self.me = me
        self.memory = memory
        self._found: list[Finding] = []
        self._noted: list[Finding] = []
        self._carried: list[Finding] = []
        """Notes about missed deals, to be told with the next state."""
        self._hand = -1
        self._seat: int | None = None
        """The seat from which this player sees the round; None for a spectator, and while there is no round."""
        self._was_away = False
        """Whether the connection was lost since the last state, so that something may not have been seen."""
        self._was_here = False
        """Whether the deal before those of the present state was seen."""
        self._came_back = False
        """Whether the present state has the whole round again."""
        self._deals: dict[int, FixedDeal] = {}
        self._shuffles: list[int] = []
        """The deals of the present round that were cut, in order."""
        self._mirror: Mirror | None = None
        self._moves: list[dict[str, Any]] = []
        self._cut_at: dict[int, int] = {}
        """How many moves the round had when each of its deals was cut, where that is known."""
        self._recalled: tuple[int, Sequence[Any]] = -1, ()
        """A hand, and its moves as other programs of this user were told them before this one started."""
        self._last_setup: Any = None
        """The setup of the newest deal of a round, as plain values; None if it was not seen."""
        self._base: Any = None
        """The setup of the next round if nobody comes or goes; None if the last one was not seen to its end."""
        self._tail: dict[str, Any] = {}
        """The part of the closing of deal `_tail_of` that was seen; `begun` are the moves that it must begin with."""
        self._tail_of = 0
        self._lobby_rules: str | None = None
        """The rules of the coming match, while its lobby is seen."""
        self._start: MatchStart | None = None
        self._may_restart = True
        """Whether another match may begin now. Not after a round that did not end this one."""
        self._is_open_table = False
        """Whether people may come and go between the rounds of this match."""

    def _fault(self, code: DealFault | Fault, /, **facts: int | str) -> None:
        self._found.append(Finding(code, dict(facts)))

    def _note(self, code: DealNote, /, **facts: int | str) -> None:
        self._noted.append(Finding(code, dict(facts)))

    def _watch_start(self, state: State) -> None:
        """Note the lobby, and who is there when a match begins."""
        public = state.public
        if public.phase == "lobby":
            game = GAMES.get(public.game)
            self._lobby_rules = rules_text(read_rules(game, public.rules)) if game is not None else None
        elif self._lobby_rules is not None:
            if not self._was_away:
                seats = frozenset(member.seat for member in public.members if member.seat is not None)
                self._start = MatchStart(public.hand, seats, public.options.seats)
                if rules_text(read_rules(GAMES[public.game], public.rules)) != self._lobby_rules:
                    self._fault(DealFault.RULES_CHANGED, deal=public.deal)
            self._lobby_rules = None

    def _turn_to(self, hand: int) -> None:
        """Go to another round: the last one must have been played to its end, or cancelled before its cards."""
        is_next = hand == self._hand + 1
        ended_here = self._mirror is not None and self._mirror.payouts is not None and is_next
        self._finish_round(seen=ended_here or not self._was_away)
        if self._was_away:
            self._last_setup = None
        self._hand = hand
        self._deals, self._shuffles, self._mirror, self._moves = {}, [], None, []

    def _lose_round(self) -> None:
        """A dealt round is no longer sent: it has ended, whether this client was connected or not."""
        mirror, memory = self._mirror, self.memory
        is_over = mirror is not None and mirror.payouts is not None
        # Once it has cards, a game that was called off when a later shuffle was void ended unseen.
        is_void = memory is not None and bool(memory.missing) and not self._shuffles
        self._finish_round(seen=is_over or is_void or not self._was_away)

    def _finish_round(self, *, seen: bool) -> None:
        """Note the setup of the next round, if the end of this one was seen."""
        mirror = self._mirror
        if not seen:
            if self._shuffles and (mirror is None or mirror.payouts is None):
                self._note(DealNote.END_NOT_SEEN, hand=self._hand)
            self._base, self._last_setup, self._may_restart = None, None, True
            if self._shuffles:
                self._keep_tail(begun=self._moves)
        elif mirror is not None and mirror.payouts is not None:
            self._base, self._may_restart = mirror.following, mirror.may_restart
            self._is_open_table = is_open_table(mirror.rules)
            if self._shuffles:
                self._keep_tail(moves=mirror.moves)
                self._tail["payouts"] = list(mirror.payouts)
        elif self._shuffles:
            self._fault(DealFault.HAND_BROKEN_OFF, deal=self._shuffles[-1], hand=self._hand)
        elif mirror is not None:
            self._base = mirror.setup
        elif self._told_again():
            self._base = self._after_void(self._deals[max(self._told_again())].context)
        elif self._moves:
            self._base = self._after_undealt()

    def _keep_tail(self, **known: Sequence[Any]) -> None:
        """Note the moves since the newest deal, for its closing."""
        self._tail_of = self._shuffles[-1]
        since = self._cut_at.get(self._tail_of)
        self._tail = {} if since is None else {name: list(moves[since:]) for name, moves in known.items()}

    def _told_again(self) -> list[int]:
        """The deals of the present round, after a reload."""
        return [number for number, deal in self._deals.items() if deal.context.hand == self._hand]

    def _after_void(self, context: Context) -> Any:
        """The setup after a round whose only deals were void; None if its game is not installed."""
        start, raw = read_start(context), canonical.read(context.rules)
        game = GAMES.get(raw["game"])
        if start is None or game is None:
            return None
        mirror = Mirror(game, read_rules(game, raw), read_setup(game, start["setup"]))
        mirror.advance(self._moves)
        return mirror.following if mirror.payouts is not None else mirror.setup

    def _after_undealt(self) -> Any:
        """The setup after a round that ended without a deal. Where people cannot come and go, absent players may have
        lost their blinds; elsewhere nothing has changed."""
        memory = self.memory
        if self._base is None or memory is None or not memory.rules:
            return None
        raw = canonical.read(memory.rules)
        game = GAMES[raw["game"]]
        rules = read_rules(game, raw)
        if is_open_table(rules):
            return self._base
        try:
            mirror = Mirror(game, rules, read_setup(game, amended(rules, self._base, ())))
            mirror.advance(self._moves)
        except MirrorError:
            return None
        return mirror.following if mirror.payouts is not None else self._base

    def _closing_of(self, fixed: DealFixed) -> dict[str, Any] | None:
        """The closing that a deal carries, if it is the one that its context names; None for a room's first deal."""
        context = fixed.context
        if context.deal == 1 or context.before == cut2.FIRST_BEFORE:
            if context.deal != 1 or context.before != cut2.FIRST_BEFORE or fixed.closing:
                self._fault(DealFault.BEFORE_MISMATCH, deal=context.deal)
            return None
        if cut2.closing_digest(fixed.closing) != context.before:
            self._fault(DealFault.BEFORE_MISMATCH, deal=context.deal)
            return None
        closing = _read_closing(fixed.closing)
        if closing is None:
            self._fault(DealFault.CLOSING_MALFORMED, deal=context.deal)
        return closing

    def _check_place(self, context: Context, memory: Memory, closing: dict[str, Any] | None) -> None:
        """A complete deal must stand: its hand is played to its end, and only a used-up pack is shuffled again."""
        place = context.hand, context.shuffle
        if not memory.deal or closing is None:
            allowed = context.shuffle == 0
        elif closing["cut"] is None:
            allowed = place == (memory.hand, memory.shuffle) or (context.hand > memory.hand and context.shuffle == 0)
        elif closing["payouts"] is not None:
            # Rounds without a bet had no deal.
            allowed = context.hand > memory.hand and context.shuffle == 0
        else:
            allowed = place == (memory.hand, memory.shuffle + 1)
        if not allowed or context.hand > self._hand:
            self._fault(DealFault.HAND_BROKEN_OFF, deal=context.deal, hand=memory.hand)
        is_third = context.hand == memory.hand and memory.hand_voids >= VOIDS_MAX
        # Spectators, and players who are away, are not asked.
        if is_third and memory.agreed_hand != memory.hand and any(each.seat == self._seat for each in context.cutters):
            self._fault(DealFault.VOID_TWICE, deal=context.deal, hand=context.hand)

    def _check_contents(self, context: Context, memory: Memory, closing: dict[str, Any] | None, state: State) -> None:
        """Rules, setup, pack and T must be those of the rules."""
        game = GAMES.get(state.public.game)
        if game is None:
            self._fault(DealFault.PLACES_NOT_CHECKED, game=state.public.game[:32])
            return
        rules = read_rules(game, canonical.read(context.rules))
        start = read_start(context)
        if start is None:
            self._fault(Fault.CONTEXT_MALFORMED, field="setup", value=context.setup[:60])
            return
        same_match = memory.match == start["match"]
        shown = rules_text(read_rules(game, state.public.rules))
        if context.rules != shown or (same_match and memory.rules and context.rules != memory.rules):
            self._fault(DealFault.RULES_CHANGED, deal=context.deal)
        if context.packs != packs_of(rules):
            self._fault(DealFault.PACKS_MISMATCH, deal=context.deal, packs=context.packs, expected=packs_of(rules))
        if context.shuffle == 0:
            self._check_setup(game, rules, context, closing, start)
        if self._found or (context.shuffle and self._came_back):
            return
        mirror = self._mirror if context.shuffle else self._opened_mirror(game, rules, start)
        if mirror is None:
            return
        wanted = mirror.wants
        if wanted is None:
            self._fault(DealFault.HAND_BROKEN_OFF, deal=context.deal, hand=context.hand)
        elif canonical.write([str(card) for card in wanted.pack]) != context.pack:
            self._fault(DealFault.PACK_MISMATCH, deal=context.deal)
        if context.hand == self._hand:
            self._mirror = mirror

    def _is_full(self, context: Context, seat: int | None) -> bool:
        """Whether a seat has as many chips at the start of this deal's round as can be bought."""
        raw, start = canonical.read(context.rules), read_start(context)
        game = GAMES.get(raw["game"]) if isinstance(raw, dict) else None
        if game is None or start is None or seat is None:
            return False
        setup = read_setup(game, start["setup"])
        return isinstance(read_rules(game, raw).amend(setup, Change(seat, "bought", 1)), Refusal)

    def _opened_mirror(self, game: Game, rules: AnyRules, start: dict[str, Any]) -> Mirror:
        mirror = Mirror(game, rules, read_setup(game, start["setup"]))
        mirror.advance(start["moves"])
        return mirror

    def _check_setup(
        self, game: Game, rules: AnyRules, context: Context, closing: dict[str, Any] | None, start: dict[str, Any]
    ) -> None:
        """The setup must follow from the round before, or be that of a new match; the moves must be those that were
        sent."""
        expected = self._expected_setup(game, rules, context, closing, start)
        self._last_setup = start["setup"]
        if expected is not None and start["setup"] != expected:
            field = next((name for name in expected if start["setup"].get(name) != expected[name]), "")
            self._fault(DealFault.SETUP_MISMATCH, deal=context.deal, field=field)
        elif expected is None and self.memory is not None and closing is not None:
            self._check_stacks(game, rules, context, self.memory, closing)
        # A cancelled hand has no moves.
        told = context.hand == self._hand and bool(self._moves or not self._came_back)
        if told and self._moves[: len(start["moves"])] != start["moves"]:
            self._fault(DealFault.SETUP_MISMATCH, deal=context.deal, field="moves")

    def _check_bridged(self, context: Context, memory: Memory, closing: dict[str, Any]) -> None:
        """The rules and chips of a missed deal must follow from the deal before it."""
        start, raw = read_start(context), canonical.read(context.rules)
        assert start is not None
        game = GAMES.get(raw["game"]) if isinstance(raw, dict) and "game" in raw else None
        if start["match"] < memory.match:
            self._fault(DealFault.SETUP_MISMATCH, deal=context.deal, field="match")
        elif start["match"] == memory.match and memory.rules and context.rules != memory.rules:
            self._fault(DealFault.RULES_CHANGED, deal=context.deal)
        elif game is not None:
            self._check_stacks(game, read_rules(game, raw), context, memory, closing)

    def _check_stacks(
        self, game: Game, rules: AnyRules, context: Context, memory: Memory, closing: dict[str, Any]
    ) -> None:
        """Chips whose changes were not seen must follow from the closing: the setup of the deal before, its payouts,
        and what was brought, bought or taken away since."""
        start, last_setup = read_start(context), memory_setup(memory)
        if start is None or last_setup is None or start["match"] != memory.match:
            return
        carried = stacks_after(rules.stacks(read_setup(game, last_setup)), closing)
        stacks = rules.stacks(read_setup(game, start["setup"]))
        # Where people cannot come and go, a hand without a deal may have taken blinds from absent players.
        undealt = closing["cut"] is None or context.hand > memory.hand + 1
        totals_only = undealt and context.hand > memory.hand and not is_open_table(rules)
        if carried is None or (sum(carried) != sum(stacks) if totals_only else carried != stacks):
            self._fault(DealFault.SETUP_MISMATCH, deal=context.deal, field="stacks")

    def _expected_setup(
        self, game: Game, rules: AnyRules, context: Context, closing: dict[str, Any] | None, start: dict[str, Any]
    ) -> Any:
        """The setup that the deal must have, as plain values; None if that was not seen."""
        memory = self.memory
        assert memory is not None
        if memory.deal and start["match"] == memory.match:
            if context.hand == memory.hand:
                return memory_setup(memory) if self._last_setup is None else self._last_setup
            known = self._base is not None and closing is not None
            return amended(rules, self._base, closing["changes"]) if known and closing is not None else None
        if memory.deal and start["match"] < memory.match:
            self._fault(DealFault.SETUP_MISMATCH, deal=context.deal, field="match")
            return None
        begun = self._start is not None and self._start.hand > memory.hand
        # Blinds of those who are away can end a match without a deal; one that waits for agreement can be called off.
        undealt = context.hand > memory.hand + 1 and not self._is_open_table
        over = self._may_restart or undealt or memory.hand_voids >= VOIDS_MAX
        if memory.deal and self._was_here and not (begun and over):
            # A match begins in the lobby, after the end of the one before. This client was there all the time.
            self._fault(DealFault.SETUP_MISMATCH, deal=context.deal, field="match")
        return self._start.setup(rules) if self._start is not None and self._start.hand == context.hand else None


def memory_setup(memory: Memory) -> Any:
    """The setup of the newest remembered deal, as plain values; None if unknown."""
    return canonical.read(memory.setup)["setup"] if memory.setup else None


def read_start(context: Context) -> dict[str, Any] | None:
    """The start of a deal from its context; None if malformed."""
    start = canonical.read(context.setup)
    good = isinstance(start, dict) and set(start) == {"match", "setup", "moves"}
    if not good or type(start["match"]) is not int or not isinstance(start["setup"], dict):
        return None
    moves = start["moves"]
    fields = {"seat", "action"}
    good = isinstance(moves, list) and all(isinstance(move, dict) and set(move) == fields for move in moves)
    return start if good else None


_CLOSING_FIELDS: Final = {
    *("deal", "seal", "cut", "missing", "cuts", "secrets"),
    *("moves", "payouts", "changes", "paid"),
}


def _read_closing(text: str) -> dict[str, Any] | None:
    try:
        closing = canonical.read(text)
        if not isinstance(closing, dict) or set(closing) != _CLOSING_FIELDS or not isinstance(closing["paid"], list):
            return None
        msgspec.convert(closing["changes"], list[Change])
    except (canonical.CanonicalError, msgspec.ValidationError):
        return None
    return closing


def tells_of(closing: dict[str, Any], deal: FixedDeal) -> bool:
    """Whether a closing is that of a deal whose outcome is known."""
    outcome = (None, list(deal.missing)) if deal.missing else (deal.cut.hex(), [])
    return (closing["seal"], closing["cut"], closing["missing"]) == (deal.seal.hex(), *outcome)
