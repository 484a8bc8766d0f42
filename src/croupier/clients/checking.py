"""What a client checks for itself: the deal that it cut, and every card that it is shown."""

from typing import Any

import msgspec

from croupier.dealing.chain import Chain
from croupier.dealing.cut import Context, Contribution, Opening, check_contributions, check_opening, permutation
from croupier.dealing.findings import Finding


class _Deal(msgspec.Struct, rename="camel"):
    context: Context
    size: int
    root: str
    waits_for: tuple[int, ...]
    contributions: tuple[Contribution, ...]


class Checker:
    """One player's chain, and the deals that it cut. Findings are kept: a client that has one says so loudly."""

    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self.findings: list[Finding] = []
        self.checked = 0
        """How many cards were shown and proved right."""
        self._roots: dict[tuple[int, int], str] = {}
        self._orders: dict[tuple[int, int], tuple[int, ...]] = {}
        self._cut: dict[tuple[int, int], str] = {}
        self._given = 0
        """The last link that was given away."""

    def contribution(self, public: dict[str, Any], seat: int | None) -> str | None:
        """The link that this seat owes to a deal that waits for it.

        Which one is next is the room's word, because a deal that this client missed used one up too; but no link is
        given twice, and none before one that was given: a room that asks for such gets nothing.
        """
        for raw in public["deals"]:
            deal = msgspec.convert(raw, _Deal)
            key = deal.context.hand, deal.context.shuffle
            if seat in deal.waits_for and key not in self._cut:
                number = 1 + next(member["links"] for member in public["members"] if member["seat"] == seat)
                if self._given < number <= self.chain.length:
                    self._given = number
                    self._roots[key] = deal.root
                    self._cut[key] = self.chain.link(number)
                    return self._cut[key]
        return None

    @property
    def is_spent(self) -> bool:
        """Whether the chain has no link left for the next deal."""
        return self._given >= self.chain.length

    def begin(self, chain: Chain) -> None:
        """Cuts from another chain, whose anchor the room has by now."""
        self.chain, self._given = chain, 0

    def check(self, public: dict[str, Any], openings: list[Any], seat: int | None) -> tuple[Finding, ...]:
        """Checks the cards that came with a state; what is wrong is returned, and kept."""
        found: list[Finding] = []
        deals = [msgspec.convert(raw, _Deal) for raw in public["deals"]]
        for raw in openings:
            shuffle = raw.get("shuffle", 0)
            deal = deals[shuffle]
            key = deal.context.hand, shuffle
            found += self._check_deal(deal, key, seat)
            plain = {name: value for name, value in raw.items() if name != "shuffle"}
            faults = check_opening(msgspec.convert(plain, Opening), deal.root, self._orders[key], deal.context)
            found += faults
            self.checked += not faults
        self.findings += found
        return tuple(found)

    def _check_deal(self, deal: _Deal, key: tuple[int, int], seat: int | None) -> tuple[Finding, ...]:
        """Once a deal: the root is the one that was shown before the cut, and our own link is in it."""
        if key in self._orders:
            return ()
        found = list(check_contributions(deal.contributions))
        if self._roots.get(key, deal.root) != deal.root:
            found.append(Finding("ROOT_CHANGED", {"hand": key[0], "shuffle": key[1]}))
        if key in self._cut and seat is not None and deal.contributions[seat].value not in (None, self._cut[key]):
            found.append(Finding("CUT_REPLACED", {"hand": key[0], "shuffle": key[1]}))
        self._orders[key] = permutation(deal.root, deal.contributions, deal.size, deal.context)
        return tuple(found)
