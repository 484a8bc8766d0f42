"""Writes the examples that every implementation of the schemes is held against.

    python -m tests.dealing.make_vectors

One case a line. `test_vectors.py` fails when the file and the code differ.
"""

import hmac
import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

import croupier.dealing
from croupier.cards import packs
from croupier.dealing import merkle
from croupier.dealing.chain import Chain
from croupier.dealing.cut1 import CommittedPack, Context, Contribution, context_hash, permutation_key
from croupier.dealing.findings import Finding
from croupier.dealing.hash_input import frame, whole
from croupier.dealing.history import check_history
from croupier.dealing.proof import Shuffle1Proof, cards_of, prove, read_proof
from croupier.dealing.sealed_pack import leaf_content
from croupier.dealing.seeds import commitment
from croupier.dealing.shuffle import shuffle
from croupier.dealing.stream import WORDS, fisher_yates, words
from tests.dealing import cut2_vectors, shuffle1_stories

FILE = Path(croupier.dealing.__file__).with_name("vectors.json")

PACKS: dict[str, list[str]] = {
    "one deck": [str(card) for card in packs(1)],
    "six decks": [str(card) for card in packs(6)],
    "one card": ["As"],
    "five cards": ["clover_2_1", "heart_10_2", "♠A", "스페이드", "heart_10_2"],
}

Case = dict[str, Any]


def secret(name: str) -> bytes:
    """32 bytes that look random and never change."""
    return sha256(name.encode()).digest()


def seed(name: str) -> str:
    return secret(name).hex()


def plain(value: object) -> Any:
    """A struct as it stands in JSON."""
    return json.loads(msgspec.json.encode(value))


def shuffle_case(name: str, pack: str, client_seed: str, nonce: int) -> Case:
    server_seed, size = seed(name), len(PACKS[pack])
    steps = []
    for i in range(size - 1, max(size - 4, 0), -1):
        text = f"{server_seed}:{client_seed}:{nonce}:{i}"
        digest = sha256(text.encode()).hexdigest()
        steps.append({"i": i, "text": text, "hash": digest, "j": int(digest, 16) % (i + 1)})
    return {
        "name": name,
        "pack": pack,
        "serverSeed": server_seed,
        "serverSeedHash": commitment(server_seed),
        "clientSeed": client_seed,
        "nonce": nonce,
        "firstSteps": steps,
        "order": shuffle(range(size), server_seed, client_seed, nonce),
    }


def passed_over(key: bytes, size: int) -> int:
    """How many words of the stream a shuffle of so many things does not use, because they would make it uneven."""
    stream, count = words(key), 0
    for modulus in range(size, 1, -1):
        while next(stream) >= WORDS - WORDS % modulus:
            count += 1
    return count


def stream_case(name: str, size: int) -> Case:
    key, stream = secret(name), words(secret(name))
    return {
        "name": name,
        "key": key.hex(),
        "firstBlock": hmac.digest(key, whole(0), "sha256").hex(),
        "firstWords": [next(stream) for _ in range(20)],
        "size": size,
        "passedOver": passed_over(key, size),
        "order": fisher_yates(range(size), key),
    }


def merkle_case(size: int) -> Case:
    contents = [f"content {position}".encode() for position in range(size)]
    tree = merkle.levels([merkle.leaf(content) for content in contents])
    paths = [merkle.path(b"".join(tree), size, position) for position in range(size)]
    return {
        "name": f"{size} leaves",
        "contents": [content.hex() for content in contents],
        "levels": [[each.hex() for each in merkle.hashes(level)] for level in tree],
        "root": tree[-1].hex(),
        "paths": [[each.hex() for each in merkle.hashes(path)] for path in paths],
    }


def chain_case(name: str, length: int) -> Case:
    chain = Chain(secret(name), length)
    return {
        "name": name,
        "secret": seed(name),
        "length": length,
        "anchor": chain.anchor,
        "links": [chain.link(number) for number in range(1, length + 1)],
    }


def contribution(name: str, seat: int, link: int, *, absent: bool = False) -> Contribution:
    chain = Chain(secret(name), 10)
    return Contribution(seat, chain.anchor, link, None if absent else chain.link(link))


THREE_SEATS = (contribution("ann", 0, 3), contribution("bob", 1, 9, absent=True), Contribution(2))


