"""A client's own checks before its player sees a card, cuts a deal or puts in a chip. The adversary is the server. A
`Checker` watches one room for one player. It takes every state and returns what is wrong (`alarms`), what the player
should know (`notes`), and the deal to cut. It remembers in a `Memory`, which the client keeps across reloads and tabs.
docs/fairness.md says what each check is for.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from croupier.dealing import canonical, cut2
from croupier.dealing.findings import Finding
from croupier.game.registry import GAMES
from croupier.table.card_checker import CardChecker
from croupier.table.cards_shown import cards_in
from croupier.table.client_memory import CardOpening, CutWanted, Memory, OwnAction, Seen, State
from croupier.table.deal_checker import CHOKING, DEALS_LOOKED_AT
from croupier.table.deal_faults import DealFault, DealNote
from croupier.table.deal_news import DealFixed, DealMade, DealNews, DealOpened, DealVoid
from croupier.table.mirror import Mirror, MirrorError, read_rules, without
from croupier.table.plain_values import exact
from croupier.table.state_form import action_text, deals_first, is_own, is_undealt, strange_moves

VOIDS_ASKED: Final = 3
"""With this many void deals among the last ten, the player is asked before the next cut."""
OF_ANOTHER_DEVICE: Final = frozenset((DealFault.PROMISE_NOT_MINE, DealFault.MOVE_NOT_MINE))
"""Alarms that another device of the player's may explain: once they confirm it, these are no longer raised."""


