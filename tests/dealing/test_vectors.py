"""The shared examples, against the code and against implementations written from docs/fairness.md alone."""

import hashlib
import hmac
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.dealing.make_vectors import FILE, text
from tests.page_scripts import page_scripts

VECTORS: dict[str, list[dict[str, Any]]] = json.loads(FILE.read_text(encoding="utf-8"))
PACKS: dict[str, list[str]] = {pack["name"]: pack["cards"] for pack in VECTORS["packs"]}
CUT_2_PACKS: dict[str, list[str]] = {pack["name"]: pack["cards"] for pack in VECTORS["cut-2 packs"]}


def named(case: dict[str, Any]) -> str:
    return str(case["name"])


def test_the_file_is_what_the_code_makes() -> None:
    assert FILE.read_text(encoding="utf-8") == text(), "run python -m tests.dealing.make_vectors"


def test_the_examples_cover_words_that_are_passed_over() -> None:
    assert any(case["passedOver"] for case in VECTORS["stream"])
    assert any(case["shufflePassedOver"] and case["cutPassedOver"] for case in VECTORS["cut-1"])


def test_one_fault_in_a_history_is_one_finding() -> None:
    for case in VECTORS["histories"]:
        good = "good" in case["name"] or "unknown" in case["name"] or "another client seed" in case["name"]
        assert len(case["findings"]) == (0 if good else 1), case["name"]


def test_the_examples_of_cut_2_meet_every_finding_of_a_deal() -> None:
    met = {code for case in (*VECTORS["cut-2 proofs"], *VECTORS["cut-2 voids"]) for code in case["findings"]}
    assert met >= {
        *("CONTEXT_MALFORMED", "CONTEXT_NOT_CANONICAL", "CUTTERS_MALFORMED", "PROMISE_MALFORMED", "ROOT_COUNT"),
        *("ROOT_MALFORMED", "CUTS_INCOMPLETE", "CUT_NOT_PROMISED", "SECRET_COUNT", "SECRET_MISSING", "PACK_FALSE"),
        *("OPENING_NOT_IN_ROOT", "POSITION_MISMATCH", "OPENING_OUT_OF_RANGE", "CARD_TOO_OFTEN"),
    }
    good = [case for case in (*VECTORS["cut-2 proofs"], *VECTORS["cut-2 voids"]) if "good" in case["name"]]
    assert len(good) == 5
    assert all(case["findings"] == [] for case in good)


# From here on nothing of croupier.dealing is used: hashlib, hmac, and the document.


def sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def u64(number: int) -> bytes:
    return number.to_bytes(8, "big")


def frame(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)


def stream_shuffle(things: list[Any], key: bytes) -> list[Any]:
    things, block, at, counter = list(things), b"", 0, 0
    for i in range(len(things) - 1, 0, -1):
        limit = 65536 - 65536 % (i + 1)
        word = limit
        while word >= limit:
            if at == len(block):
                block, at, counter = mac(key, u64(counter)), 0, counter + 1
            word, at = 256 * block[at] + block[at + 1], at + 2
        j = word % (i + 1)
        things[i], things[j] = things[j], things[i]
    return things


def tree_root(level: list[bytes]) -> bytes:
    while len(level) > 1:
        pairs = [level[at : at + 2] for at in range(0, len(level), 2)]
        level = [sha(b"\x01" + b"".join(pair)) if len(pair) == 2 else pair[0] for pair in pairs]
    return level[0]


def path_leads_to(leaf: bytes, position: int, count: int, path: list[bytes]) -> bytes:
    path = list(path)
    while count > 1:
        if position != count - 1 or count % 2 == 0:
            other = path.pop(0)
            leaf = sha(b"\x01" + (other + leaf if position % 2 else leaf + other))
        position, count = position // 2, (count + 1) // 2
    assert not path
    return leaf


@pytest.mark.parametrize("case", VECTORS["shuffle-1"], ids=named)
def test_shuffle_1_follows_from_its_document(case: dict[str, Any]) -> None:
    assert hashlib.sha256(case["serverSeed"].encode("ascii")).hexdigest() == case["serverSeedHash"]
    order = list(range(len(PACKS[case["pack"]])))
    for i in range(len(order) - 1, 0, -1):
        message = f"{case['serverSeed']}:{case['clientSeed']}:{case['nonce']}:{i}"
        j = int(hashlib.sha256(message.encode("utf-8")).hexdigest(), 16) % (i + 1)
        order[i], order[j] = order[j], order[i]
        for step in case["firstSteps"]:
            assert step["i"] != i or (step["text"], step["j"]) == (message, j)
    assert order == case["order"]