def cut_case(name: str, pack: str, context: Context, contributions: tuple[Contribution, ...]) -> Case:
    cards = PACKS[pack]
    size, hashed = len(cards), context_hash(context, len(cards))
    committed = CommittedPack(secret(name), context, cards)
    order = CommittedPack(secret(name), context, range(size)).cut(contributions).committed
    cut = committed.cut(contributions)
    key = hmac.digest(secret(name), frame(b"croupier cut-1 shuffle", hashed), "sha256")
    cut_key = permutation_key(committed.root, contributions, size, context)
    first = [committed.opened(position, position).opening() for position in range(min(size, 3))]
    contents = [leaf_content(hashed, each.position, bytes.fromhex(each.salt), each.card) for each in first]
    return {
        "name": name,
        "pack": pack,
        "secret": seed(name),
        "context": plain(context),
        "contextHash": hashed.hex(),
        "shuffleKey": key.hex(),
        "shufflePassedOver": passed_over(key, size),
        "serverOrder": [order.card(position) for position in range(size)],
        "firstSalts": [each.salt for each in first],
        "firstLeafContents": [content.hex() for content in contents],
        "firstLeaves": [merkle.leaf(content).hex() for content in contents],
        "root": committed.root,
        "contributions": plain(contributions),
        "cutKey": cut_key.hex(),
        "cutPassedOver": passed_over(cut_key, size),
        "permutation": cut.permutation,
        "dealt": cut.order(),
        "openings": [plain(cut.opening(k)) for k in range(min(size, 3))],
    }


HOLDEM = Context("table 7", 41, "holdem/1")
SEQUENCE = Context("방 12 ♠", 0, "sequence/1", shuffle=1)


def shuffle_proof(**changes: Any) -> Case:
    server_seed = seed("proof")
    proof = Shuffle1Proof(commitment(server_seed), "my own seed", 4, server_seed, commitment(seed("next")))
    return {**plain(proof), **changes}


def cut_proof(pack: str, context: Context, opened: tuple[int, ...] | None) -> Case:
    cut = CommittedPack(secret("proof"), context, PACKS[pack]).cut(THREE_SEATS)
    proof: Case = plain(prove(cut, opened))
    return proof


def tampered(proof: Case, *path: str | int, to: object) -> Case:
    """The proof with one entry changed, found by its path."""
    copy: Case = json.loads(json.dumps(proof))
    place: Any = copy
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return copy


def proof_case(name: str, pack: str, proof: Case, seats: int | None = None) -> Case:
    read = read_proof(proof)
    if isinstance(read, Finding):
        cards: tuple[str | None, ...] = (None,) * len(PACKS[pack])
        found: tuple[Finding, ...] = (read,)
    else:
        cards, found = cards_of(read, PACKS[pack], seats)
    codes = sorted({finding.code for finding in found})
    return {"name": name, "pack": pack, "seats": seats, "proof": proof, "cards": cards, "findings": codes}


def shuffle_proof_cases() -> list[Case]:
    good, pack = shuffle_proof(), "one deck"
    return [
        proof_case("good", pack, good),
        proof_case("good, without announcement", pack, shuffle_proof(nextServerSeedHash=None)),
        proof_case("not revealed", pack, shuffle_proof(serverSeed=None)),
        proof_case("another seed revealed", pack, shuffle_proof(serverSeed=seed("other"))),
        proof_case("seed in upper case", pack, shuffle_proof(serverSeed=good["serverSeed"].upper())),
        proof_case("seed cut short", pack, shuffle_proof(serverSeed=good["serverSeed"][:-1])),
        proof_case("commitment is no hash", pack, shuffle_proof(serverSeedHash="none")),
        proof_case("client seed too short", pack, shuffle_proof(clientSeed="seven77")),
        proof_case("client seed of 8 characters, 16 UTF-16 units", pack, shuffle_proof(clientSeed="😀" * 8)),
        proof_case("client seed too long", pack, shuffle_proof(clientSeed="x" * 257)),
        proof_case("negative nonce", pack, shuffle_proof(nonce=-1)),
        proof_case("nonce beyond 2^53 − 1", pack, shuffle_proof(nonce=2**53)),
        proof_case("nonce as text", pack, shuffle_proof(nonce="4")),
        proof_case("announces no hash", pack, shuffle_proof(nextServerSeedHash="soon")),
        proof_case("announces itself", pack, shuffle_proof(nextServerSeedHash=good["serverSeedHash"])),
        proof_case("a field too many", pack, shuffle_proof(extra=1)),
        proof_case("unknown scheme", pack, shuffle_proof(scheme="shuffle-2")),
    ]