class Checker(CardChecker):
    """One player's checks in one room."""

    def __init__(self, me: str, memory: Memory | None = None) -> None:
        super().__init__(me, memory)
        self.findings: list[Finding] = []
        """Every alarm so far. The newest ones are pending until the player decides."""
        self.decided = 0
        """How many of them the player has accepted."""
        self.notes: list[Finding] = []
        self.own_actions: Callable[[int], Sequence[OwnAction]] | None = None
        """This player's actions in a hand, in any program that shares the memory."""
        self.asks_about_voids = False
        """Whether the player must first decide whether to go on cutting after many void deals."""
        self._voids_asked = 0
        """The last deal for which the player was asked because of many voids."""
        self._voids_accepted = 0
        """The last deal up to which the player agreed to the voids."""
        self._state: State | None = None
        """The newest state that passed."""
        self._old_hand = -1
        """A hand dealt by a scheme that proves nothing; its player is told once."""
        self._persons: dict[int, str] = {}
        """The people and bots in the seats."""
        self._events: Counter[Hashable] = Counter()
        """The present round's events, as the room told them."""
        self._shown_rules: tuple[str, Any] = "", None
        """The game and the rules of the round `_ruled`, as last shown and accepted."""
        self._ruled: Mirror | None = None

    @property
    def is_alarmed(self) -> bool:
        """Whether there is an alarm that the player has not decided about."""
        return len(self.findings) > self.decided

    @property
    def alarms(self) -> tuple[Finding, ...]:
        """The alarms that the player has not decided about."""
        return tuple(self.findings[self.decided :])

    def accept_alarms(self, room: str = "") -> None:
        """Go on despite all alarms so far. The next state is taken as a new beginning, from which everything must
        follow again. With `room`, the player goes on in that one."""
        self.accepted.update(found.code for found in self.alarms if found.code in OF_ANOTHER_DEVICE)
        self.decided = len(self.findings)
        self.lose_sight()
        self._start = None
        if self.memory is not None:
            kept = self.memory
            begun = Memory(room or kept.room, missing_though_cut=kept.missing_though_cut)
            if begun.room == kept.room:
                begun = replace(
                    begun,
                    voids=kept.voids,
                    agreed_hand=kept.agreed_hand,
                    decided_deal=max((kept.deal, *self._deals)),
                    passed_deal=max(kept.deal, kept.passed_deal),
                )
            self.memory = begun

    def lose_sight(self) -> None:
        """Note that the connection was lost: nothing was seen until the next state."""
        self._was_away = True

    def agree_to_voids(self) -> None:
        """Note that the player goes on although many deals were void."""
        self._voids_accepted = self.memory.deal if self.memory is not None else 0
        self.asks_about_voids = False

    def agree_to_hand(self, hand: int) -> None:
        """Note that the player agrees to another deal of a hand that was void twice."""
        if self.memory is not None:
            self.memory = replace(self.memory, agreed_hand=hand)

    def is_open(self, deal: int) -> bool:
        """Whether a deal was seen fixed, and is not yet seen cut or void."""
        return self._open_deal == deal

    @property
    def cut_this_hand(self) -> bool:
        """Whether every deal of the present round was cut by this player; true while it has none."""
        return self._hand != self._old_hand and all(map(self._was_cut_here, self._shuffles))

    def _was_cut_here(self, number: int) -> bool:
        elsewhere = DealFault.PROMISE_NOT_MINE in self.accepted and self._is_listed(number)
        is_new = self.memory is not None and number >= self.memory.passed_deal
        return is_new and (number in self.gave or elsewhere)

    def _is_listed(self, number: int) -> bool:
        return any(cutter.seat == self._seat for cutter in self._deals[number].context.cutters)

    def alarm(self, code: DealFault, /, **facts: int | str) -> Finding:
        """Raise an alarm that the client found itself."""
        finding = Finding(code, dict(facts))
        self.findings.append(finding)
        return finding

    def see(self, raw: Any) -> Seen:
        """Check a ROOM_STATE. Any input leads to findings, never to an exception."""
        self._found, self._noted, self._carried = [], self._carried, []
        before = self.memory
        cut, gap, events, is_proved = None, None, (), True
        try:
            state = msgspec.convert(raw, State)
            gap = self._see(state)
            if not self._found and gap is None:
                is_proved = self._hand != self._old_hand
                events = self._heard(state) if is_proved else ()
                cut = self._wanted(state)
                # A player who has left the room hears nothing more of it.
                self._was_away = all(
                    member.id != self.me or member.away or member.stands for member in state.public.members
                )
                self._state = state
        except msgspec.ValidationError as error:
            self._fault(DealFault.STATE_MALFORMED, fault=str(error)[:200])
        except MirrorError as error:
            self._fault(error.code, **error.facts)
        except CHOKING as error:
            # No honest room sends what the rules cannot read.
            self._fault(DealFault.STATE_MALFORMED, fault=f"{type(error).__name__}: {error}"[:200])
        if self._found and before is not None:
            # Nothing is remembered of a state that did not pass.
            self.memory = before
        self.findings += self._found
        self.notes += self._noted
        found, noted = tuple(self._found), tuple(self._noted)
        return Seen(found, noted, None if found else cut, gap, self.memory is not before, events, is_proved)

    def bridge(self, missed: Sequence[Any], last: int) -> tuple[Finding, ...]:
        found = super().bridge(missed, last)
        self.findings += found
        return found

    def _see(self, state: State) -> tuple[int, int] | None:
        public = state.public
        self._seat = state.you.seat
        if self.memory is None:
            made = (news.deal for news in state.deals if isinstance(news, DealMade))
            self.memory = Memory(public.room_id, decided_deal=max(made, default=0))
        if public.room_id != self.memory.room:
            self._fault(DealFault.ROOM_REPLACED, room=public.room_id[:16])
            return None
        self._persons = {member.seat: member.id for member in public.members if member.seat is not None}
        self._members = {
            member.seat: member.id for member in public.members if member.seat is not None and not member.bot
        }
        own = next((member for member in public.members if member.id == self.me), None)
        self._place, self._is_away = (own.seat, own.away or own.stands) if own is not None else (None, True)
        if self._was_away or self._place != self._held:
            self._held = None
        self._forget_the_gone(state)
        self._watch_start(state)
        if public.hand != self._hand:
            self._turn_to(public.hand)
            self._events = Counter()
            hand, moves = self._recalled
            if public.hand == hand:
                self._moves = [dict(move) for move in moves]
        self._recalled = -1, ()
        if public.scheme != cut2.SCHEME:
            if self._old_hand != public.hand and public.payouts is None:
                self._fault(DealFault.SCHEME_OLD, scheme=public.scheme[:16])
            self._old_hand = public.hand
            return None
        self._was_here = self._last_setup is not None
        self._came_back = state.whole
        if state.whole:
            self._check_told_again(state)
            if self._deals and not state.deals:
                self._lose_round()
            self._deals, self._shuffles, self._mirror, self._moves = {}, [], None, []
            self._events = Counter()
            if self._was_away:
                self._open_deal = None
        self._moves += [dict(move) for move in state.moves]
        # Moves on the known deals come first: they decide whether the next deal is due.
        known = len(self._shuffles)
        if self._mirror is not None:
            self._take(self._mirror, [opening for opening in state.openings if opening.shuffle < known])
        for news in state.deals:
            gap = self._hear(news, state)
            if gap is not None or self._found:
                return gap
        if state.whole and 0 < self.memory.deal < public.deal:
            # The news belong to a round that is over, or come before the deal of the present one.
            return self.memory.deal + 1, public.deal
        if self.memory.deal and self.memory.deal != public.deal:
            self._fault(DealFault.DEAL_NOT_NEXT, deal=public.deal, expected=self.memory.deal)
        self._check_whole()
        self._follow(state, [opening for opening in state.openings if opening.shuffle >= known])
        self._check_own_moves(state)
        if state.whole and self._mirror is not None and not self._found:
            self._check_packs(self._mirror)
        return None

    def _check_told_again(self, state: State) -> None:
        """When the whole round is sent again, its moves must be those sent before. A hand cancelled before its cards
        has none, and nothing is sent of one that ended while this client was away."""
        is_gone = not state.moves and state.you.view is None and not (self._shuffles and state.deals)
        if list(state.moves[: len(self._moves)]) != self._moves and not is_gone:
            self._fault(DealFault.VIEW_MISMATCH, field="moves", hand=state.public.hand)

    def _check_packs(self, mirror: Mirror) -> None:
        """When the whole round is sent again, each shuffle must be of the pack that the rules had asked for by then."""
        packs = [*mirror.packs, *([mirror.wants.pack] if mirror.wants is not None else [])]
        numbers = [
            number for number, deal in self._deals.items() if not deal.missing and deal.context.hand == self._hand
        ]
        if len(numbers) > len(packs):
            self._fault(DealFault.HAND_BROKEN_OFF, deal=numbers[-1], hand=self._hand)
        for number, pack in zip(numbers, packs, strict=False):
            if canonical.write([str(card) for card in pack]) != self._deals[number].context.pack:
                self._fault(DealFault.PACK_MISMATCH, deal=number)

    def _forget_the_gone(self, state: State) -> None:
        """Between two matches, people come and go without notice. A player who left the room owes nothing once another
        match has begun."""
        assert self.memory is not None
        misses = self.memory.misses
        if state.public.phase == "lobby" and misses:
            here = {member.id for member in state.public.members} if not self._was_away else set()
            kept = {seat: replace(miss, gone=miss.gone or miss.member not in here) for seat, miss in misses.items()}
            self.memory = self.memory if kept == misses else replace(self.memory, misses=kept)

    def _hear(self, news: DealNews, state: State) -> tuple[int, int] | None:
        match news:
            case DealFixed():
                return self._fixed(news, state)
            case DealMade():
                self._made(news)
            case DealVoid():
                self._void(news)
            case DealOpened():
                self._opened(news)
        return None

    def _check_own_moves(self, state: State) -> None:
        """Nobody may act in this player's name, except the rules for a late player. Before the cards, nobody may put in
        chips for them."""
        game = GAMES.get(state.public.game)
        if self._found or DealFault.MOVE_NOT_MINE in self.accepted:
            return
        if self.own_actions is None or game is None or self._seat is None:
            return
        own, is_dealt = enumerate(self._own_moves), bool(self._shuffles)
        told = {number: action for number, action in own if is_own(game.action, action, is_dealt=is_dealt)}
        if told:
            strange = strange_moves(game.action, told, self.own_actions(self._hand))
            forced = self._mirror.by_itself(self._seat) if strange and self._mirror is not None else frozenset()
            for number in strange:
                if number not in forced:
                    self._fault(DealFault.MOVE_NOT_MINE, move=action_text(told[number])[:80])

    @property
    def _own_moves(self) -> list[Any]:
        moves = self._moves if self._mirror is None else self._mirror.moves
        return [move["action"] for move in moves if move["seat"] == self._seat]

    @property
    def next_own_move(self) -> int:
        """The number of this player's next move in this hand, by the moves that the room has told."""
        return len(self._own_moves)

    def _follow(self, state: State, openings: Sequence[CardOpening]) -> None:
        """Compare the room's state with what follows from the proofs and the moves."""
        mirror = self._mirror
        if self._found:
            return
        if mirror is None and self._shuffles:
            mirror = self._mirror = self._restored(state)
        if mirror is None:
            self._check_bare(state)
            return
        self._take(mirror, openings)
        if self._found:
            return
        if state.you.view is None:
            self._check_unseen(mirror, state)
            return
        self._check_rules(mirror, state)
        self._check_played(mirror)
        self._check_own_place(mirror)
        if mirror.payouts is None:
            mirror.pass_to(state.public.turn, self._seat, state.you.view)
        self._compare(mirror, state)

    def _check_unseen(self, mirror: Mirror, state: State) -> None:
        """In the lobby, and when a hand was cancelled before its cards, no round may be shown and nobody can act."""
        public = state.public
        if public.phase != "lobby" and self._shuffles:
            self._fault(DealFault.VIEW_MISMATCH, field="view", hand=public.hand)
        elif state.you.menu:
            self._fault(DealFault.VIEW_MISMATCH, field="menu", hand=public.hand)

    def _check_rules(self, mirror: Mirror, state: State) -> None:
        """While a round is shown, its game and rules must be shown, too."""
        public = state.public
        shown = public.game, public.rules
        if public.phase == "lobby" or (self._ruled is mirror and shown == self._shown_rules):
            return
        game = GAMES.get(public.game)
        if game is not mirror.game or read_rules(game, public.rules) != mirror.rules:
            self._fault(DealFault.RULES_CHANGED, deal=public.deal)
        else:
            self._ruled, self._shown_rules = mirror, shown

    def _check_own_place(self, mirror: Mirror) -> None:
        """This player must be dealt in only where their cut was used, and nobody may cut in their name."""
        if self._seat is None or not self._shuffles:
            return
        first = self._deals[self._shuffles[0]]
        if self._seat in mirror.dealt_in and not self._is_listed(first.context.deal):
            self._fault(DealFault.NOT_LISTED, deal=first.context.deal)
        for number in self._shuffles:
            own = self._deals[number].own_seat
            if own is not None and own != self._seat:
                self._fault(DealFault.SEAT_CHANGED, deal=number, seat=own, shown=self._seat)
            elif own is None and self._is_listed(number) and self._must_be_mine(number):
                self._fault(DealFault.PROMISE_NOT_MINE, deal=number)

    def _must_be_mine(self, number: int) -> bool:
        """Whether a cut for this player in a deal must be one that this client gave."""
        assert self.memory is not None
        return number > self.memory.decided_deal and DealFault.PROMISE_NOT_MINE not in self.accepted

    def _check_bare(self, state: State) -> None:
        """Before a deal is cut there can be no card, and, where the cards come first, nobody can act."""
        shown, public = cards_in(state.you.view), state.public
        if self._found:
            return
        if shown:
            self._fault(DealFault.CARD_WITHOUT_PROOF, place=shown[0])
        elif not is_undealt(public.game, state.you):
            self._fault(DealFault.STATE_MALFORMED, fault="view")
        elif state.you.menu and (state.you.view is None or deals_first(public.game, public.rules)):
            self._fault(DealFault.VIEW_MISMATCH, field="menu", hand=public.hand)

    def _compare(self, mirror: Mirror, state: State) -> None:
        """The view must be what the rules make of the moves and the proved cards."""
        shown, expected = state.you.view, mirror.view(self._seat)
        if not isinstance(shown, dict):
            self._fault(DealFault.STATE_MALFORMED, fault="view")
            return
        if mirror.game.stamping is not None:
            if shown.get("currentUid") != self._persons.get(expected["currentSeat"]):
                self._fault(DealFault.VIEW_MISMATCH, field="currentUid", hand=state.public.hand)
            for path in mirror.game.stamping.view_fields:
                shown, expected = without(shown, path), without(expected, path)
        if shown != expected:
            field = next((name for name in expected if shown.get(name) != expected[name]), "view")
            self._fault(DealFault.VIEW_MISMATCH, field=field, hand=state.public.hand)
        if state.you.menu and (self._seat is None or list(state.you.menu) != mirror.menu(self._seat)):
            self._fault(DealFault.VIEW_MISMATCH, field="menu", hand=state.public.hand)
        payouts = mirror.payouts
        if payouts is None and state.public.payouts is None:
            return
        if state.public.payouts != payouts:
            shown_row = _row(state.public.payouts or ())
            self._fault(DealFault.PAYOUT_MISMATCH, recorded=shown_row, computed=_row(payouts or ()))
        unopened = [number for number in self._shuffles if not self._deals[number].cards]
        if mirror.rules.opens_all and unopened:
            self._fault(DealFault.SECRET_NOT_REVEALED, deal=unopened[0])

    def _heard(self, state: State) -> tuple[Any, ...]:
        """The events that follow from the rules. A returning player also gets events of earlier rounds, which can no
        longer be checked."""
        mirror = self._mirror
        expected = mirror.heard(self._seat) if mirror is not None else Counter()
        # Of a hand that was called off nothing is shown.
        must_follow = mirror is not None and mirror.tells_all and state.you.view is not None
        good = []
        for event in state.events:
            if not isinstance(event, dict) or not isinstance(event.get("type"), str):
                self._fault(DealFault.STATE_MALFORMED, fault="events")
                return ()
            known = exact(event if mirror is None else mirror.unstamped(event))
            self._events[known] += 1
            if self._events[known] <= expected[known] or not (must_follow or cards_in(event)):
                good.append(event)
            elif not state.whole:
                self._fault(DealFault.VIEW_MISMATCH, field="events", hand=state.public.hand)
        if state.whole:
            # An event that does not follow belongs to an earlier round. The same event may occur again in this one.
            self._events &= expected
        return tuple(good)

    def wanted_now(self) -> CutWanted | None:
        """The cut that the room waits for, once the player has answered all questions."""
        return None if self._state is None or self.is_alarmed else self._wanted(self._state)

    def _wanted(self, state: State) -> CutWanted | None:
        """The cut that the room waits for from this player, if nothing forbids it."""
        assert self.memory is not None
        self.asks_about_voids = False
        seat, memory = self._seat, self.memory
        deal = self._deals.get(memory.deal)
        if seat is None or seat not in state.public.waits_for or deal is None or deal.cut or deal.missing:
            return None
        promise = next((cutter.promise for cutter in deal.context.cutters if cutter.seat == seat), None)
        if promise is None or deal.context.hand != self._hand:
            return None
        recent = [number for number in memory.voids if number > memory.deal - DEALS_LOOKED_AT]
        if len(recent) >= VOIDS_ASKED and max(recent) > self._voids_accepted:
            self.asks_about_voids = True
            if self._voids_asked != memory.deal:
                self._voids_asked = memory.deal
                self._note(DealNote.MANY_VOIDS, voids=len(recent), deals=DEALS_LOOKED_AT)
            return None
        return CutWanted(memory.deal, promise, memory.seal)


def _row(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers))
