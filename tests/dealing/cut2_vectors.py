"""The examples of `cut-2`: canonical texts, promises, contexts, deals from the first byte to the last, whole proofs."""

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import msgspec

from croupier.cards import packs
from croupier.dealing import canonical, cut2
from croupier.dealing.cut2 import FIRST_BEFORE, CommittedDeal, Context, Cut, Cutter
from croupier.dealing.findings import Finding
from croupier.dealing.proof import Cut2Proof, cards_of, prove, read_proof
from croupier.dealing.sealed_pack import SealedPack

Case = dict[str, Any]

ONE_DECK = [str(card) for card in packs(1)]
TWO_DECKS = [
    f"{suit}_{rank}_{deck}"
    for deck in (1, 2)
    for suit in ("clover", "diamond", "heart", "spade")
    for rank in ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
]
ODD_CARDS = ["clover_2_1", "heart_10_2", "♠A", "스페이드", "heart_10_2"]
PACKS = {"one deck": ONE_DECK, "two decks": TWO_DECKS, "five odd cards": ODD_CARDS}


def secret(name: str) -> bytes:
    """32 bytes that look random and never change."""
    return sha256(f"cut-2 {name}".encode()).digest()


def plain(value: object) -> Any:
    """A struct as it stands in JSON."""
    return json.loads(msgspec.json.encode(value))


# Canonical texts.


def nested(depth: int, inside: str) -> str:
    return "[" * depth + inside + "]" * depth


TEXTS: dict[str, str] = {
    "an object in the order it was written": '{"b":1,"a":[true,false,null,"x"]}',
    "nothing in it": '{"a":{},"b":[],"":""}',
    "spaces": '{"a": 1}',
    "a space before": ' {"a":1}',
    "a line end after": '{"a":1}\n',
    "a byte order mark": "\ufeff1",
    "a doubled key": '{"a":1,"a":2}',
    "a doubled key with the same value": '{"a":1,"a":1}',
    "a doubled key, once escaped": '{"a":1,"\\u0061":2}',
    "1.0 for 1": '{"a":1.0}',
    "an exponent": "1e2",
    "minus zero": "-0",
    "minus zero as a fraction": "-0.0",
    "a plus sign": "+1",
    "a zero before": "01",
    "a fraction": "[0.1,2.5,-12.75]",
    "a fraction with a zero too many": "0.10",
    "the smallest fraction": "0.0001",
    "a fraction below the smallest": "0.00001",
    "a fraction whose last digits are rounded": "0.1000000000000000055511151231257827",
    "the highest whole number": "9007199254740991",
    "the lowest whole number": "-9007199254740991",
    "one above the highest": "9007199254740992",
    "two above the highest, which JavaScript would round": "9007199254740993",
    "a number of thirty digits": "100000000000000000000000000000",
    "a number beyond all bounds": "1e400",
    "not a number": "NaN",
    "infinity": "-Infinity",
    "a key like a whole number": '{"b":1,"1":2}',
    "a key of digits with a zero before": '{"01":1}',
    "a key of digits and a letter": '{"1a":1}',
    "a key of other digits": '{"²":1,"٣":2}',
    "a negative key": '{"-1":1}',
    "__proto__ as a key": '{"__proto__":{"a":1}}',
    "__proto__ as a value": '{"a":"__proto__"}',
    "names that JavaScript's objects have": '{"constructor":1,"toString":2,"hasOwnProperty":3,"length":4}',
    "other alphabets": '{"é":"漢 스페이드 😀 ♠"}',
    "another alphabet, escaped": '"\\u00e9"',
    "characters that must be escaped": '"\\"\\\\\\b\\f\\n\\r\\t\\u0000\\u001f"',
    "an escape in upper case": '"\\u001F"',
    "a slash, escaped": '"\\/"',
    "a line separator as it is": '"\u2028\u2029\x7f"',
    "half of a surrogate pair, escaped": '"\\ud800"',
    "half of a surrogate pair in a key": '{"\\udc00":1}',
    "a line end inside a text": '"a\nb"',
    "nested as deep as allowed": nested(32, "1"),
    "nested too deep": nested(33, "1"),
    "an empty list as deep as allowed": nested(32, "[]"),
    "an empty list nested too deep": nested(33, "[]"),
    "a comma too many": "[1,]",
    "two values": "1 2",
    "nothing": "",
    "a comment": "1//",
    "single quotes": "['a']",
}


