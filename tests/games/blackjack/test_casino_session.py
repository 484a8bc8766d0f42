"""A casino session: commitments in order, chips that never vanish, and a log that tells all of it again."""

from collections import Counter
from hashlib import sha256

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier.dealing.seeds import commitment
from croupier.game.refusal import Refusal
from croupier.games.blackjack import CASINO, BlackjackRules, Double, Hit, Insurance, Split, Stand
from croupier.games.blackjack.casino.log import BetPlaced, Entry, LogError, Opened, Played
from croupier.games.blackjack.casino.session import (
    CHECKPOINT_ENTRIES,
    Bet,
    Command,
    Convert,
    Inputs,
    Play,
    Refill,
    Rotate,
    handle,
    opened,
    records,
    replay,
)
from croupier.games.blackjack.casino.step import (
    CLIENT_SEEDS_PER_SERVER_SEED_MAX,
    CLIENT_SEEDS_REMEMBERED_MAX,
    HISTORY_ROUNDS_MAX,
    Done,
    Session,
    begun,
    house,
    stakes,
    wallet,
)
from croupier.wire.casino_log import read_entry, write_entry
from croupier.wire.records import Verdict, line, verify


class SessionKeeper:
    """A session as an actor would keep it: the log as bytes, the secrets apart, the accounts."""

    def __init__(self, chips: int = 1000, rules: BlackjackRules = CASINO) -> None:
        self.rules = rules
        self.seeds = (sha256(b"server seed %d" % number).hexdigest() for number in range(10**6))
        self.log: list[bytes] = []
        self.secrets: dict[str, str] = {}
        self.accounts: Counter[str] = Counter()
        self.session: Session
        self._keep(opened("ann", chips, (next(self.seeds), next(self.seeds)), at_ms=0, balance_units=0))

    def do(self, command: Command) -> Refusal | None:
        inputs = Inputs(
            at_ms=len(self.log),
            balance_units=self.accounts[wallet("ann", self.session.ledger)],
            server_seed=self.secrets[self.session.server_seed_hash],
            fresh_seed=next(self.seeds),
        )
        done = handle(self.session, command, inputs)
        if isinstance(done, Refusal):
            return done
        self._keep(done)
        return None

    def bet(self, amount: int = 10, client_seed: str = "a seed of my own") -> Refusal | None:
        return self.do(Bet(self.rules, amount, client_seed))

    def finish(self) -> None:
        """Stands, without insurance, until the round is over."""
        while (running := self.session.running) is not None:
            asked = running.view(0).asked
            assert self.do(Play(Insurance(take=False) if asked else Stand())) is None

    def replayed(self, after: int = 0) -> Session:
        return replay(self.entries[after:], self.secrets.values())

    @property
    def entries(self) -> list[Entry]:
        return [read_entry(stored) for stored in self.log]

    def verified(self) -> Verdict:
        return verify(line(entry) for entry in records(self.entries, self.secrets.values()))

    def _keep(self, done: Done) -> None:
        self.session = done.session
        self.log.append(write_entry(done.entry))
        self.secrets |= {commitment(seed): seed for seed in done.keep}
        for name in done.forget:
            del self.secrets[name]
        accounts = [movement.account for movement in done.movements]
        assert len(set(accounts)) == len(accounts)
        for movement in done.movements:
            self.accounts[movement.account] += movement.units


def _chosen(keeper: SessionKeeper, number: int) -> Command:
    """One of the commands that make sense now: by the menu in a round, else a bet or a rotation."""
    running = keeper.session.running
    if running is not None:
        menu = running.menu(0)
        return Play(menu[number % len(menu)].action)
    if number % 5 == 0:
        return Rotate()
    return Bet(keeper.rules, 1 + number % 400, f"client seed {number % 3} of {keeper.session.server_seed_hash}")


@settings(max_examples=40)
@given(st.lists(st.integers(0, 10**6), max_size=25))
def test_a_replay_of_the_log_is_the_session_after_every_step(choices: list[int]) -> None:
    keeper = SessionKeeper()
    for number in choices:
        keeper.do(_chosen(keeper, number))
        assert keeper.replayed() == keeper.session


