"""The page's own files: read once at the start, so that an address can only ever name a file that was there."""

import gzip
from collections.abc import Mapping
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

INDEX: Final = "index.html"
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
"""What is served, by the end of its name. Other files in the folder are not."""


class WebFile(msgspec.Struct, frozen=True):
    content: bytes
    compressed: bytes
    media_type: str
    tag: str


def web_files() -> dict[str, WebFile]:
    """Every file of the page by its path in the folder, like `parts/table.js`."""
    return dict(_under(files("croupier.server").joinpath("web"), ""))


def _under(folder: Traversable, path: str) -> Mapping[str, WebFile]:
    found: dict[str, WebFile] = {}
    for entry in folder.iterdir():
        if entry.is_dir():
            found.update(_under(entry, f"{path}{entry.name}/"))
        elif media_type := MEDIA_TYPES.get(entry.name.rpartition(".")[2]):
            found[path + entry.name] = web_file(entry.read_bytes(), media_type)
    return found


def web_file(content: bytes, media_type: str) -> WebFile:
    """A file with this content."""
    compressed = gzip.compress(content, mtime=0)
    return WebFile(content, compressed, media_type, f'"{sha256(content).hexdigest()[:32]}"')


def answer(request: Request, file: WebFile) -> Response:
    """The file, or that it has not changed. Browsers keep it, and ask every time whether it is still the one."""
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