def canonical_case(name: str, text: str) -> Case:
    """What is written of the value that JSON reads from the text: null if there is none, or it has no canonical form.

    The text is accepted only if that is the text itself.
    """
    try:
        written: str | None = canonical.write(json.loads(text))
    except (ValueError, RecursionError):
        written = None
    try:
        canonical.read(text)
        accepted = True
    except canonical.CanonicalError:
        accepted = False
    return {"name": name, "text": text, "written": written, "accepted": accepted}


# Promises and contexts.


def promise_case(name: str) -> Case:
    return {"name": name, "value": secret(name).hex(), "promise": cut2.promise_of(secret(name))}


def cutters(*seats: int) -> tuple[Cutter, ...]:
    return tuple(Cutter(seat, cut2.promise_of(secret(f"seat {seat}"))) for seat in seats)


def cuts(*seats: int) -> tuple[Cut, ...]:
    return tuple(Cut(seat, secret(f"seat {seat}").hex()) for seat in seats)


RULES = canonical.write({"game": "holdem", "edition": 2, "small_blind": 1, "big_blind": 2, "names": "é漢😀"})
SETUP = canonical.write({"match": 1, "setup": {"stacks": [100, 250, 0], "button": 1, "hand": 3}, "moves": []})
CLOSING = canonical.write(
    {
        "deal": 6,
        "seal": secret("seal before").hex(),
        "cut": secret("cut before").hex(),
        "missing": [],
        "cuts": [],
        "secrets": [],
        "moves": [{"seat": 0, "action": {"type": "raise", "to": 8}}, {"seat": 2, "action": None}],
        "payouts": [12, -4, -8],
        "changes": [{"seat": 2, "kind": "bought", "chips": 50}],
        "paid": [],
    }
)


def context(pack: str = "one deck", packs: int = 8, seats: tuple[int, ...] = (0, 2, 5), **changes: Any) -> Context:
    basis = Context(
        room=secret("room").hex(),
        deal=7,
        hand=3,
        shuffle=0,
        rules=RULES,
        setup=SETUP,
        pack=canonical.write(PACKS[pack]),
        packs=packs,
        before=cut2.closing_digest(CLOSING),
        cutters=cutters(*seats),
    )
    return msgspec.structs.replace(basis, **changes)


CONTEXTS: dict[str, Context] = {
    "one deck, three seats": context(),
    "another deal": context(deal=8),
    "deal and hand exchanged": context(deal=3, hand=7),
    "a later shuffle": context(shuffle=1),
    "nobody cuts": context(seats=()),
    "seat 2 moved to seat 3": context(cutters=(*cutters(0), Cutter(3, cutters(2)[0].promise), *cutters(5))),
    "a room's first deal": context(deal=1, before=FIRST_BEFORE),
    "one pack": context(packs=1),
    "a character moved from rules to setup": context(rules="1", setup="23"),
    "the same characters, otherwise divided": context(rules="12", setup="3"),
    "the highest numbers": context(deal=2**53 - 1, hand=2**53 - 1, shuffle=2**53 - 1),
    "two decks": context("two decks", 1, (0, 1)),
}


def context_case(name: str, value: Context) -> Case:
    return {"name": name, "context": plain(value), "hash": cut2.context_hash(value).hex()}


# Whole deals.


