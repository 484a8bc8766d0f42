"""The files of the page, the shell's and each game's own.

They are read once at the start, so that an address can only ever name a file that was there.
"""

import gzip
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from croupier.server.game_list import installed_games, page_folder

INDEX: Final = "index.html"
SERVICE_WORKER: Final = "sw.js"
MEDIA_TYPES: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "mjs": "text/javascript; charset=utf-8",
    "json": "application/json",
    "webmanifest": "application/manifest+json",
    "txt": "text/plain; charset=utf-8",
    "svg": "image/svg+xml",
    "png": "image/png",
    "webp": "image/webp",
    "ico": "image/x-icon",
    "woff2": "font/woff2",
    "mp3": "audio/mpeg",
    "ogg": "audio/ogg",
    "wav": "audio/wav",
}
"""The media types by file ending. Files with other endings are not served."""


class WebFile(msgspec.Struct, frozen=True):
    content: bytes
    compressed: bytes
    media_type: str
    tag: str


def web_files() -> dict[str, WebFile]:
    """Every file of the page by its path, like `js/main.js`; a game's own stand under `games/<name>/`."""
    found = dict(_under(files("croupier.server").joinpath("web"), ""))
    for name in installed_games():
        folder = page_folder(name)
        if folder is not None:
            found.update(_under(folder, f"games/{name}/"))
    found[SERVICE_WORKER] = _with_version(found)
    return found


def _with_version(found: Mapping[str, WebFile]) -> WebFile:
    """The service worker, with the list of files and their version: browsers install a new one when its bytes have
    changed."""
    paths = sorted(path for path in found if path not in (INDEX, SERVICE_WORKER))
    version = sha256("".join(f"{path} {found[path].tag}\n" for path in (INDEX, *paths)).encode()).hexdigest()[:16]
    worker = found[SERVICE_WORKER]
    listed = msgspec.json.encode([f"/{path}" for path in paths])
    content = worker.content.replace(b"{{version}}", version.encode()).replace(b"{{files}}", listed)
    return web_file(content, worker.media_type)


def _under(folder: Traversable, path: str) -> Mapping[str, WebFile]:
    found: dict[str, WebFile] = {}
    for entry in folder.iterdir():
        if entry.is_dir():
            found.update(_under(entry, f"{path}{entry.name}/"))
        elif media_type := MEDIA_TYPES.get(entry.name.rpartition(".")[2]):
            found[path + entry.name] = web_file(entry.read_bytes(), media_type)
    return found


def web_file(content: bytes, media_type: str) -> WebFile:
    """A page file with this content."""
    compressed = gzip.compress(content, mtime=0)
    return WebFile(content, compressed, media_type, f'"{sha256(content).hexdigest()[:32]}"')


def answer(request: Request, file: WebFile) -> Response:
    """The file, or that it has not changed. Browsers cache it, and check each time whether it is current."""
    headers = {"etag": file.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    known = {tag.strip().removeprefix("W/") for tag in request.headers.get("if-none-match", "").split(",")}
    if file.tag in known or "*" in known:
        return Response(status_code=304, headers=headers)
    headers["content-type"] = file.media_type
    if "gzip" in request.headers.get("accept-encoding", "") and len(file.compressed) < len(file.content):
        return Response(file.compressed, headers={**headers, "content-encoding": "gzip"})
    return Response(file.content, headers=headers)


def json_file(document: object) -> WebFile:
    """A document that never changes while the server runs, served like a file."""
    return web_file(msgspec.json.encode(document), "application/json")
