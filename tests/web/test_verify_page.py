"""The verify page: the shared examples, records of all games good and forged, a player's own log, and what it says it
cannot know."""

import json
import re
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from croupier import locales
from croupier.wire.records import verify
from tests.replay.forgeries import File, honest, kept
from tests.web.audit import audit
from tests.web.page_server import PHONE, Visitor

Visit = Callable[..., Visitor]
VECTORS = json.loads(files("croupier.dealing").joinpath("vectors.json").read_text(encoding="utf-8"))
KEPT = {file.name: file for file in kept()}

CHECK = """async (vectors) => {
  const { cardsOf } = await import("/js/verify/proofs.js");
  const { shuffle } = await import("/js/fairness/shuffle1.js");
  const { checkSuccession } = await import("/js/verify/succession.js");
  const all = [...vectors.packs, ...vectors["cut-2 packs"]];
  const packs = Object.fromEntries(all.map(({ name, cards }) => [name, cards]));
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const wrong = [];
  for (const { name, pack, serverSeed, clientSeed, nonce, order } of vectors["shuffle-1"]) {
    const places = packs[pack].map((_, place) => place);
    if (!same(await shuffle(places, serverSeed, clientSeed, nonce), order)) wrong.push(name);
  }
  const proofs = [...vectors["shuffle-1 proofs"], ...vectors["cut-1 proofs"], ...vectors["cut-2 proofs"]];
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


@pytest.fixture(scope="module")
def tables() -> dict[str, File]:
    """Honest records with a log, one of each game, without and with void deals."""
    return {file.name.split()[0]: file for file in honest(range(1)) if file.log is not None}


def show(visitor: Visitor, records: list[str], log: list[str] | None = None) -> None:
    """Gives the page a file of records, and before that a log."""
    page = visitor.page
    for name, lines in (("mine", log), ("record", records)):
        if lines is not None:
            content = "".join(f"{line}\n" for line in lines).encode()
            page.set_input_files(
                f"[name={name}]", {"name": f"{name}.jsonl", "mimeType": "text/plain", "buffer": content}
            )
    page.wait_for_selector(".verdict")


def codes(visitor: Visitor) -> list[str]:
    """The findings that the page shows."""
    rows = visitor.page.locator(".faults-list [data-code]")
    return [str(row.get_attribute("data-code")) for row in rows.all()]


def changed(file: File, line: int, **values: Any) -> list[str]:
    """The records with other values in one of them."""
    records = list(file.records)
    records[line] = json.dumps(json.loads(records[line]) | values)
    return records


def test_the_browser_finds_what_the_shared_examples_say(visit: Visit) -> None:
    assert visit("/#/verify").page.evaluate(CHECK, VECTORS) == []


@pytest.mark.parametrize("game", ["poker", "blackjack", "sequence"])
def test_a_good_record_is_replayed_and_its_claims_are_no_larger_than_the_check(
    visit: Visit, tables: dict[str, File], game: str
) -> None:
    file = tables[game]
    checked = verify(file.records, file.log).checked
    ann = visit("/#/verify")
    show(ann, file.records)
    assert codes(ann) == []
    assert ann.page.locator(".verdict.good").count() == 1
    headline = ann.text(".verdict-line")
    assert "every card shown, every move and every payout is right" in headline
    assert "not compared with anybody's own log" in headline
    assert ann.page.locator("[data-code=RECORD_ALONE]").count() == 1
    assert f"every move and payout: {checked.rounds}" in ann.text(".verdict")
    assert f"cards proved: {checked.cards};" in ann.text(".verdict")
    if checked.voids:
        assert f"void deals checked: {checked.voids}" in ann.text(".verdict")
    show_log_only(ann, file)
    expect(ann.page.locator(".verdict-line")).to_contain_text("agree with your own log")
    assert ann.page.locator("[data-code=RECORD_ALONE]").count() == 0
    assert f"Lines of your log compared: {checked.log_lines}" in ann.text(".verdict")


def show_log_only(visitor: Visitor, file: File) -> None:
    """The log comes after the records: they are checked again."""
    content = "".join(f"{line}\n" for line in file.log or ()).encode()
    visitor.page.set_input_files("[name=mine]", {"name": "mine.jsonl", "mimeType": "text/plain", "buffer": content})


def test_a_changed_payout_is_found(visit: Visit, tables: dict[str, File]) -> None:
    ann = visit("/#/verify")
    file = tables["poker"]
    payouts = json.loads(file.records[0])["payouts"]
    loser = payouts.index(min(payouts))
    payouts[loser] = 999_999
    show(ann, changed(file, 0, payouts=payouts))
    assert "PAYOUT_MISMATCH" in codes(ann)
    assert ann.page.locator(".verdict.bad").count() == 1
    assert "999999" in ann.text(".faults-list")
    assert "right" not in ann.text(".verdict-line")


def test_a_hand_that_was_left_out_and_a_log_that_saw_it(visit: Visit, tables: dict[str, File]) -> None:
    file = tables["poker"]
    ann = visit("/#/verify")
    shortened = [file.records[0], *file.records[2:]]
    show(ann, shortened)
    assert "DEALS_MISSING" in codes(ann)
    show(ann, shortened, file.log)
    ann.page.wait_for_selector("[data-code=LOG_DEALS_NOT_IN_RECORD]")
    assert "of your log" in ann.text(".faults-list")


def test_a_record_that_agrees_with_itself_does_not_agree_with_another_tables_log(
    visit: Visit, tables: dict[str, File]
) -> None:
    ann = visit("/#/verify")
    show(ann, tables["poker"].records, tables["blackjack"].log)
    ann.page.wait_for_selector("[data-code=LOG_OTHER_ROOM]")
    ann.page.get_by_role("button", name="Check without it").click()
    ann.page.wait_for_selector(".verdict.good")


def test_the_log_that_this_browser_has_kept_is_used_by_itself(visit: Visit) -> None:
    ann = visit()
    ann.page.click("[data-play=poker]")
    ann.page.wait_for_selector(".controls.active")
    code = ann.text(".code")
    ann.page.keyboard.press("KeyF")
    expect(ann.page.locator(".seat.own")).to_have_class(re.compile(r"\bout\b"))
    # The bots play on only while somebody is there: the hand is over when the next one asks Ann.
    ann.page.wait_for_selector(".controls.active", timeout=60_000)
    ann.enter(f"/#/verify/{code}")
    ann.page.wait_for_selector(".verified-rounds li")
    assert codes(ann) == []
    expect(ann.page.locator(".verdict.good .verdict-line")).to_contain_text("agree with your own log")
    assert "this browser has kept" in ann.text("main")


@pytest.mark.parametrize("name", ["holdem_ended-Ann.jsonl", "sequence_ended-spectator.jsonl", "casino-Emil.jsonl"])
def test_records_of_the_first_release_verify_as_what_they_were(visit: Visit, name: str) -> None:
    ann = visit("/#/verify")
    show(ann, KEPT[name].records)
    assert codes(ann) == sorted({found.code for _, found in verify(KEPT[name].records).findings})
    old = ann.page.locator("[data-code=CUT_1_PROVES_LESS]")
    assert old.count() == (0 if name.startswith("casino") else 1)
    if old.count():
        assert "does not prove that every cut went in" in old.inner_text()


def test_a_game_without_rules_here_is_said_not_to_be_checked(visit: Visit, tables: dict[str, File]) -> None:
    """A page that lacks the rules of blackjack checks the draws, and says so."""
    file = tables["blackjack"]
    ann = visit()

    def without_blackjack(route: Route) -> None:
        described = (answer := route.fetch()).json()
        next(game for game in described["games"] if game["name"] == "blackjack")["page"]["engine"] = False
        route.fulfill(response=answer, body=json.dumps(described))

    ann.page.route("**/api/games", without_blackjack)
    ann.enter("/#/verify")
    ann.page.reload()
    show(ann, file.records)
    assert codes(ann) == []
    assert any(json.loads(line).get("setup", {}).get("gone") for line in file.records), "a shoe goes on in this file"
    assert "Blackjack" in ann.page.locator("[data-code=GAME_NOT_REPLAYED]").first.inner_text()
    assert ann.page.locator(".verdict.good").count() == 0
    assert "not everything could be checked" in ann.text(".verdict-line")
    first = next(line for line, text in enumerate(file.records) if '"proofs":[{' in text)
    cards = json.loads(file.records[first])["cards"]
    show(ann, changed(file, first, cards=[*cards[1:], cards[0]]))
    ann.page.wait_for_selector("[data-code=CARD_MISMATCH]")


def test_a_game_by_another_name_than_the_deal_was_fixed_for_is_found(visit: Visit, tables: dict[str, File]) -> None:
    ann = visit("/#/verify")
    show(ann, [line.replace('{"game":"blackjack"', '{"game":"whist"') for line in tables["blackjack"].records])
    assert "DEAL_DIFFERS" in codes(ann)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "no record"),
        ("{", "RECORD_MALFORMED"),
        ('{"format": "other"}', "RECORD_MALFORMED"),
        ("null", "RECORD_MALFORMED"),
        ("[" * 5000 + "]" * 5000, "RECORD_MALFORMED"),
        ('{"format": "croupier-table-1"}', "END_MALFORMED"),
        ('{"game": "poker", "game": "poker"}', "RECORD_MALFORMED"),
    ],
)
def test_what_is_no_record_is_said_to_be_none(visit: Visit, text: str, code: str) -> None:
    ann = visit("/#/verify")
    ann.page.fill("[name=pasted]", text)
    ann.page.locator("section:has([name=pasted]) .primary").click()
    ann.page.wait_for_selector(".verdict.bad")
    assert code in ann.text(".verdict")


def test_a_file_that_is_no_text_or_too_large_is_said_to_be(visit: Visit, tmp_path: Path) -> None:
    ann = visit("/#/verify")
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes(b'{"game": "\xff\xfe"}\n')
    ann.page.set_input_files("[name=record]", damaged)
    ann.page.wait_for_selector("[data-code=RECORD_MALFORMED]")
    large = tmp_path / "large.jsonl"
    with large.open("wb") as file:
        file.truncate(64 * 2**20 + 1)
    ann.page.set_input_files("[name=record]", large)
    ann.page.wait_for_selector("[data-code=FILE_TOO_LARGE]")


def test_a_room_that_is_not_there_is_said_so(visit: Visit) -> None:
    ann = visit("/#/verify")
    ann.page.fill("[name=room]", "ZZZZZZ")
    with ann.page.expect_response("**/records.jsonl"):
        ann.page.locator("section:has([name=room]) .primary").click()
    ann.page.wait_for_selector(".verdict-place .fault")
    ann.complaints.clear()  # the browser logs every 404 by itself


@pytest.mark.parametrize("language", ["en-US", "ko-KR", "zh-CN", "ru-RU"])
def test_the_page_says_what_it_proves_in_every_language(visit: Visit, tables: dict[str, File], language: str) -> None:
    ann = visit("/#/verify", locale=language, viewport=PHONE)
    file = tables["poker"]
    for records in ([], file.records, file.records[:1], changed(file, 0, payouts=[1] * 6)):
        if records:
            show(ann, records)
            ann.page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        text = ann.page.inner_text("body")
        assert "web." not in text
        assert "finding." not in text
        assert "notice." not in text
        assert "{" not in text
        assert records or "croupier verify" in text
        assert ann.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_every_finding_and_notice_of_the_page_has_a_text() -> None:
    """In every language; those of other modules are tried with these."""
    scripts = Path(str(files("croupier.server").joinpath("web/js/verify")))
    told = re.compile(r'(?:finding|fault|note|CheckError|differs)\(\s*(?:[\w+ .]+,\s*)?"([A-Z][A-Z0-9_]+)"')
    found = {code for script in scripts.glob("*.js") for code in told.findall(script.read_text(encoding="utf-8"))}
    assert len(found) > 80
    for language in locales.LANGUAGES:
        keys = locales.catalogue(language)
        said = {key.rpartition(".")[2] for key in keys if re.match(r"(web\.)?(finding|notice)\.", key)}
        assert found - said == set()


def test_the_page_has_names_and_contrast(visit: Visit, tables: dict[str, File]) -> None:
    ann = visit("/#/verify", reduced_motion="reduce")
    ann.page.fill("[name=pasted]", "{")
    ann.page.locator("section:has([name=pasted]) .primary").click()
    ann.page.wait_for_selector(".verdict.bad")
    audit(ann.page)
    show(ann, tables["sequence"].records, tables["sequence"].log)
    ann.page.wait_for_selector(".verdict.good")
    audit(ann.page)