def deal_case(name: str, pack: str, about: Context) -> Case:
    """A deal with every step, for everybody who cuts."""
    master, cards = secret(name), PACKS[pack]
    committed = CommittedDeal(master, about, cards)
    given = cuts(*(cutter.seat for cutter in about.cutters))
    made = committed.cut(given)
    hashed = committed.hashed
    secrets = [cut2.pack_secret(master, hashed, number) for number in range(about.packs)]
    places = [SealedPack(each, hashed, range(len(cards))) for each in secrets]
    return {
        "name": name,
        "pack": pack,
        "master": master.hex(),
        "context": plain(about),
        "contextHash": hashed.hex(),
        "secrets": [each.hex() for each in secrets],
        "firstOrders": [[pack.card(position) for position in range(min(5, pack.size))] for pack in places],
        "roots": committed.roots,
        "seal": committed.seal,
        "cuts": plain(given),
        "cut": made.cut,
        "played": made.played,
        "permutation": made.permutation,
        "dealt": made.order(),
        "openings": [plain(made.opening(k)) for k in (0, 1, len(cards) - 1)],
    }


def closing_case(name: str, text: str) -> Case:
    return {"name": name, "text": text, "digest": cut2.closing_digest(text)}


# Proofs out of records.

HIDDEN = CommittedDeal(secret("proof"), context(), ONE_DECK)
OPENED = CommittedDeal(secret("proof"), context("five odd cards", 1), ODD_CARDS)


def hidden_proof(opened: tuple[int, ...] = (0, 1, 5, 51)) -> Case:
    proof: Case = plain(prove(HIDDEN.cut(cuts(0, 2, 5)), opened, CLOSING))
    return proof


def opened_proof() -> Case:
    proof: Case = plain(prove(OPENED.cut(cuts(0, 2, 5)), None, CLOSING))
    return proof


def void_proof(gave: tuple[int, ...] = (0, 5), missing: tuple[int, ...] = (2,)) -> Case:
    proof = Cut2Proof(HIDDEN.context, HIDDEN.roots, CLOSING, cuts(*gave), HIDDEN.secrets(), missing)
    found: Case = plain(proof)
    return found


def false_deal(packs: int, false_packs: Callable[[int], bool], seats: tuple[int, ...] = (0, 2, 5)) -> Case:
    """A deal in which some packs hold a second ace of spades in place of the deuce of clubs, opened faithfully."""
    about = context(packs=packs, seats=seats)
    hashed = cut2.context_hash(about)
    cheat = ["As" if card == "2c" else card for card in ONE_DECK]
    secrets = [cut2.pack_secret(secret("false"), hashed, number) for number in range(packs)]
    sealed = [
        SealedPack(each, hashed, cheat if false_packs(number) else ONE_DECK) for number, each in enumerate(secrets)
    ]
    roots = tuple(pack.root for pack in sealed)
    given = cuts(*seats)
    cut = cut2.cut_of(cut2.seal_of(hashed, roots), given)
    played = cut2.choice(cut, packs)
    order = cut2.permutation(cut, len(ONE_DECK))
    shown = tuple(None if number == played else each.hex() for number, each in enumerate(secrets))
    openings = tuple(sealed[played].opened(k, order[k]).opening() for k in range(52))
    proof: Case = plain(Cut2Proof(about, roots, CLOSING, given, shown, openings=openings))
    return proof


def tampered(proof: Case, *path: str | int, to: object) -> Case:
    """The proof with one entry changed, found by its path."""
    copy: Case = json.loads(json.dumps(proof))
    place: Any = copy
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return copy


def proof_case(name: str, pack: str, proof: Case) -> Case:
    read = read_proof(proof)
    if isinstance(read, Finding):
        shown: tuple[str | None, ...] = (None,) * len(PACKS[pack])
        found: tuple[Finding, ...] = (read,)
    else:
        shown, found = cards_of(read, PACKS[pack])
    codes = sorted({finding.code for finding in found})
    return {"name": name, "pack": pack, "proof": proof, "cards": shown, "findings": codes}