@pytest.mark.parametrize("case", VECTORS["stream"], ids=named)
def test_the_stream_follows_from_its_document(case: dict[str, Any]) -> None:
    key = bytes.fromhex(case["key"])
    block = mac(key, u64(0))
    assert block.hex() == case["firstBlock"]
    assert [256 * block[at] + block[at + 1] for at in range(0, 32, 2)] == case["firstWords"][:16]
    assert stream_shuffle(list(range(case["size"])), key) == case["order"]


@pytest.mark.parametrize("case", VECTORS["merkle"], ids=named)
def test_the_tree_follows_from_its_document(case: dict[str, Any]) -> None:
    leaves = [sha(b"\x00" + bytes.fromhex(content)) for content in case["contents"]]
    assert tree_root(leaves).hex() == case["root"]
    for position, path in enumerate(case["paths"]):
        siblings = [bytes.fromhex(sibling) for sibling in path]
        assert path_leads_to(leaves[position], position, len(leaves), siblings).hex() == case["root"]


@pytest.mark.parametrize("case", VECTORS["chain"], ids=named)
def test_the_chain_follows_from_its_document(case: dict[str, Any]) -> None:
    link = bytes.fromhex(case["secret"])
    for expected in [*case["links"][::-1], case["anchor"]]:
        assert link.hex() == expected
        link = sha(frame(b"croupier cut-1 chain", link))


@pytest.mark.parametrize("case", VECTORS["cut-1"], ids=named)
def test_cut_1_follows_from_its_document(case: dict[str, Any]) -> None:
    pack, secret, about = PACKS[case["pack"]], bytes.fromhex(case["secret"]), case["context"]
    n = len(pack)
    parts = (about["table"].encode(), u64(about["hand"]), about["rules"].encode(), u64(about["shuffle"]), u64(n))
    context = sha(frame(b"croupier cut-1 context", *parts))
    assert context.hex() == case["contextHash"]

    key = mac(secret, frame(b"croupier cut-1 shuffle", context))
    order = stream_shuffle(list(range(n)), key)
    assert (key.hex(), order) == (case["shuffleKey"], case["serverOrder"])

    salts = [mac(secret, frame(b"croupier cut-1 salt", context, u64(p))) for p in range(n)]
    contents = [frame(b"croupier cut-1 leaf", context, u64(p), salts[p], pack[order[p]].encode()) for p in range(n)]
    leaves = [sha(b"\x00" + content) for content in contents]
    root = tree_root(leaves)
    assert [salt.hex() for salt in salts[:3]] == case["firstSalts"]
    assert [content.hex() for content in contents[:3]] == case["firstLeafContents"]
    assert [leaf.hex() for leaf in leaves[:3]] == case["firstLeaves"]
    assert root.hex() == case["root"]

    entries = [(u64(entry["seat"]), bytes.fromhex(entry["value"] or "")) for entry in case["contributions"]]
    flat = [part for entry in entries for part in entry]
    cut = sha(frame(b"croupier cut-1 permutation", context, root, *flat))
    permutation = stream_shuffle(list(range(n)), cut)
    assert (cut.hex(), permutation) == (case["cutKey"], case["permutation"])
    assert [pack[order[position]] for position in permutation] == case["dealt"]

    for k, opening in enumerate(case["openings"]):
        position = permutation[k]
        assert (opening["k"], opening["position"], opening["card"]) == (k, position, pack[order[position]])
        assert opening["salt"] == salts[position].hex()
        path = [bytes.fromhex(sibling) for sibling in opening["path"]]
        assert path_leads_to(leaves[position], position, n, path) == root


@pytest.mark.parametrize("case", VECTORS["canonical"], ids=named)
def test_a_text_is_canonical_only_if_writing_what_was_read_gives_it_again(case: dict[str, Any]) -> None:
    assert case["accepted"] == (case["written"] == case["text"])
    if case["accepted"]:
        compact = json.dumps(json.loads(case["text"]), ensure_ascii=False, separators=(",", ":"))
        assert compact == case["text"]


@pytest.mark.parametrize("case", VECTORS["promises"], ids=named)
def test_a_promise_follows_from_its_document(case: dict[str, Any]) -> None:
    assert sha(frame(b"croupier cut-2 promise", bytes.fromhex(case["value"]))).hex() == case["promise"]


