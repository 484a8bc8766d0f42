"""The verify page: the shared examples, records good and bad, and what it says it cannot check."""

import json
from collections.abc import Callable
from importlib.resources import files

import pytest

from tests.web.audit import audit
from tests.web.house import PHONE, Visitor

Visit = Callable[..., Visitor]
VECTORS = json.loads(files("croupier.dealing").joinpath("vectors.json").read_text(encoding="utf-8"))

CHECK = """async (vectors) => {
  const { cardsOf } = await import("/js/verify/verify.js");
  const { shuffle } = await import("/js/verify/shuffle1.js");
  const { checkSuccession } = await import("/js/verify/succession.js");
  const packs = Object.fromEntries(vectors.packs.map(({ name, cards }) => [name, cards]));
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const wrong = [];
  for (const { name, pack, serverSeed, clientSeed, nonce, order } of vectors["shuffle-1"]) {
    const places = packs[pack].map((_, place) => place);
    if (!same(await shuffle(places, serverSeed, clientSeed, nonce), order)) wrong.push(name);
  }
  const proofs = [...vectors["shuffle-1 proofs"], ...vectors["cut-1 proofs"]];
  for (const { name, pack, seats, proof, cards, findings } of proofs) {
    const found = await cardsOf(proof, packs[pack], seats);
    const codes = [...new Set(found.findings.map(({ code }) => code))].sort();
    if (!same(codes, findings) || !same(found.cards, cards)) wrong.push(`${name}: ${codes}`);
  }
  for (const { name, proofs, fromStart, findings } of vectors.histories) {
    const found = checkSuccession(proofs, fromStart).map(({ code, facts }) => ({ code, proof: facts.proof }));
    if (!same(found, findings)) wrong.push(`${name}: ${JSON.stringify(found)}`);
  }
  return wrong;
}"""


def test_the_browser_finds_what_the_shared_examples_say(visit: Visit) -> None:
    assert visit("/#/verify").page.evaluate(CHECK, VECTORS) == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "no record"),
        ("{", "RECORD_MALFORMED"),
        ('{"format": "other"}', "RECORD_MALFORMED"),
        ("null", "RECORD_MALFORMED"),
    ],
)
def test_what_is_no_record_is_said_to_be_none(visit: Visit, text: str, code: str) -> None:
    ann = visit("/#/verify")
    ann.page.fill("[name=pasted]", text)
    ann.page.locator("section:has([name=pasted]) .primary").click()
    ann.page.wait_for_selector(".verdict.bad")
    assert code in ann.text(".verdict")


def test_a_room_that_is_not_there_is_said_so(visit: Visit) -> None:
    ann = visit("/#/verify")
    ann.page.fill("[name=room]", "ZZZZZZ")
    with ann.page.expect_response("**/records.jsonl"):
        ann.page.locator("section:has([name=room]) .primary").click()
    ann.page.wait_for_selector(".verdict-place .fault")
    ann.complaints.clear()  # the browser logs every 404 by itself


@pytest.mark.parametrize("language", ["en-US", "ko-KR", "zh-CN", "ru-RU"])
def test_the_page_says_what_it_proves_in_every_language(visit: Visit, language: str) -> None:
    ann = visit("/#/verify", locale=language, viewport=PHONE)
    text = ann.page.inner_text("body")
    assert "web." not in text
    assert "croupier verify" in text
    assert ann.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_the_page_has_names_and_contrast(visit: Visit) -> None:
    ann = visit("/#/verify", reduced_motion="reduce")
    ann.page.fill("[name=pasted]", "{")
    ann.page.locator("section:has([name=pasted]) .primary").click()
    ann.page.wait_for_selector(".verdict.bad")
    audit(ann.page)