def changed_proofs() -> list[tuple[str, Case]]:
    good = hidden_proof()
    unplayed = next(number for number, each in enumerate(good["secrets"]) if each is not None)
    played = next(number for number, each in enumerate(good["secrets"]) if each is None)
    stranger = secret("stranger").hex()
    changes: list[tuple[str, tuple[str | int, ...], object]] = [
        ("another room", ("context", "room"), stranger),
        ("the room's code for its name", ("context", "room"), "ABCD"),
        ("another deal", ("context", "deal"), 8),
        ("deal 0", ("context", "deal"), 0),
        ("a deal that is no whole number", ("context", "deal"), 7.5),
        ("hand 0", ("context", "hand"), 0),
        ("shuffle -1", ("context", "shuffle"), -1),
        ("a shuffle beyond 2^53 - 1", ("context", "shuffle"), 2**53),
        ("other rules", ("context", "rules"), RULES.replace('"big_blind":2', '"big_blind":4')),
        ("rules with a space", ("context", "rules"), RULES.replace(":", ": ", 1)),
        ("rules with a doubled key", ("context", "rules"), RULES.replace('"edition":2', '"edition":1,"edition":2')),
        ("rules with 1.0", ("context", "rules"), RULES.replace(":2,", ":2.0,", 1)),
        ("a setup with a key like a number", ("context", "setup"), '{"b":1,"1":2}'),
        ("another stack", ("context", "setup"), SETUP.replace("250", "251")),
        ("no packs", ("context", "packs"), 0),
        ("nine packs", ("context", "packs"), 9),
        ("seven packs, eight roots", ("context", "packs"), 7),
        ("another closing before", ("context", "before"), stranger),
        ("a closing before in upper case", ("context", "before"), good["context"]["before"].upper()),
        ("cutters out of order", ("context", "cutters"), good["context"]["cutters"][::-1]),
        ("a cutter twice", ("context", "cutters", 1), good["context"]["cutters"][0]),
        ("a promise swapped", ("context", "cutters", 1, "promise"), cut2.promise_of(secret("stranger"))),
        ("a promise that is no hash", ("context", "cutters", 1, "promise"), "soon"),
        ("a cutter with a name", ("context", "cutters", 1, "name"), "Ann"),
        ("a root left out", ("roots",), good["roots"][1:]),
        ("a root that is no hash", ("roots", 3), "none"),
        ("another root for an unplayed pack", ("roots", unplayed), stranger),
        ("another root for the played pack", ("roots", played), stranger),
        ("a cut left out", ("cuts",), good["cuts"][:2]),
        ("a cut too many", ("cuts",), [*good["cuts"], {"seat": 6, "value": stranger}]),
        ("cuts out of order", ("cuts",), good["cuts"][::-1]),
        ("a cut that was not promised", ("cuts", 1, "value"), stranger),
        ("a cut that is no hash", ("cuts", 1, "value"), ""),
        ("a secret left out", ("secrets",), good["secrets"][1:]),
        ("a secret not shown", ("secrets", unplayed), None),
        ("a secret that is no hash", ("secrets", unplayed), "hush"),
        ("another secret", ("secrets", unplayed), stranger),
        ("another secret for the played pack", ("secrets", played), stranger),
        ("another card", ("openings", 1, "card"), "2c" if good["openings"][1]["card"] != "2c" else "2d"),
        ("a card of no pack", ("openings", 1, "card"), "Joker"),
        ("another k", ("openings", 1, "k"), 2),
        ("k beyond the pack", ("openings", 1, "k"), 52),
        ("another salt", ("openings", 1, "salt"), stranger),
        ("another position", ("openings", 1, "position"), (good["openings"][1]["position"] + 1) % 52),
        ("path cut short", ("openings", 1, "path"), good["openings"][1]["path"][:-1]),
        ("opened twice", ("openings", 2), good["openings"][1]),
        ("a shuffle in the opening of a record", ("openings", 1, "shuffle"), 0),
        ("a field too many", ("root",), stranger),
    ]
    return [(name, tampered(good, *path, to=value)) for name, path, value in changes]