@pytest.mark.parametrize("case", VECTORS["closings"], ids=named)
def test_a_closings_digest_follows_from_its_document(case: dict[str, Any]) -> None:
    assert sha(frame(b"croupier cut-2 closing", case["text"].encode())).hex() == case["digest"]


def cut_2_context(about: dict[str, Any]) -> bytes:
    entries = [(u64(each["seat"]), bytes.fromhex(each["promise"])) for each in about["cutters"]]
    numbers = (u64(about["deal"]), u64(about["hand"]), u64(about["shuffle"]))
    texts = (about["rules"].encode(), about["setup"].encode(), about["pack"].encode())
    parts = (bytes.fromhex(about["room"]), *numbers, *texts, u64(about["packs"]), bytes.fromhex(about["before"]))
    return sha(frame(b"croupier cut-2 context", *parts, *(part for entry in entries for part in entry)))


@pytest.mark.parametrize("case", VECTORS["contexts"], ids=named)
def test_a_context_follows_from_its_document(case: dict[str, Any]) -> None:
    assert cut_2_context(case["context"]).hex() == case["hash"]


@pytest.mark.parametrize("case", VECTORS["cut-2"], ids=named)
def test_cut_2_follows_from_its_document(case: dict[str, Any]) -> None:
    cards, about = CUT_2_PACKS[case["pack"]], case["context"]
    n, context = len(cards), cut_2_context(about)
    assert json.loads(about["pack"]) == cards
    assert context.hex() == case["contextHash"]

    orders, roots = [], []
    for j in range(about["packs"]):
        secret = mac(bytes.fromhex(case["master"]), frame(b"croupier cut-2 pack", context, u64(j)))
        assert secret.hex() == case["secrets"][j]
        order = stream_shuffle(list(range(n)), mac(secret, frame(b"croupier cut-1 shuffle", context)))
        salts = [mac(secret, frame(b"croupier cut-1 salt", context, u64(p))) for p in range(n)]
        leaves = [
            sha(b"\x00" + frame(b"croupier cut-1 leaf", context, u64(p), salts[p], cards[order[p]].encode()))
            for p in range(n)
        ]
        assert order[:5] == case["firstOrders"][j]
        orders.append((order, salts, leaves))
        roots.append(tree_root(leaves))
    assert [root.hex() for root in roots] == case["roots"]

    seal = sha(frame(b"croupier cut-2 seal", context, *roots))
    entries = [(u64(each["seat"]), bytes.fromhex(each["value"])) for each in case["cuts"]]
    cut = sha(frame(b"croupier cut-2 cut", seal, *(part for entry in entries for part in entry)))
    assert (seal.hex(), cut.hex()) == (case["seal"], case["cut"])
    played = mac(cut, b"choice")[0] % about["packs"]
    permutation = stream_shuffle(list(range(n)), mac(cut, b"permutation"))
    assert (played, permutation) == (case["played"], case["permutation"])

    order, salts, leaves = orders[played]
    assert [cards[order[position]] for position in permutation] == case["dealt"]
    for opening in case["openings"]:
        position = permutation[opening["k"]]
        assert (opening["position"], opening["card"]) == (position, cards[order[position]])
        assert opening["salt"] == salts[position].hex()
        path = [bytes.fromhex(sibling) for sibling in opening["path"]]
        assert path_leads_to(leaves[position], position, n, path) == roots[played]


def test_webcrypto_computes_the_same() -> None:
    """The browser's own primitives, in Node: every deal, every opening, good or not."""
    node = shutil.which("node")
    if node is None:
        assert not os.environ.get("CI"), "Node is needed to check the vectors with WebCrypto"
        pytest.skip("Node is not installed")
    script = Path(__file__).with_name("check_vectors.mjs")
    done = subprocess.run([node, str(script), str(FILE)], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    counted = len(VECTORS["shuffle-1"]) + len(VECTORS["cut-1"]) + len(VECTORS["cut-1 proofs"])
    assert done.stdout.split() == [str(counted), "cases"]


def test_the_page_computes_cut_2_as_python_does(tmp_path: Path) -> None:
    """The page's own modules, in Node: canonical texts, contexts, deals, proofs and void deals, good or not."""
    node = page_scripts(tmp_path)
    command = [*node, str(Path(__file__).with_name("check_cut2.mjs")), str(tmp_path / "js"), str(FILE)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    lists = ("canonical", "promises", "contexts", "closings", "cut-2", "cut-2 proofs", "cut-2 voids")
    assert json.loads(done.stdout) == {name: len(VECTORS[name]) for name in lists}
