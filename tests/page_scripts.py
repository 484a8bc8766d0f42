"""The page's own modules in Node: laid out as a server serves them, so that addresses like `/js/dom.js` lead there."""

import json
import os
import shutil
from pathlib import Path
from typing import Final

import msgspec
import pytest

from croupier.server.game_list import game_list, installed_games
from croupier.server.web_files import web_files

RESOLVER: Final = """\
import { register } from "node:module";
import { pathToFileURL } from "node:url";
const root = pathToFileURL(import.meta.dirname + "/").href;
const hooks = `export const resolve = (name, context, next) =>
  next(/^[/](js|games)[/]/.test(name) ? ${JSON.stringify(root)} + name.slice(1) : name, context);`;
register("data:text/javascript," + encodeURIComponent(hooks));
const { useGames } = await import("./js/games/registry.js");
useGames(GAMES);
"""


def page_scripts(folder: Path) -> list[str]:
    """Lays the page's modules out in a folder, under `js` and `games`. Gives the command that runs a script with them:
    the games are described as a server does."""
    node = shutil.which("node")
    if node is None:
        assert not os.environ.get("CI"), "Node is needed to run the page's modules"
        pytest.skip("Node is not installed")
    for path, file in web_files().items():
        if path.endswith(".js"):
            place = folder / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(file.content)
    # Node takes a `.js` file for a module where a package says so; the page's server needs no package.
    (folder / "package.json").write_text('{"type": "module"}')
    described = json.dumps(msgspec.to_builtins(game_list(installed_games())))
    (folder / "resolver.mjs").write_text(RESOLVER.replace("GAMES", described))
    return [node, "--import", (folder / "resolver.mjs").as_uri()]
