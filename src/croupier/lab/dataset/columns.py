"""The columns of a dataset: three tables, and what each column holds. The guide's tables are generated from here."""

from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

import msgspec

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT: Final = "croupier-dataset-1"


class Kind(StrEnum):
    """The type of a column, by Arrow's name of it."""

    INT64 = "int64"
    INT32 = "int32"
    BOOL = "bool"
    STRING = "string"
    WORD = "dictionary<string>"
    STRINGS = "list<string>"
    BOARDS = "list<list<string>>"
    TIME = "timestamp[us]"


class Column(msgspec.Struct, frozen=True):
    """A column. One that may be null says when in its meaning."""

    name: str
    kind: Kind
    meaning: str
    poker: bool = False
    """Whether it is null in every other game."""


HANDS: Final = (
    Column("hand_id", Kind.INT64, "number of the hand in the dataset, from 1; the key of the other tables"),
    Column("file", Kind.WORD, "the file it was read from"),
    Column("place", Kind.INT64, "the line of a record, else the number of the hand in its file; from 1"),
    Column("name", Kind.STRING, "the name or number that a hand history gives it; null in records"),
    Column("game", Kind.WORD, "blackjack, poker, sequence, or a game of yours"),
    Column("edition", Kind.INT32, "edition of the rules"),
    Column("rules", Kind.WORD, "all options of the rules, as JSON"),
    Column("seats", Kind.INT32, "seats at the table, empty ones included"),
    Column("units_per_chip", Kind.INT64, "amounts are whole units; so many make one chip, or one of the currency"),
    Column("moves", Kind.INT32, "rows that the hand has in `actions`"),
    Column("cards", Kind.STRINGS, "all cards dealt, in order; null for a card that the file does not show"),
    Column("finished", Kind.BOOL, "whether it was played to its end"),
    Column("verified", Kind.BOOL, "whether the record's own proofs hold; null in hand histories, which have none"),
    Column("agrees", Kind.BOOL, "whether the file's own result is what the cards say; null where it states none"),
    Column(
        "variant", Kind.WORD, "PHH's code: NT, FT, NS, PO, FO/8; what it does not say stands in `rules`", poker=True
    ),
    Column("button", Kind.INT32, "seat of the button", poker=True),
    Column("small_blind", Kind.INT64, "the small blind", poker=True),
    Column("big_blind", Kind.INT64, "the big blind", poker=True),
    Column("ante", Kind.INT64, "the ante", poker=True),
    Column("board", Kind.STRINGS, "the board; cards turned up after the end are not in it", poker=True),
    Column("other_boards", Kind.BOARDS, "boards after the first", poker=True),
    Column("street", Kind.WORD, "where it ended: PREFLOP to RIVER, or SHOWDOWN", poker=True),
    Column("pot", Kind.INT64, "all pots together, rake included", poker=True),
    Column("rake", Kind.INT64, "what the house took", poker=True),
    Column("site", Kind.WORD, "the site or venue; null where unknown", poker=True),
    Column("table_name", Kind.WORD, "the table; null where unknown", poker=True),
    Column("currency", Kind.WORD, "code of the currency; null for play chips", poker=True),
    Column("played_at", Kind.TIME, "when it was played, on the clock of the site; null where unknown", poker=True),
    Column("time_zone", Kind.WORD, "the zone of that clock; null where unknown", poker=True),
)
ACTIONS: Final = (
    Column("hand_id", Kind.INT64, "the hand"),
    Column("number", Kind.INT32, "the move's number in the hand, from 1"),
    Column("seat", Kind.INT32, "the seat that acted, from 0"),
    Column("action", Kind.WORD, "the action's tag; LEFT and ABSENT for a player who went or was not dealt in"),
    Column("detail", Kind.STRING, "the action's fields as JSON; null where it has none"),
    Column("street", Kind.WORD, "PREFLOP to RIVER, or SHOWDOWN", poker=True),
    Column("move", Kind.WORD, "what it came to: FOLD, CHECK, CALL, BET, RAISE; null for other actions", poker=True),
    Column("amount", Kind.INT64, "what went in now", poker=True),
    Column("bet_to", Kind.INT64, "what the seat has bet on this street then", poker=True),
    Column("all_in", Kind.BOOL, "whether nothing is left behind", poker=True),
    Column("to_call", Kind.INT64, "before the action: what a call cost, at most the stack", poker=True),
    Column("pot", Kind.INT64, "before the action: all that lay in pots and bets", poker=True),
    Column("stack", Kind.INT64, "before the action: the seat's stack; null where unknown", poker=True),
)
RESULTS: Final = (
    Column("hand_id", Kind.INT64, "the hand"),
    Column("seat", Kind.INT32, "the seat, from 0"),
    Column("player", Kind.WORD, "the player's name, in the arena the bot's; null where unknown"),
    Column("stack", Kind.INT64, "chips before the hand; null where unknown, or in a game without chips"),
    Column("payout", Kind.INT64, "what the hand brought or cost; null if it was not finished"),
    Column("cards", Kind.STRINGS, "the cards before the seat at the end, as far as the file shows them"),
    Column("dealt_in", Kind.BOOL, "whether the seat was in the hand", poker=True),
    Column("position", Kind.INT32, "seats in the hand from the button to here: 0 on it, 1 left of it", poker=True),
    Column("shown", Kind.BOOL, "whether the cards were turned up", poker=True),
)
TABLES: Final = {"hands": HANDS, "actions": ACTIONS, "results": RESULTS}


def schema(table: str) -> "pa.Schema":
    """The Arrow schema of a table. The meaning of each column is in its metadata."""
    import pyarrow as pa

    kinds: dict[Kind, Any] = {
        Kind.INT64: pa.int64(),
        Kind.INT32: pa.int32(),
        Kind.BOOL: pa.bool_(),
        Kind.STRING: pa.string(),
        Kind.WORD: pa.dictionary(pa.int32(), pa.string()),
        Kind.STRINGS: pa.list_(pa.string()),
        Kind.BOARDS: pa.list_(pa.list_(pa.string())),
        Kind.TIME: pa.timestamp("us"),
    }
    fields = [pa.field(each.name, kinds[each.kind], metadata={"meaning": each.meaning}) for each in TABLES[table]]
    return pa.schema(fields, metadata={"format": FORMAT})
