"""The page as an app: installable, opened without a network, brought up to date by itself, only where it is secure."""

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, expect

from croupier.server.web_files import SERVICE_WORKER, web_file, web_files
from tests.web.page_server import PageServer, Visitor, arrive

Visit = Callable[..., Visitor]
CONTROLLED = "() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"
SHELLS = "() => caches.keys()"


def _installed(visitor: Visitor) -> list[str]:
    """The shells that the browser keeps, once there is one."""
    visitor.page.wait_for_function(CONTROLLED)
    shells: list[str] = visitor.page.evaluate(SHELLS)
    return shells


def test_the_page_can_be_installed(visit: Visit) -> None:
    ann = visit(service_workers="allow")
    assert _installed(ann)
    session = ann.context.new_cdp_session(ann.page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    told = json.loads(manifest["data"])
    assert (told["display"], told["start_url"]) == ("standalone", "/")
    errors = {error["errorId"] for error in session.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    assert errors <= {"in-incognito"}, "these browsers forget everything; nothing else is in the way"


def test_the_shell_opens_without_a_network_and_says_so(visit: Visit) -> None:
    ann = visit(service_workers="allow")
    _installed(ann)
    ann.page.wait_for_function("() => caches.match('/api/texts/en/more.json').then(Boolean)")
    ann.context.set_offline(True)
    ann.page.reload()
    ann.page.wait_for_selector("html[data-ready=true]")
    expect(ann.page.locator("[data-play=poker]")).to_be_visible()
    expect(ann.page.locator(".notice.offline")).to_be_visible()
    ann.page.evaluate("() => { location.hash = '#/verify'; }")
    expect(ann.page.locator("h1")).to_have_text("Verify a deal")
    ann.context.set_offline(False)
    expect(ann.page.locator(".notice.offline")).to_be_hidden()
    ann.complaints[:] = [each for each in ann.complaints if "ERR_INTERNET_DISCONNECTED" not in each]


def test_a_newer_page_takes_the_old_ones_place(tmp_path: Path, browser: Browser) -> None:
    server = PageServer(tmp_path / "rooms.db")
    server.start()
    ann = arrive(browser, server.link, service_workers="allow")
    ann.enter()
    (before,) = _installed(ann)
    server.stop()
    server.newer = {"css/lobby.css": b"/* newer */"}
    server.start()
    ann.page.reload()
    ann.page.wait_for_function(f"() => caches.keys().then((all) => all.length === 1 && all[0] !== '{before}')")
    kept = ann.page.evaluate("() => caches.match('/css/lobby.css').then((found) => found.text())")
    assert kept == "/* newer */"
    ann.context.close()
    server.stop()


def test_nothing_is_kept_where_the_page_is_not_secure(visit: Visit, page_server: PageServer) -> None:
    ann = visit(link=page_server.lan_link, service_workers="allow")
    assert ann.page.evaluate("() => isSecureContext") is False
    ann.page.get_by_role("button", name="Settings").click()
    assert ann.page.locator("[name=notification], [data-do=install]").count() == 0
    assert ann.page.evaluate("() => 'serviceWorker' in navigator") is False


def test_the_worker_names_every_file_and_changes_with_any() -> None:
    files = web_files()
    worker = files[SERVICE_WORKER].content.decode()
    for path in files:
        if path not in ("index.html", SERVICE_WORKER):
            assert f'"/{path}"' in worker
    assert "{{" not in worker
    assert web_file(worker.encode(), "text/javascript").tag == files[SERVICE_WORKER].tag