def proof_cases() -> list[Case]:
    aces = false_deal(8, lambda number: True)
    one_false = false_deal(8, lambda number: number == 3)
    return [
        proof_case("some cards opened, good", "one deck", hidden_proof()),
        proof_case("no card opened, good", "one deck", hidden_proof(())),
        proof_case("opened whole, good", "five odd cards", opened_proof()),
        *(proof_case(name, "one deck", proof) for name, proof in changed_proofs()),
        proof_case("not yet opened whole", "five odd cards", tampered(opened_proof(), "secrets", 0, to=None)),
        proof_case(
            "opened whole by another secret", "five odd cards", tampered(opened_proof(), "secrets", 0, to="0" * 64)
        ),
        proof_case("opened whole by no secret", "five odd cards", tampered(opened_proof(), "secrets", 0, to="hush")),
        proof_case("eight packs with two aces of spades", "one deck", aces),
        proof_case("one false pack among eight", "one deck", one_false),
        proof_case("a single pack with two aces of spades", "one deck", false_deal(1, lambda number: True)),
    ]


def void_case(name: str, proof: Case) -> Case:
    """A void deal, as far as it can be checked by itself: its form, the cuts that were given, all its packs."""
    read = read_proof(proof)
    assert isinstance(read, Cut2Proof)
    found = cut2.check_context(read.context) + cut2.check_roots(read.context, read.roots)
    if not found:
        hashed = cut2.context_hash(read.context)
        found = cut2.check_given(read.context, read.cuts)
        found += cut2.check_secrets(hashed, read.roots, ONE_DECK, read.secrets, None)
    return {"name": name, "pack": "one deck", "proof": proof, "findings": sorted({each.code for each in found})}


def void_cases() -> list[Case]:
    good, stranger = void_proof(), secret("stranger").hex()
    return [
        void_case("one seat missing, good", good),
        void_case("everybody missing, good", void_proof((), (0, 2, 5))),
        void_case("a cut that was not promised", tampered(good, "cuts", 0, "value", to=stranger)),
        void_case("the cut of a seat that is not listed", tampered(good, "cuts", 0, "seat", to=1)),
        void_case("a secret held back", tampered(good, "secrets", 4, to=None)),
        void_case("another secret", tampered(good, "secrets", 4, to=stranger)),
        void_case("a secret left out", tampered(good, "secrets", to=good["secrets"][1:])),
        void_case("a root left out", tampered(good, "roots", to=good["roots"][1:])),
        void_case("another root", tampered(good, "roots", 4, to=stranger)),
        void_case("another room", tampered(good, "context", "room", to=stranger)),
    ]


def vectors() -> dict[str, list[Case]]:
    """The lists of the file that belong to this scheme."""
    return {
        "cut-2 packs": [{"name": name, "cards": cards} for name, cards in PACKS.items()],
        "canonical": [canonical_case(name, text) for name, text in TEXTS.items()],
        "promises": [promise_case(f"seat {seat}") for seat in (0, 2, 5)],
        "contexts": [context_case(name, value) for name, value in CONTEXTS.items()],
        "closings": [closing_case("a hand that was played", CLOSING), closing_case("nothing", "")],
        "cut-2": [
            deal_case("one deck, three seats", "one deck", context()),
            deal_case("two decks, opened whole", "two decks", context("two decks", 1, (0, 1))),
            deal_case("a later shuffle of five odd cards", "five odd cards", context("five odd cards", 1, shuffle=1)),
            deal_case("nobody cuts", "one deck", context(seats=(), deal=1, before=FIRST_BEFORE)),
        ],
        "cut-2 proofs": proof_cases(),
        "cut-2 voids": void_cases(),
    }