def cut_proof_cases() -> list[Case]:
    some, whole_pack = cut_proof("one deck", HOLDEM, (0, 1, 5, 51)), cut_proof("five cards", SEQUENCE, None)
    other = contribution("carol", 0, 3)
    changes: list[tuple[str, tuple[str | int, ...], object]] = [
        ("context of another hand", ("context", "hand"), 42),
        ("empty table name", ("context", "table"), ""),
        ("negative hand", ("context", "hand"), -1),
        ("size of another pack", ("size",), 51),
        ("another root", ("root",), seed("root")),
        ("root is no hash", ("root",), "none"),
        ("contribution off its chain", ("contributions", 0, "value"), other.value),
        ("contribution is no hash", ("contributions", 0, "value"), "5"),
        ("the wrong link", ("contributions", 0, "link"), 4),
        ("link 0", ("contributions", 0, "link"), 0),
        ("another anchor", ("contributions", 0, "anchor"), other.anchor),
        ("anchor is no hash", ("contributions", 0, "anchor"), "sea"),
        ("contribution without an anchor", ("contributions", 2, "value"), other.value),
        ("seat out of order", ("contributions", 1, "seat"), 2),
        ("a seat left out", ("contributions",), some["contributions"][:2]),
        ("another card", ("openings", 1, "card"), "2c"),
        ("a card of no pack", ("openings", 1, "card"), "Joker"),
        ("another salt", ("openings", 1, "salt"), seed("salt")),
        ("salt is no hash", ("openings", 1, "salt"), ""),
        ("another position", ("openings", 1, "position"), (some["openings"][1]["position"] + 1) % 52),
        ("position beyond the pack", ("openings", 1, "position"), 52),
        ("another k", ("openings", 1, "k"), 2),
        ("k beyond the pack", ("openings", 1, "k"), 52),
        ("path cut short", ("openings", 1, "path"), some["openings"][1]["path"][:-1]),
        ("path too long", ("openings", 1, "path"), [*some["openings"][1]["path"], seed("path")]),
        ("another path", ("openings", 1, "path", 2), seed("path")),
        ("path is no hash", ("openings", 1, "path", 2), "up"),
        ("opened twice", ("openings", 2), some["openings"][1]),
        ("claims to be whole", ("whole",), True),
    ]
    return [
        proof_case("good", "one deck", some, 3),
        *(proof_case(name, "one deck", tampered(some, *path, to=value), 3) for name, path, value in changes),
        proof_case("whole pack, good", "five cards", whole_pack, 3),
        proof_case("whole pack, one missing", "five cards", whole_pack | {"openings": whole_pack["openings"][1:]}),
        proof_case("whole pack, not said so", "five cards", whole_pack | {"whole": False}),
        proof_case("whole pack, of another pack", "five cards", _doctored_pack()),
    ]


def _doctored_pack() -> Case:
    """Committed and opened faithfully, but the pack had a third heart_10_2 in place of another card."""
    cards = ["heart_10_2" if card == "♠A" else card for card in PACKS["five cards"]]
    doctored: Case = plain(prove(CommittedPack(secret("doctored"), SEQUENCE, cards).cut(THREE_SEATS)))
    return doctored


def rounds(*numbers: tuple[str, str, int], announce: dict[str, str] | None = None) -> list[Case]:
    """Proofs of successive shuffles: server seed by name, client seed, nonce."""
    following = {"a": "b", "b": "c"} if announce is None else announce
    hashes = {name: commitment(seed(name)) for name in "abc"}
    return [
        plain(
            Shuffle1Proof(hashes[server], client, nonce, seed(server), hashes[following[server]])
            if server in following
            else Shuffle1Proof(hashes[server], client, nonce, seed(server))
        )
        for server, client, nonce in numbers
    ]


def deals(*numbers: tuple[int, int, int]) -> list[Case]:
    """Proofs of successive deals at one table: hand, shuffle, link."""
    made = []
    for hand, number, link in numbers:
        context = Context("table 7", hand, "sequence/1", number)
        entries = (contribution("ann", 0, link), Contribution(1))
        made.append(plain(prove(CommittedPack(secret("deals"), context, PACKS["one card"]).cut(entries))))
    return made


def history_case(name: str, proofs: list[Case], *, from_start: bool = True) -> Case:
    read = [proof for proof in map(read_proof, proofs) if not isinstance(proof, Finding)]
    assert len(read) == len(proofs)
    found = check_history(read, from_start=from_start)
    codes = [{"code": finding.code, "proof": finding.facts["proof"]} for finding in found]
    return {"name": name, "fromStart": from_start, "proofs": proofs, "findings": codes}


