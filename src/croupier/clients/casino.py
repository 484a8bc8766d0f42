"""A player's session at the casino: bets with seeds of its own, and believes nothing that it has not checked.

    async with Client(url, nickname="Ann") as client:
        casino = await CasinoSession.enter(client)
        state = await casino.bet(10)
        while state["status"] == "playing":
            state = await casino.act("BLACKJACK_STAND")

Everything is written to the player's own log in the vault before it counts: each bet with its seeds before it goes out,
each card that was shown. Programs that share a vault share the log, so the server cannot lie to one of them about the
others. When the server does what an honest one does not, `AlarmError` is raised, and nothing is bet until
`accept_alarms`.
"""

import time
from hashlib import sha256
from typing import Any, Final

import msgspec

from croupier.clients.alarm import AlarmError
from croupier.clients.connection import PASSING, Client, RefusedError
from croupier.dealing.findings import Finding
from croupier.dealing.seeds import check_client_seed
from croupier.dealing.shuffle1_checks import Shown, ShownRound
from croupier.dealing.shuffle1_client import Notebook
from croupier.dealing.shuffle1_log import Began, BetSent, Line, RotationAsked
from croupier.games.blackjack.rules.state import Phase
from croupier.wire.casino import GameState, HistoryResponse, SeedsResponse, SeedsView, SettledRound
from croupier.wire.own_logs import read_casino_lines, write_casino_line

SEED_BYTES: Final = 32
REVEAL_TRIES_MAX: Final = 3
"""How often a reveal may be refused for a temporary reason before it counts as refused."""
ROUND_ENDED: Final = Phase.CASHED_OUT
PASSED_THROUGH: Final = (Phase.DEALING, Phase.DEALER, Phase.FINISHED)


