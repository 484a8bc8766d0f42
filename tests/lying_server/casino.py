"""A casino that cheats: the real one behind a liar who sees every request first and every answer last."""

from typing import Any

from msgspec.structs import replace

from croupier.cards import PACK
from croupier.dealing.seeds import commitment
from croupier.dealing.shuffle import shuffle
from croupier.games.blackjack.casino.step import Session
from croupier.server.casino import Casino
from croupier.wire.casino import CasinoRequest, GameState, GetState, PlaceBet, RotateSeed, SeedsResponse
from croupier.wire.frames import Answer, Error

PACK_OF_SIX = [str(card) for card in PACK * 6]
TRIES_MAX = 2000


def deals_dealer_blackjack(server_seed: str, client_seed: str, nonce: int) -> bool:
    """Whether the house gets a blackjack: an ace and a ten in the second and fourth place."""
    order = shuffle(PACK_OF_SIX, server_seed, client_seed, nonce)
    return sorted("T" if rank in "TJQK" else rank for rank in (order[1][0], order[3][0])) == ["A", "T"]


class Lie:
    """An honest server; attacks change some of it."""

    def __init__(self) -> None:
        self.casino: Casino
        self.requests: list[CasinoRequest] = []

    def session(self, person: str) -> Session:
        session = self.casino._held[person].session
        assert session is not None
        return session

    def server_seed(self, person: str) -> str:
        return self.casino._held[person].seeds[self.session(person).server_seed_hash]

    def change(self, person: str, **fields: Any) -> None:
        """Puts another session in the place of a player's."""
        self.casino._held[person].session = replace(self.session(person), **fields)

    def instead(self, person: str, request: CasinoRequest) -> CasinoRequest:
        """Puts another request in the place of a player's."""
        return request

    async def before(self, person: str, request: CasinoRequest) -> Answer | None:
        """Does something before a request is answered; an answer takes the place of the honest one."""
        return None

    async def after(self, person: str, request: CasinoRequest, answer: Any) -> Any:
        """Changes an answer."""
        return answer


class LyingCasino:
    """Stands in the place of the server's casino."""

    def __init__(self, casino: Casino, lie: Lie) -> None:
        self._casino, self._lie = casino, lie
        lie.casino = casino

    def __getattr__(self, name: str) -> Any:
        return getattr(self._casino, name)

    async def handle(self, person: str, language: str, request: CasinoRequest, asking: Any = None) -> tuple[Any, ...]:
        self._lie.requests.append(request)
        answer = await self._lie.before(person, request)
        if answer is not None:
            return (replace(answer, request_id=request.request_id),)
        answers = await self._casino.handle(person, language, self._lie.instead(person, request), asking)
        return tuple([await self._lie.after(person, request, answer) for answer in answers])


def refusal(code: str) -> Error:
    return Error(code=code, message="", facts={"version": 0, "most": 256})


class ProposedSeed(Lie):
    """Proposes a client seed with which the house gets a blackjack."""

    def __init__(self) -> None:
        super().__init__()
        self.proposed: set[str] = set()

    async def after(self, person: str, request: CasinoRequest, answer: Any) -> Any:
        if not isinstance(answer, GameState):
            return answer
        seeds = (f"your own seed {answer.version}.{number}" for number in range(TRIES_MAX))
        seed = next(seed for seed in seeds if deals_dealer_blackjack(self.server_seed(person), seed, 0))
        self.proposed.add(seed)
        return replace(answer, seeds=replace(answer.seeds, client_seed=seed))


class SkippedNonce(Lie):
    """Deals the next round of the player's seed in which the house gets a blackjack, and passes over the others."""

    async def before(self, person: str, request: CasinoRequest) -> Answer | None:
        if isinstance(request, PlaceBet):
            seed, server_seed = request.client_seed, self.server_seed(person)
            nonce = next(n for n in range(1, TRIES_MAX) if deals_dealer_blackjack(server_seed, seed, n))
            self.change(person, client_seed=seed, nonce=nonce, pairs=self.session(person).pairs + 1)
        return None


class RefusedUntilItSuits(Lie):
    """Refuses a bet until the seed that comes with it gives the house a blackjack."""

    def __init__(self, code: str = "BUSY") -> None:
        super().__init__()
        self.code = code
        self.refused: list[str] = []
        self.suited = 0

    async def before(self, person: str, request: CasinoRequest) -> Answer | None:
        if not isinstance(request, PlaceBet):
            return None
        if deals_dealer_blackjack(self.server_seed(person), request.client_seed, 0):
            self.suited += 1
            return None
        self.refused.append(request.client_seed)
        return refusal(self.code)