@settings(max_examples=40)
@given(st.lists(st.integers(0, 10**6), max_size=25))
def test_no_chip_is_lost_and_every_account_is_right_after_every_step(choices: list[int]) -> None:
    keeper = SessionKeeper()
    for number in choices:
        keeper.do(_chosen(keeper, number))
        assert sum(keeper.accounts.values()) == 0
        assert keeper.accounts[wallet("ann")] == keeper.session.balance_units >= 0
        running = keeper.session.running
        if running is None:
            assert keeper.accounts[stakes("ann")] == 0
        else:
            seat = running.view(0).seats[0]
            assert keeper.accounts[stakes("ann")] == sum(hand.bet for hand in seat.hands) + seat.insurance
            assert seat.chips == keeper.accounts[wallet("ann")]


@settings(max_examples=20)
@given(st.lists(st.integers(0, 10**6), min_size=5, max_size=25))
def test_everything_verifies_once_the_last_seed_is_revealed(choices: list[int]) -> None:
    keeper = SessionKeeper(chips=100_000)
    for number in choices:
        keeper.do(_chosen(keeper, number))
    keeper.finish()
    keeper.do(Rotate())
    verdict = keeper.verified()
    assert len(verdict.rounds) == keeper.session.rounds
    assert verdict.ok or keeper.session.rounds == 0


def test_no_secret_stands_in_the_log_or_in_the_summary_before_it_is_revealed() -> None:
    keeper = SessionKeeper()
    for _ in range(3):
        keeper.bet()
        keeper.finish()
        everything = b"".join(keeper.log) + msgspec.json.encode(keeper.session.summary)
        for seed in keeper.secrets.values():
            assert seed.encode() not in everything
            assert seed not in repr(keeper.session) + repr(keeper.session.round)


def test_the_next_commitment_is_shown_before_the_present_seed_is_revealed() -> None:
    keeper = SessionKeeper()
    committed, announced = keeper.session.server_seed_hash, keeper.session.next_server_seed_hash
    keeper.bet()
    keeper.finish()
    assert keeper.do(Rotate()) is None
    assert keeper.session.server_seed_hash == announced
    revealed = keeper.session.history[-1].server_seed
    assert revealed is not None
    assert commitment(revealed) == committed
    assert committed not in keeper.secrets
    assert (keeper.session.client_seed, keeper.session.nonce) == (None, 0)


def test_before_its_seed_is_revealed_a_round_can_be_downloaded_but_not_proved() -> None:
    keeper = SessionKeeper()
    keeper.bet()
    keeper.finish()
    assert {found.code for _, found in keeper.verified().findings} == {"SEED_NOT_REVEALED"}
    keeper.do(Rotate())
    assert keeper.verified().ok


def test_the_round_that_runs_is_not_among_the_records() -> None:
    keeper = _keeper_in_play()
    assert list(records(keeper.entries, keeper.secrets.values())) == []


def test_nonces_count_the_rounds_of_a_pair_of_seeds() -> None:
    keeper = SessionKeeper()
    for client_seed in ("first seed", "first seed", "second seed", "second seed"):
        keeper.bet(client_seed=client_seed)
        keeper.finish()
    assert [settled.nonce for settled in keeper.session.history] == [0, 1, 0, 1]


def test_the_last_rounds_are_remembered() -> None:
    keeper = SessionKeeper()
    for _ in range(HISTORY_ROUNDS_MAX + 2):
        keeper.bet()
        keeper.finish()
    assert [settled.round_id for settled in keeper.session.history] == list(range(3, HISTORY_ROUNDS_MAX + 3))


def test_a_refused_bet_uses_no_nonce() -> None:
    keeper = SessionKeeper()
    assert keeper.bet(5000) is not None
    assert (keeper.session.nonce, keeper.session.client_seed, keeper.session.version) == (0, None, 1)


def test_a_client_seed_that_comes_again_goes_on_with_its_next_nonce() -> None:
    keeper = SessionKeeper()
    for client_seed in ("first seed", "second seed", "first seed", "first seed", "second seed", "third seed"):
        keeper.bet(client_seed=client_seed)
        keeper.finish()
    assert [settled.nonce for settled in keeper.session.history] == [0, 0, 1, 2, 1, 0]
    assert keeper.session.pairs == 3
    assert keeper.replayed() == keeper.session
    keeper.do(Rotate())
    assert keeper.verified().ok