class CasinoSession:
    """One player at the casino. `state` is the newest one that passed the checks."""

    def __init__(self, client: Client) -> None:
        self.state: dict[str, Any] = {}
        self.notebook = Notebook()
        self.decks = 0
        self._client = client
        self._vault = client.environment.vault
        self._lines_read = 0
        self._shown: Shown | None = None
        """What the server showed last, checked or not."""

    @classmethod
    async def enter(cls, client: Client) -> "CasinoSession":
        """Load what is known of this player's session, and check its present state. Raises AlarmError if it is not
        right."""
        session = cls(client)
        session._sync()
        if not session._vault.lines(session.log_name):
            session._write(Began(at_ms=_now_ms(), server=client.url, player=client.player_id))
        parameters = await client.request("BLACKJACK_GET_PARAMS")
        session.decks = int(parameters["gameParameters"]["deckCount"])
        client.hearers["BLACKJACK_GAME_STATE"] = session._hear
        await session._arrive()
        return session

    @property
    def log_name(self) -> str:
        """The player's own log, in the vault. Its name is made from the token, which no server can choose anew."""
        return f"shuffle1/{sha256(self._client.token.encode()).hexdigest()[:32]}"

    @property
    def log(self) -> list[str]:
        """The player's own log, for `croupier verify RECORD --mine LOG`."""
        return self._vault.lines(self.log_name)

    @property
    def alarms(self) -> tuple[Finding, ...]:
        """What the player must decide about before anything is bet."""
        return tuple(Finding(alarm.code, alarm.facts) for alarm in self.notebook.alarms)

    async def bet(self, amount: float, client_seed: str | None = None) -> dict[str, Any]:
        """Begin a round and return the state after the deal. Without a client seed, a fresh one is made for this bet. A
        given seed may be used for several bets, but then the server knows the later rounds in advance."""
        await self._finish_rotation()
        if client_seed is not None:
            self._check_typed(client_seed)
        elif self.notebook.rotation_due(self.client_seeds_left):
            await self.rotate()
        fresh = self._client.environment.chance(SEED_BYTES).hex()
        bet = self.notebook.bet(amount, self._client.environment.new_id(), fresh, _now_ms(), client_seed)
        if bet is None:
            raise AlarmError(self.alarms)
        self._write(bet)
        try:
            answer = await self._client.request(
                "PLACE_BET",
                amount=amount,
                clientSeed=bet.client_seed,
                gameParams={"blackjack": {}},
                commandId=bet.command_id,
                expectedVersion=self.state["version"],
            )
        except RefusedError as refused:
            await self._refused(bet, refused)
            raise
        return self._take(answer, bet)

    async def act(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Play an action, such as `BLACKJACK_HIT`, and return the state after it."""
        self._sync()
        self._hold()
        command_id, version = self._client.environment.new_id(), self.state["version"]
        try:
            answer = await self._client.request(kind, commandId=command_id, expectedVersion=version, **fields)
        except RefusedError as refused:
            if refused.code == "STALE_VERSION":
                await self.refresh()
            raise
        return self._take(answer)

    async def refresh(self) -> dict[str, Any]:
        """Ask for the present state."""
        self._sync()
        known = self.notebook.version
        answer = await self._client.request("BLACKJACK_GET_STATE")
        shown = self._read_state(answer)
        if shown is not None and self.notebook.has_lost(shown):
            # It ended on another device, perhaps.
            history = self._read_history(await self._client.request("BLACKJACK_HISTORY"))
            self._write(*self.notebook.see_history(history, _now_ms()))
        return self._take(answer, since=known)

    async def rotate(self) -> None:
        """Have the server seed revealed, and check every round that was dealt by it."""
        for tries_left in reversed(range(REVEAL_TRIES_MAX)):
            self._sync()
            asked = self.notebook.ask_rotation(self._client.environment.new_id(), self.state["version"], _now_ms())
            if asked is None:
                raise AlarmError(self.alarms)
            if self.notebook.asked is None:
                self._write(asked)
            try:
                answer = await self._client.request(
                    "BLACKJACK_ROTATE_SEED", commandId=asked.command_id, expectedVersion=asked.version
                )
            except RefusedError as refused:
                if await self._asks_again(asked, refused, tries_left):
                    continue
                raise
            self._reveal(answer)
            await self.refresh()
            return

    async def accept_alarms(self) -> None:
        """Go on despite all alarms so far, from what the server shows now."""
        answer = await self._client.request("BLACKJACK_GET_STATE")
        self._sync()
        shown = self._read_state(answer)
        self._hold_sense(shown)
        assert shown is not None
        self._write(self.notebook.decide(shown, _now_ms()))
        self._take(answer)

    @property
    def client_seeds_left(self) -> int:
        """How many more client seeds the server takes before it wants to be asked for a reveal."""
        return 0 if self._shown is None else self._shown.client_seeds_left

    async def _arrive(self) -> None:
        self._sync()
        known = self.notebook.version
        answer = await self._client.request("BLACKJACK_GET_STATE")
        history = self._read_history(await self._client.request("BLACKJACK_HISTORY"))
        shown = self._read_state(answer)
        self._sync()
        if shown is not None:
            past = [played for played in history if shown.round is None or played.draw != shown.round.draw]
            self._write(*self.notebook.see_history(past, _now_ms()))
            self._write(*self.notebook.arrive(shown, history, _now_ms(), known))
        self._hold()
        self.state = answer
        await self._finish_rotation()

    async def _finish_rotation(self) -> None:
        """A reveal that was asked for and never answered is asked for again."""
        self._sync()
        self._hold()
        if self.notebook.asked is not None:
            await self.rotate()

    async def _refused(self, bet: BetSent, refused: RefusedError) -> None:
        self._sync()
        self._write(*self.notebook.refuse(bet, refused.code, self.client_seeds_left, _now_ms()))
        self._hold()
        if refused.code == "STALE_VERSION":
            history = self._read_history(await self._client.request("BLACKJACK_HISTORY"))
            self._write(*self.notebook.see_history(history, _now_ms()))
            await self.refresh()

    async def _asks_again(self, asked: RotationAsked, refused: RefusedError, tries_left: int) -> bool:
        """Whether to ask again for a refused reveal: a limited number of times, and not if the reason is untrue."""
        self._sync()
        passing = refused.code in (*PASSING, "STALE_VERSION") and tries_left > 0
        running = any(not seen.over for seen in self.notebook.rounds.values())
        self._write(*self.notebook.refuse_rotation(asked, refused.code, running or passing, _now_ms()))
        self._hold()
        if passing:
            await self.refresh()
        return passing

    def _reveal(self, answer: dict[str, Any]) -> None:
        self._sync()
        try:
            told = msgspec.convert(answer, SeedsResponse)
        except msgspec.ValidationError as error:
            self._write(*self.notebook.see_nonsense(str(error), _now_ms()))
            raise AlarmError(self.alarms) from None
        shown = self._seeds_shown(told.seeds, told.version)
        if self.notebook.asked is not None:
            self._write(*self.notebook.reveal(str(told.revealed), shown, _now_ms()))
        self._hold()

    def _hear(self, frame: dict[str, Any]) -> None:
        """Take a state that was not asked for: another program of this player caused it."""
        if frame.get("status") in PASSED_THROUGH:
            return
        shown = self._read_state(frame)
        self._sync()
        if shown is None:
            return
        self._write(*self.notebook.see(shown, _now_ms()))
        if not self.notebook.alarms and shown.version >= self.state.get("version", 0):
            self.state = frame

    def _take(self, answer: dict[str, Any], bet: BetSent | None = None, since: int = 0) -> dict[str, Any]:
        """Check a state that was asked for. It is shown only if it is right."""
        shown = self._read_state(answer)
        self._sync()
        self._hold_sense(shown)
        assert shown is not None
        if bet is not None:
            self._write(*self.notebook.answer(bet, shown, _now_ms()))
        else:
            self._write(*self.notebook.see(shown, _now_ms(), since))
        self._hold()
        if shown.version >= self.state.get("version", 0):
            self.state = answer
        return self.state

    def _read_state(self, frame: dict[str, Any]) -> Shown | None:
        """The meaning of a state; None for one that cannot be read, which is an alarm."""
        try:
            told = msgspec.convert(frame, GameState)
            shown = self._seeds_shown(told.seeds, told.version, round_shown(told))
        except ValueError as error:
            self._sync()
            self._write(*self.notebook.see_nonsense(str(error), _now_ms()))
            return None
        self._shown = shown
        return shown

    def _seeds_shown(self, seeds: SeedsView, version: int, played: ShownRound | None = None) -> Shown:
        return Shown(
            version=version,
            server_seed_hash=seeds.server_seed_hash,
            next_server_seed_hash=seeds.next_server_seed_hash,
            decks=self.decks,
            client_seeds_left=seeds.client_seeds_left,
            round=played,
        )

    def _read_history(self, answer: dict[str, Any]) -> tuple[ShownRound, ...]:
        try:
            return tuple(map(_past_round, msgspec.convert(answer, HistoryResponse).rounds))
        except msgspec.ValidationError as error:
            self._write(*self.notebook.see_nonsense(str(error), _now_ms()))
            return ()

    def _check_typed(self, client_seed: str) -> None:
        if check_client_seed(client_seed):
            raise ValueError("a client seed has 8 to 256 characters")
        if self.notebook.was_typed_elsewhere(client_seed):
            raise ValueError("this client seed was used under another server seed: the house knows it already")

    def _hold(self) -> None:
        if self.notebook.alarms:
            raise AlarmError(self.alarms)

    def _hold_sense(self, shown: Shown | None) -> None:
        if shown is None:
            raise AlarmError(self.alarms)

    def _write(self, *lines: Line) -> None:
        """Append lines to the log and add them to what is known."""
        for line in lines:
            self._vault.append(self.log_name, write_casino_line(line))
        if lines:
            self._sync()

    def _sync(self) -> None:
        """Read what this and other programs of the player have written."""
        for _, line in read_casino_lines(fresh := self._vault.lines(self.log_name, self._lines_read)):
            if line is not None:
                self.notebook.take(line)
        self._lines_read += len(fresh)


def round_shown(state: GameState) -> ShownRound | None:
    """The round of a state; None before the first."""
    if state.client_seed is None or not state.player_hands or state.dealer_hand is None:
        return None
    return ShownRound(
        server_seed_hash=state.server_seed_hash,
        client_seed=state.client_seed,
        nonce=state.nonce,
        round_id=state.round_id,
        cards=cards_dealt(
            [[str(card) for card in hand.cards] for hand in state.player_hands],
            [str(card) for card in state.dealer_hand.cards],
        ),
        over=state.status == ROUND_ENDED,
        balance=state.balance,
        staked=state.total_bet,
        payout=None if isinstance(state.final_payout, msgspec.UnsetType) else state.final_payout,
        server_seed=None if isinstance(state.server_seed, msgspec.UnsetType) else state.server_seed,
    )


def cards_dealt(hands: list[list[str]], dealer: list[str]) -> tuple[str | None, ...]:
    """The cards on the table in the order in which they were dealt, None for the hole card while it lies face down.

    First come player, dealer, player, dealer; after a split one card for each hand; then the cards of the first hand,
    of the second, and of the dealer. Raises ValueError for a table that the casino cannot have.
    """
    if len(hands) not in (1, 2) or not dealer or any(len(hand) < 2 for hand in hands):
        raise ValueError(f"{len(hands)} hands against {len(dealer)} cards of the dealer")
    up, hole, *drawn = (*dealer, None) if len(dealer) == 1 else dealer
    if len(hands) == 1:
        first, second, *more = hands[0]
        return (first, up, second, hole, *more, *drawn)
    (first, third, *more), (second, fourth, *others) = hands
    return (first, up, second, hole, third, fourth, *more, *others, *drawn)


def _past_round(settled: SettledRound) -> ShownRound:
    return ShownRound(
        server_seed_hash=settled.server_seed_hash,
        client_seed=settled.client_seed,
        nonce=settled.nonce,
        round_id=settled.round_id,
        cards=(),
        over=True,
        balance=0,
        staked=settled.staked,
        payout=settled.final_payout,
        server_seed=settled.server_seed,
    )


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