class GroundSeed(Lie):
    """Makes a server seed for the bet that it sees, so that the house gets a blackjack, and says that it was the one it
    had promised. At the reveal it shows the seed that was really promised."""

    def __init__(self) -> None:
        super().__init__()
        self.promised: dict[str, str] = {}
        """By the hash of a seed that was ground, the hash that was shown."""
        self.ground = 0

    async def before(self, person: str, request: CasinoRequest) -> Answer | None:
        if isinstance(request, PlaceBet):
            held, session = self.casino._held[person], self.session(person)
            seeds = (commitment(f"{number:064x}") for number in range(self.ground, self.ground + TRIES_MAX))
            seed = next(seed for seed in seeds if deals_dealer_blackjack(seed, request.client_seed, 0))
            self.ground += TRIES_MAX
            self.promised[commitment(seed)] = session.server_seed_hash
            held.seeds[commitment(seed)] = seed
            self.change(person, server_seed_hash=commitment(seed), client_seed=None, nonce=0)
        return None

    async def after(self, person: str, request: CasinoRequest, answer: Any) -> Any:
        return self.told(person, self.disguised(request, answer))

    def disguised(self, request: CasinoRequest, answer: Any) -> Any:
        if not isinstance(answer, GameState):
            return answer
        return replace(
            answer,
            server_seed_hash=self.promised.get(answer.server_seed_hash, answer.server_seed_hash),
            seeds=replace(
                answer.seeds,
                server_seed_hash=self.promised.get(answer.seeds.server_seed_hash, answer.seeds.server_seed_hash),
            ),
        )

    def told(self, person: str, answer: Any) -> Any:
        if not isinstance(answer, SeedsResponse):
            return answer
        hash_ = self.promised.get(commitment(str(answer.revealed)), "")
        return replace(answer, revealed=self.casino._held[person].seeds.get(hash_, answer.revealed))


class GroundSeedRevealed(GroundSeed):
    """The same, but at the reveal it shows the seed that it dealt by."""

    def told(self, person: str, answer: Any) -> Any:
        return answer


class SwappedHash(GroundSeedRevealed):
    """The same, and from the deal on it shows the hash of that seed as if it had been the promise all the time."""

    def disguised(self, request: CasinoRequest, answer: Any) -> Any:
        if not isinstance(answer, GameState) or isinstance(request, GetState):
            return answer
        return replace(super().disguised(request, answer), seeds=answer.seeds)


class UnaskedRotation(Lie):
    """Replaces the server seed whenever a round is over, and never tells what it was."""

    async def after(self, person: str, request: CasinoRequest, answer: Any) -> Any:
        if not isinstance(answer, GameState) or answer.status != "cashed_out" or isinstance(request, GetState):
            return answer
        ids = {"request_id": "own", "command_id": f"own {answer.version}", "expected_version": answer.version}
        await self.casino.handle(person, "en", RotateSeed(**ids))
        *_, state = await self.casino.handle(person, "en", GetState(request_id="own"))
        assert isinstance(state, GameState)
        return replace(answer, version=state.version, seeds=state.seeds)


class RevealRefused(Lie):
    """Never reveals a seed."""

    async def before(self, person: str, request: CasinoRequest) -> Answer | None:
        return refusal("GAME_IN_PROGRESS") if isinstance(request, RotateSeed) else None


class SwappedCard(Lie):
    """Turns the player's first card into a six once the round goes on."""

    async def after(self, person: str, request: CasinoRequest, answer: Any) -> Any:
        if not isinstance(answer, GameState) or isinstance(request, PlaceBet) or not answer.player_hands:
            return answer
        first, *others = answer.player_hands
        cards = (PACK[16] if first.cards[0] != PACK[16] else PACK[17], *first.cards[1:])
        return replace(answer, player_hands=(replace(first, cards=cards), *others))


class OtherAmountStaked(Lie):
    """Deals a round for ten times the bet."""

    def instead(self, person: str, request: CasinoRequest) -> CasinoRequest:
        return replace(request, amount=request.amount * 10) if isinstance(request, PlaceBet) else request


class OtherSeedUsed(Lie):
    """Deals by a client seed of its own, with which the house gets a blackjack."""

    def instead(self, person: str, request: CasinoRequest) -> CasinoRequest:
        if not isinstance(request, PlaceBet):
            return request
        server_seed = self.server_seed(person)
        seeds = (f"a seed of the house {request.command_id} {number}" for number in range(TRIES_MAX))
        seed = next(seed for seed in seeds if deals_dealer_blackjack(server_seed, seed, 0))
        return replace(request, client_seed=seed)
