"""A client's checks of a round's cards: each is proved, and a hand plays only cards that were dealt to it."""

from collections import Counter
from collections.abc import Sequence

from croupier.dealing import canonical
from croupier.dealing.findings import Fault
from croupier.dealing.sealed_pack import Opening, check_opening
from croupier.game.registry import GAMES
from croupier.table.client_memory import CardOpening, Memory, State
from croupier.table.deal_checker import DealChecker
from croupier.table.deal_faults import DealFault
from croupier.table.mirror import Mirror, read_rules
from croupier.table.state_form import card_of


class CardChecker(DealChecker):
    """The known cards of a room's present round."""

    def __init__(self, me: str, memory: Memory | None = None) -> None:
        super().__init__(me, memory)
        self.checked = 0
        """How many cards were proved."""

    def _take(self, mirror: Mirror, openings: Sequence[CardOpening]) -> None:
        """Take proofs, and the moves made since."""
        while len(mirror.proved) < len(self._shuffles):
            mirror.proved.append({})
        revealed = [self._opening(mirror, opening) for opening in openings]
        opened = self._take_opened(mirror)
        if self._found:
            return
        if opened or any(revealed):
            mirror.replay()
        mirror.advance(self._moves[len(mirror.moves) :])

    def _restored(self, state: State) -> Mirror | None:
        """The mirror of a round that was under way when this client joined."""
        game = GAMES.get(state.public.game)
        context = self._deals[self._shuffles[0]].context
        if game is None:
            self._fault(DealFault.PLACES_NOT_CHECKED, game=state.public.game[:32])
            return None
        start = canonical.read(context.setup)
        mirror = self._opened_mirror(game, read_rules(game, canonical.read(context.rules)), start)
        self._last_setup = start["setup"]
        return mirror

    def _opening(self, mirror: Mirror, opening: CardOpening) -> bool:
        """Take one proof. Return whether it revealed a card that was dealt face down."""
        if not 0 <= opening.shuffle < len(self._shuffles):
            self._fault(Fault.OPENING_OUT_OF_RANGE, k=opening.k, field="shuffle", value=opening.shuffle, high=0)
            return False
        deal = self._deals[self._shuffles[opening.shuffle]]
        plain = Opening(opening.k, opening.position, opening.salt, opening.card, opening.path)
        found = check_opening(plain, deal.roots[deal.played], deal.order, deal.hashed)
        self._found += found
        if found:
            return False
        known = mirror.proved[opening.shuffle]
        self.checked += opening.k not in known
        known[opening.k] = opening.card
        return mirror.was_unseen(opening.shuffle, opening.k)

    def _take_opened(self, mirror: Mirror) -> bool:
        """Take the cards of packs that are opened whole. Return whether there are any."""
        opened = False
        for shuffle, number in enumerate(self._shuffles):
            known = mirror.proved[shuffle]
            for k, card in enumerate(self._deals[number].cards):
                opened = True
                if known.setdefault(k, card) != card:
                    self._fault(DealFault.CARD_MISPLACED, k=k, shown=known[k], proved=card)
        return opened

    def _check_played(self, mirror: Mirror) -> None:
        """In a game with hidden hands: a card that another seat plays was dealt to that seat."""
        if mirror.tells_all:
            return
        proved = Counter(
            (mirror.seat_of(shuffle, k), card)
            for shuffle, known in enumerate(mirror.proved)
            for k, card in known.items()
            if k < len(mirror.places[shuffle])
        )
        played = Counter((move["seat"], card) for move in mirror.moves if (card := card_of(move)) is not None)
        for (seat, card), count in played.items():
            if proved[seat, card] < count:
                self._fault(DealFault.CARD_WITHOUT_PROOF, place=f"{seat}: {card}")
