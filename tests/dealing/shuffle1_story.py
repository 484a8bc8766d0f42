"""A player at a server that deals by `shuffle-1`: what the notebook is asked, and the lines that it gives."""

import json
from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace

from croupier.cards import packs
from croupier.dealing.seeds import commitment
from croupier.dealing.shuffle import shuffle
from croupier.dealing.shuffle1_checks import Shown, ShownRound
from croupier.dealing.shuffle1_client import Notebook
from croupier.dealing.shuffle1_log import BetSent, Line, RotationAsked

DECKS = 1
CARDS = [str(card) for card in packs(DECKS)]

Step = dict[str, Any]


def seed(name: str) -> str:
    return sha256(name.encode()).hexdigest()


def plain(value: object) -> Any:
    return json.loads(msgspec.json.encode(value))


class Story:
    """A notebook and the server that it sees."""

    def __init__(self) -> None:
        self.notebook = Notebook()
        self.steps: list[Step] = []
        self.version = 1
        self.seeds = [seed("first"), seed("second"), seed("third"), seed("fourth")]
        self.at = 0
        self.left = 256
        self.round: ShownRound | None = None
        self.count = 0

    @property
    def now(self) -> int:
        return len(self.steps) + 1

    @property
    def shown(self) -> Shown:
        return Shown(
            version=self.version,
            server_seed_hash=commitment(self.seeds[self.at]),
            next_server_seed_hash=commitment(self.seeds[self.at + 1]),
            decks=DECKS,
            client_seeds_left=self.left,
            round=self.round,
        )

    @property
    def alarms(self) -> list[str]:
        return [alarm.code for alarm in self.notebook.alarms]

    def ask(self, call: str, *arguments: Any) -> Any:
        """Asks the notebook, writes down what it gives, and makes that known to it."""
        given = getattr(self.notebook, call)(*arguments)
        lines: tuple[Line, ...] = given if isinstance(given, tuple) else (given,)
        if given is None or isinstance(given, bool):
            lines = ()
        self.steps.append({"call": call, "arguments": plain(arguments), "lines": plain(lines)})
        for line in lines:
            self.notebook.take(line)
        return given

    def see(self, shown: Shown | None = None, since: int = 0) -> None:
        self.ask("see", shown or self.shown, self.now, since)

    def arrive(self, shown: Shown | None = None, *history: ShownRound, since: int = 0) -> None:
        self.ask("arrive", shown or self.shown, history, self.now, since)

    def bet(self, amount: float = 10, typed: str | None = None) -> BetSent:
        self.count += 1
        bet = self.ask("bet", amount, f"bet {self.count}", seed(f"fresh {self.count}"), self.now, typed)
        assert isinstance(bet, BetSent), self.alarms
        return bet

    def deal(self, bet: BetSent, nonce: int | None = None, shown_cards: int = 4, server_seed: str = "") -> Shown:
        """The server deals a round by a bet, with the hole card face down."""
        self.version += 1
        nonce = bet.nonce if nonce is None else nonce
        order = shuffle(CARDS, server_seed or self.seeds[self.at], bet.client_seed, nonce)
        cards = (*order[:3], None, *order[4:])[:shown_cards]
        self.round = ShownRound(
            server_seed_hash=commitment(self.seeds[self.at]),
            client_seed=bet.client_seed,
            nonce=nonce,
            round_id=self.version,
            cards=cards,
            over=False,
            balance=990,
            staked=bet.amount,
        )
        return self.shown

    def end(self, server_seed: str = "") -> Shown:
        """The server turns the hole card, and the round is over."""
        assert self.round is not None
        self.version += 1
        order = shuffle(CARDS, server_seed or self.seeds[self.at], self.round.client_seed, self.round.nonce)
        self.round = replace(self.round, cards=order[:4], over=True, payout=20, balance=1010)
        return self.shown

    def card(self, place: int) -> str:
        """The card of the round at a place."""
        assert self.round is not None
        return shuffle(CARDS, self.seeds[self.at], self.round.client_seed, self.round.nonce)[place]

    def play(self, typed: str | None = None) -> BetSent:
        """A whole round, honestly."""
        bet = self.bet(typed=typed)
        self.ask("answer", bet, self.deal(bet), self.now)
        self.see(self.end())
        return bet

    def ask_rotation(self) -> RotationAsked:
        asked = self.ask("ask_rotation", f"rotate {self.now}", self.version, self.now)
        assert isinstance(asked, RotationAsked)
        return asked

    def rotate(self, server_seed: str = "") -> tuple[str, Shown]:
        """The server reveals its seed and goes on with the next."""
        revealed = server_seed or self.seeds[self.at]
        self.at += 1
        self.version += 1
        if self.round is not None:
            self.round = replace(self.round, server_seed=revealed)
        return revealed, self.shown

    def reveal(self, server_seed: str = "") -> None:
        self.ask_rotation()
        revealed, shown = self.rotate(server_seed)
        self.ask("reveal", revealed, shown, self.now)
