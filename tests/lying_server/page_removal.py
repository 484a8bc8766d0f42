"""Takes one check out of the page, to show that nothing else sees the attack which it is there for.

A check of the page raises a finding by its code: `this._fault("X", …)`, `this.alarm("X", …)`, `found.push(finding("X",
…))`, `return [finding("X", …)]` or `throw new MirrorError("X", …)`. `PageCheck("dealchecker.js", "_made", "X")` names
one: its removal serves the module without that statement and without the `return` behind it. So the test removes what
stands in the source today, and fails when it stands there no more. `Patched` takes out one that has no code of its own.
"""

import re
from typing import Final, NamedTuple, Protocol

FOLDER: Final = "js/fairness/"
RAISES: Final = (
    r"(?:this\.(?:\w+\.)*(?:_fault|alarm)|this\.#keepAlarms\(\[checker\.alarm|(?:this\._)?found\.push\(finding"
    r"|return \[finding|throw new \w+)\("
)
OPENING, CLOSING = "([{", ")]}"


class Removable(Protocol):
    """A check of the page that can be taken out."""

    @property
    def file(self) -> str: ...

    def without(self, source: str) -> str:
        """The source of the module without the check."""


class Patched(NamedTuple):
    """Some words of a module, and what stands there without the check."""

    file: str
    words: str
    instead: str

    def without(self, source: str) -> str:
        assert source.count(self.words) == 1, f"{self.file}: {self.words!r} is there {source.count(self.words)} times"
        return source.replace(self.words, self.instead)


class PageCheck(NamedTuple):
    """A check of the page: its module under `js/fairness/`, the function, and the finding that it raises."""

    file: str
    function: str
    code: str

    def without(self, source: str) -> str:
        start = _body_of(source, self.function)
        end = _end_of_group(source, start)
        body, raises = source[start:end], re.compile(f'{RAISES}"{self.code}"')
        assert raises.search(body), f"{self.file}: {self.function} raises no {self.code}: the check is out of date"
        while found := raises.search(body):
            body = _without_statement(body, found.start())
        return source[:start] + body + source[end:]


def _body_of(source: str, function: str) -> int:
    """Where the body of a function or a method begins."""
    found = re.findall(rf"^(?:  |export |async |get )*(?:function )?{re.escape(function)}\(", source, re.MULTILINE)
    assert len(found) == 1, f"{function} is defined {len(found)} times"
    parameters = source.index(found[0]) + len(found[0]) - 1
    return source.index("{", _end_of_group(source, parameters))


def _end_of_group(source: str, start: int) -> int:
    """Behind the bracket that closes the one at `start`. Brackets in texts and comments come in pairs here."""
    depth = 0
    for at in range(start, len(source)):
        depth += (source[at] in OPENING) - (source[at] in CLOSING)
        if not depth:
            return at + 1
    raise AssertionError("a bracket that is not closed")


def _without_statement(body: str, start: int) -> str:
    """The body without the statement that begins there, and without a `return` right behind it."""
    end = _end_of_statement(body, start)
    follows = re.match(r"\s*return[^;]*;", body[end:])
    stands_alone = body[:start].rstrip()[-1] in "{};"
    return f"{body[:start]}{{}}{body[end + (follows.end() if follows and stands_alone else 0) :]}"


def _end_of_statement(body: str, start: int) -> int:
    depth = 0
    for at in range(start, len(body)):
        depth += (body[at] in OPENING) - (body[at] in CLOSING)
        if body[at] == ";" and not depth:
            return at + 1
    raise AssertionError("a statement that does not end")
