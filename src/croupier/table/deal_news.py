"""The public news of the present round's deals, each part once: fixed, then cut or void, then opened whole."""

from typing import Any, Final, TypeAlias

import msgspec

from croupier.dealing.cut2 import Context, Cut, CutDeal
from croupier.table.deals import Cutting, Deal, VoidDeal
from croupier.table.plain_values import Whole
from croupier.table.room import Room


class _News(msgspec.Struct, frozen=True, gc=False, rename="camel", tag_field="type"):
    """Base of the news of a deal."""


class DealFixed(_News, frozen=True, tag="DEAL_FIXED"):
    """Everything fixed before anybody has cut. `closing` is the text of the closing before."""

    context: Context
    roots: tuple[str, ...]
    closing: str


class DealMade(_News, frozen=True, tag="DEAL_MADE"):
    """Everybody has cut. `secrets` are those of the packs that are not played."""

    deal: Whole
    cuts: tuple[Cut, ...]
    secrets: tuple[str | None, ...]


class DealVoid(_News, frozen=True, tag="DEAL_VOID"):
    """These seats did not cut: the deal is not played, so all its secrets are shown."""

    deal: Whole
    cuts: tuple[Cut, ...]
    missing: tuple[Whole, ...]
    secrets: tuple[str, ...]


class DealOpened(_News, frozen=True, tag="DEAL_OPENED"):
    """The round is over, and its rules open the whole pack."""

    deal: Whole
    secret: str


DealNews: TypeAlias = DealFixed | DealMade | DealVoid | DealOpened

FIXED, DECIDED, OPENED = range(3)


_OPENED_AFTER: Final = 2**60


def news_key(deal: int, stage: int) -> int:
    """The sort key of a round's news: packs are opened last."""
    return _OPENED_AFTER + deal if stage == OPENED else 2 * deal + stage


def news(room: Room) -> tuple[tuple[int, DealNews], ...]:
    """All news of the present round's deals, each with its place in the order."""
    told: list[tuple[int, DealNews]] = []
    for deal in room.dealt:
        told += _of_deal(room, deal)
    if isinstance(room.cutting, Cutting):
        committed = room.cutting.deal
        fixed = DealFixed(committed.context, committed.roots, room.cutting.closing)
        told.append((news_key(committed.context.deal, FIXED), fixed))
    return tuple(told)


def fixed_deals(room: Room) -> dict[int, DealFixed]:
    """How the present round's deals were fixed, by their numbers."""
    return {told.context.deal: told for _, told in news(room) if isinstance(told, DealFixed)}


def _of_deal(room: Room, deal: Deal) -> list[tuple[int, DealNews]]:
    outcome: CutDeal[Any] | VoidDeal = deal.outcome
    number = deal.number
    told: list[tuple[int, DealNews]] = [
        (news_key(number, FIXED), DealFixed(outcome.context, outcome.roots, deal.closing))
    ]
    if isinstance(outcome, VoidDeal):
        void = DealVoid(number, outcome.cuts, outcome.missing, outcome.secrets)
        told.append((news_key(number, DECIDED), void))
        return told
    told.append((news_key(number, DECIDED), DealMade(number, outcome.cuts, outcome.secrets)))
    if room.rules.opens_all and room.round is not None and room.round.over:
        told.append((news_key(number, OPENED), DealOpened(number, outcome.secret())))
    return told
