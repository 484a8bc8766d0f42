"""What is known of a hand of a history besides the play."""

from decimal import Decimal

from croupier.games.poker.histories.phh import Outcome, PhhHand
from croupier.games.poker.histories.source import source_of
from croupier.lab.dataset.rows import Origin


def origin_of(file: str, place: int, hand: PhhHand, outcome: Outcome) -> Origin:
    """What is known of a hand besides the play, with amounts in the units of its round."""
    source = source_of(hand, outcome.decimals)
    unknown = frozenset(seat for seat, stack in enumerate(hand.stacks) if not stack.is_finite())
    return Origin(
        file=file,
        place=place,
        name=harmless_text(hand.name),
        players=tuple(harmless_text(player) or "" for player in hand.players),
        units_per_chip=10**outcome.decimals,
        agrees=outcome.agrees,
        payouts=tuple(_units(payout, outcome) for payout in outcome.payouts),
        rake=_units(outcome.rake, outcome),
        finished=outcome.is_over,
        unknown_stacks=unknown,
        site=harmless_text(source.site),
        table_name=harmless_text(source.table),
        currency=harmless_text(source.currency),
        played_at=source.when,
        time_zone=harmless_text(source.zone),
    )


def harmless_text(text: str) -> str | None:
    """A text from a file as Unicode that can be written; None stays None."""
    return text.encode(errors="replace").decode() or None


def _units(amount: Decimal, outcome: Outcome) -> int:
    return int((amount * 10**outcome.decimals).to_integral_value())