def test_a_seed_of_which_only_a_fingerprint_is_left_is_not_taken_again() -> None:
    """As in the checkpoints of the first release, which say of no seed but the last how often it was used."""
    keeper = SessionKeeper()
    for client_seed in ("first seed", "second seed"):
        keeper.bet(client_seed=client_seed)
        keeper.finish()
    keeper.session = replace(keeper.session, paused={})
    assert keeper.bet(client_seed="first seed") == Refusal("CLIENT_SEED_USED")


def test_a_new_commitment_needs_a_fresh_client_seed() -> None:
    keeper = SessionKeeper()
    keeper.bet(client_seed="first seed")
    keeper.finish()
    keeper.do(Rotate())
    assert keeper.bet(client_seed="first seed") == Refusal("CLIENT_SEED_USED")
    assert keeper.bet(client_seed="second seed") is None


def test_a_server_seed_sees_so_many_client_seeds_and_then_must_be_rotated() -> None:
    assert CLIENT_SEEDS_REMEMBERED_MAX >= CLIENT_SEEDS_PER_SERVER_SEED_MAX
    keeper = SessionKeeper()
    keeper.session = replace(keeper.session, client_seed="the last one", pairs=CLIENT_SEEDS_PER_SERVER_SEED_MAX)
    assert keeper.bet(client_seed="one too many") == Refusal(
        "ROTATE_SEED_FIRST", {"most": CLIENT_SEEDS_PER_SERVER_SEED_MAX}
    )
    assert keeper.bet(client_seed="the last one") is None
    keeper.finish()
    assert keeper.do(Rotate()) is None
    assert keeper.bet(client_seed="one too many") is None


@pytest.mark.parametrize(("client_seed", "taken"), [("7 chars", False), ("8 charac", True), ("é" * 256, True)])
def test_a_client_seed_has_8_to_256_characters(client_seed: str, taken: bool) -> None:
    assert (SessionKeeper().bet(client_seed=client_seed) is None) is taken
    refusal = Refusal("BAD_CLIENT_SEED", {"length": 257, "low": 8, "high": 256})
    assert SessionKeeper().bet(client_seed="é" * 257) == refusal


@pytest.mark.parametrize("amount", [-1, 0, 4, 501, 2**53])
def test_a_bet_out_of_the_limits_is_called_that_however_poor_the_player_is(amount: int) -> None:
    limited = replace(CASINO, bet_min=5, bet_max=500)
    for chips in (0, 3, 1000):
        refusal = SessionKeeper(chips, limited).bet(amount)
        assert refusal == Refusal("BET_OUT_OF_RANGE", {"amount": amount, "low": 5, "high": 500})


def test_a_bet_that_the_wallet_cannot_pay_is_refused() -> None:
    assert SessionKeeper(chips=99).bet(100) == Refusal("INSUFFICIENT_FUNDS", {"needed": 100, "available": 99})
    assert SessionKeeper(chips=0).bet(100) == Refusal("INSUFFICIENT_FUNDS", {"needed": 100, "available": 0})
    assert SessionKeeper(chips=100).bet(100) is None


def _keeper_in_play(chips: int = 1000) -> SessionKeeper:
    """A session with a round in which a hand is to be played."""
    keeper = SessionKeeper(chips)
    while True:
        keeper.bet(100)
        running = keeper.session.running
        if running is not None and not running.view(0).asked:
            return keeper
        keeper.finish()


def test_one_round_at_a_time() -> None:
    keeper = _keeper_in_play()
    assert keeper.bet() == Refusal("GAME_IN_PROGRESS")


def test_the_seed_of_a_running_round_is_not_revealed() -> None:
    keeper = _keeper_in_play()
    assert keeper.do(Rotate()) == Refusal("GAME_IN_PROGRESS")


def test_a_seed_that_dealt_nothing_is_not_rotated() -> None:
    assert SessionKeeper().do(Rotate()) == Refusal("NOTHING_TO_REVEAL")


def test_without_a_round_there_is_nothing_to_play() -> None:
    keeper = SessionKeeper()
    assert keeper.do(Play(Hit())) == Refusal("GAME_NOT_INROUND")
    keeper.bet()
    keeper.finish()
    assert keeper.do(Play(Stand())) == Refusal("GAME_NOT_INROUND")