def history_cases() -> list[Case]:
    one, two = "client one", "client two"
    return [
        history_case("two pairs, good", rounds(("a", one, 0), ("a", one, 1), ("b", two, 0))),
        history_case("nonce repeated", rounds(("a", one, 0), ("a", one, 0))),
        history_case("counting goes on after a repeated nonce", rounds(*(("a", one, each) for each in (0, 1, 0, 2)))),
        history_case("nonce missing", rounds(("a", one, 0), ("a", one, 2))),
        history_case("begun earlier, unknown", rounds(("a", one, 7), ("a", one, 8)), from_start=False),
        history_case("begun earlier, though from the start", rounds(("a", one, 7), ("a", one, 8))),
        history_case("client seed not fresh", rounds(("a", one, 0), ("b", one, 0))),
        history_case("another client seed on the same commitment", rounds(("a", one, 0), ("a", two, 0))),
        history_case("not announced", rounds(("a", one, 0), ("b", two, 0), announce={})),
        history_case("another announced", rounds(("a", one, 0), ("b", two, 0), announce={"a": "c"})),
        history_case(
            "announcement changed",
            rounds(("a", one, 0), announce={"a": "c"}) + rounds(("a", one, 1), ("b", two, 0)),
        ),
        history_case(
            "an old commitment comes back",
            rounds(("a", one, 0), ("b", two, 0), ("a", one, 1), announce={"a": "b", "b": "a"}),
        ),
        history_case("deals, good", deals((0, 0, 1), (0, 1, 2), (1, 0, 3))),
        history_case("deal repeated", deals((0, 0, 1), (0, 0, 2))),
        history_case("counting goes on after a repeated deal", deals((0, 0, 1), (1, 0, 2), (0, 0, 3), (2, 0, 4))),
        history_case("hand missing", deals((0, 0, 1), (2, 0, 2))),
        history_case("shuffle missing", deals((0, 0, 1), (0, 2, 2))),
        history_case("hand begins with shuffle 1", deals((0, 0, 1), (1, 1, 2))),
        history_case("link skipped", deals((0, 0, 1), (1, 0, 3))),
        history_case("link used twice", deals((0, 0, 1), (1, 0, 1))),
        history_case("counting goes on after a link used twice", deals((0, 0, 1), (1, 0, 2), (2, 0, 1), (3, 0, 4))),
        history_case("chain begun earlier, unknown", deals((5, 0, 4), (6, 0, 5)), from_start=False),
        history_case("chain begun earlier, though from the start", deals((5, 0, 4), (6, 0, 5))),
    ]


def vectors() -> dict[str, Any]:
    """Everything in the file. Numbers count from 0, bytes are hexadecimal; docs/fairness.md says what is computed."""
    four = tuple(contribution(name, seat, 1) for seat, name in enumerate(("ann", "bob", "carol", "dave")))
    return {
        "packs": [{"name": name, "cards": cards} for name, cards in PACKS.items()],
        "shuffle-1": [
            shuffle_case("six decks", "six decks", "my own seed", 0),
            shuffle_case("colons and other alphabets", "one deck", "a:1:2 é漢😀", 7),
            shuffle_case("highest nonce", "five cards", "x" * 256, 2**53 - 1),
            shuffle_case("one card", "one card", "12345678", 0),
        ],
        "stream": [stream_case("stream of 52", 52), stream_case("stream of 416", 416)],
        "merkle": [merkle_case(size) for size in (1, 2, 3, 5, 6, 7, 8)],
        "chain": [chain_case("ann", 10), chain_case("one link", 1)],
        "cut-1": [
            # In this hand both the shuffle and the cut pass over a word of their stream.
            cut_case("six decks, four seats", "six decks", Context("table 7", 32, "blackjack/1"), four),
            cut_case("one deck, absent seats", "one deck", HOLDEM, THREE_SEATS),
            cut_case("second shuffle, other alphabets", "five cards", SEQUENCE, THREE_SEATS),
            cut_case("nobody cuts", "one card", Context("t", 2**53 - 1, "r"), ()),
        ],
        "shuffle-1 proofs": shuffle_proof_cases(),
        "cut-1 proofs": cut_proof_cases(),
        "histories": history_cases(),
        "shuffle-1 client": list(shuffle1_stories.vectors()),
        **cut2_vectors.vectors(),
    }


def text() -> str:
    """The file's text: valid JSON with one case a line."""
    sections = []
    for name, cases in vectors().items():
        lines = ",\n".join("  " + json.dumps(case, ensure_ascii=False, separators=(",", ":")) for case in cases)
        sections.append(f"{json.dumps(name)}: [\n{lines}\n]")
    return "{\n" + ",\n".join(sections) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