def test_a_double_is_refused_when_the_chips_have_left_the_wallet_meanwhile() -> None:
    keeper = _keeper_in_play()
    keeper.accounts[wallet("ann")] = 60
    assert keeper.do(Play(Double())) == Refusal("INSUFFICIENT_FUNDS", {"needed": 100, "available": 60})
    assert keeper.do(Play(Stand())) is None
    assert keeper.session.balance_units == keeper.accounts[wallet("ann")] >= 60


def test_a_running_round_goes_on_by_the_rules_it_began_with() -> None:
    keeper = _keeper_in_play()
    keeper.rules = replace(CASINO, decks=1, bet_max=10)
    running = keeper.replayed().running
    assert running is not None
    assert running.rules == CASINO


def test_a_replay_can_begin_at_a_checkpoint() -> None:
    keeper = SessionKeeper(chips=10**6)
    while keeper.session.checkpoint == 1:
        keeper.bet()
        keeper.finish()
    assert keeper.session.checkpoint > CHECKPOINT_ENTRIES
    entry = keeper.entries[keeper.session.checkpoint - 1]
    assert isinstance(entry, BetPlaced)
    assert entry.before is not None
    assert keeper.replayed(after=keeper.session.checkpoint - 1) == keeper.session == keeper.replayed()


@pytest.mark.parametrize("damage", ["empty", "beginning", "middle", "seed", "text"])
def test_a_damaged_log_is_an_error_that_says_so(damage: str) -> None:
    keeper = _keeper_in_play()
    match damage:
        case "empty":
            keeper.log.clear()
        case "beginning":
            del keeper.log[0]
        case "middle":
            keeper.log.insert(1, keeper.log[-1])
        case "seed":
            keeper.secrets.clear()
        case "text":
            keeper.log[-1] = keeper.log[-1][:-5]
    with pytest.raises(LogError):
        keeper.replayed()


def test_an_entry_has_the_same_bytes_as_ever() -> None:
    keeper = SessionKeeper(chips=1000)
    keeper.bet(10, "a seed of my own")
    rules = msgspec.json.encode(keeper.rules).decode()
    bet = keeper.log[1].decode()
    assert bet.startswith(f'{{"type":"BET_PLACED","game":"blackjack","edition":2,"rules":{rules},"amount":10,')
    assert bet.endswith('"clientSeed":"a seed of my own","before":null,"atMs":1,"balanceChips":1000,"chain":""}')
    assert write_entry(read_entry(keeper.log[1])) == keeper.log[1]
    played = Played(at_ms=7, balance_units=5, action=Insurance(take=True), chain="ab")
    action = b'{"type":"BLACKJACK_INSURANCE","take":true}'
    assert write_entry(played) == b'{"type":"PLAYED","action":%b,"atMs":7,"balanceChips":5,"chain":"ab"}' % action


def test_a_bet_of_another_game_or_edition_is_an_error_that_says_so() -> None:
    keeper = _keeper_in_play()
    changes = [
        (b'"game":"blackjack"', b'"game":"roulette"', "the casino does not deal the game roulette"),
        (b'"edition":2,"rules"', b'"edition":9,"rules"', "a bet of edition 9 has rules of edition 2"),
    ]
    for was, becomes, message in changes:
        log = [read_entry(entry.replace(was, becomes)) for entry in keeper.log]
        with pytest.raises(LogError, match=message):
            replay(log, keeper.secrets.values())


def test_nothing_that_holds_seeds_prints_them() -> None:
    secret = "ab" * 32
    inputs = Inputs(at_ms=0, balance_units=0, server_seed=secret, fresh_seed=secret)
    done = opened("ann", 5, (secret, "cd" * 32), at_ms=0, balance_units=0)
    assert secret not in repr(inputs) + repr(done)


def _keeper_with_an_ace_up(blackjack: bool, pair: bool = False) -> SessionKeeper:
    """A session with a round in which insurance is offered; with blackjack, or not, in the dealer's hand."""
    for number in range(20_000):
        keeper = SessionKeeper(chips=10_000)
        keeper.bet(100, f"insurance seed {number}")
        running = keeper.session.running
        if running is None or not running.state.undecided or running.state.seats[0].hands[0].status != "active":
            continue
        first, up, second, hole = running.dealt
        ends = str(hole)[0] in "TJQK"
        if ends == blackjack and (str(first)[0] == str(second)[0]) == pair and str(up)[0] == "A":
            return keeper
    raise AssertionError("no such deal")


@pytest.mark.parametrize("action", [Hit(), Stand(), Double()])
def test_insurance_is_declined_by_playing_on_and_the_dealer_looks_first(action: Hit | Stand | Double) -> None:
    keeper = _keeper_with_an_ace_up(blackjack=False)
    assert keeper.do(Play(action)) is None
    played = keeper.session.round
    assert played is not None
    assert [move.action for move in played.moves[1:]] == [Insurance(take=False), action]
    assert played.state.seats[0].insurance == 0
    assert keeper.replayed() == keeper.session
    keeper.finish()
    keeper.do(Rotate())
    assert keeper.verified().ok


@pytest.mark.parametrize("action", [Hit(), Stand(), Double()])
def test_playing_on_into_a_dealers_blackjack_loses_the_bet_and_no_more(action: Hit | Stand | Double) -> None:
    keeper = _keeper_with_an_ace_up(blackjack=True)
    assert keeper.do(Play(action)) is None
    played = keeper.session.round
    assert played is not None
    assert played.over
    assert [move.action for move in played.moves[1:]] == [Insurance(take=False)]
    assert (len(played.dealt), played.payouts) == (4, (-100,))


@pytest.mark.parametrize("blackjack", [True, False])
def test_what_could_not_be_played_is_refused_whatever_the_hole_card_is(blackjack: bool) -> None:
    keeper = _keeper_with_an_ace_up(blackjack)
    assert keeper.do(Play(Split())) == Refusal("CANNOT_SPLIT", {"hands": 2})
    assert keeper.session.running is not None
    assert keeper.session.running.state.undecided, "insurance is still to be decided"


def _first_release(chips: int = 1000) -> SessionKeeper:
    """A session as the first release kept it: in whole chips, in accounts of its own."""
    keeper = SessionKeeper(chips)
    entry = keeper.entries[0]
    assert isinstance(entry, Opened)
    old = msgspec.json.encode({**msgspec.to_builtins(entry), "type": "OPENED"})
    old = old.replace(b',"ledger":2', b"")
    keeper.log[0] = old
    read_again = read_entry(old)
    assert isinstance(read_again, Opened)
    keeper.session = begun(read_again)
    keeper.accounts = Counter({wallet("ann", 1): chips, house(1): -chips})
    return keeper


def test_a_wallet_of_the_first_release_opens_multiplied_and_no_chip_comes_or_goes() -> None:
    keeper = _first_release(1000)
    assert (keeper.session.ledger, keeper.session.chip) == (1, 1)
    assert keeper.bet(15) is None
    keeper.finish()
    left = keeper.session.balance_units
    assert keeper.accounts[wallet("ann", 1)] == left
    history = keeper.session.history[-1]
    assert keeper.do(Convert()) is None
    assert (keeper.session.ledger, keeper.session.balance_units) == (2, 100 * left)
    assert keeper.accounts == Counter(
        {wallet("ann", 1): 0, house(1): 0, wallet("ann"): 100 * left, house(): -100 * left, stakes("ann", 1): 0}
    )
    assert keeper.session.history[-1] == replace(
        history, staked=100 * history.staked, final_payout=100 * history.final_payout
    )
    assert keeper.do(Convert()) is not None, "once is enough"
    assert keeper.replayed() == keeper.session
    assert keeper.bet(1550, "after the conversion") is None
    keeper.finish()
    assert keeper.replayed() == keeper.session
    keeper.do(Rotate())
    verdict = keeper.verified()
    assert verdict.ok
    assert len(verdict.rounds) == 2


def test_a_round_of_the_first_release_ends_in_whole_chips_before_its_wallet_is_converted() -> None:
    keeper = _first_release()
    while keeper.session.running is None:
        assert keeper.bet(15) is None
    assert keeper.do(Convert()) is not None
    assert keeper.session.ledger == 1
    keeper.finish()
    assert keeper.do(Convert()) is None


def test_a_wallet_that_cannot_pay_a_chip_is_filled_up_and_one_that_can_is_not() -> None:
    keeper = SessionKeeper(chips=100)
    assert keeper.do(Refill(500)) == Refusal("WALLET_NOT_EMPTY", {"available": 100})
    keeper = SessionKeeper(chips=99)
    assert keeper.do(Refill(500)) is None
    assert keeper.session.balance_units == 599
    assert keeper.replayed() == keeper.session
