"""Takes one check out of the client, to show that nothing else sees the attack which it is there for.

A check raises a finding: `self._fault(DealFault.X, …)`, `raise MirrorError(DealFault.X, …)`, `self.alarm(…)`, or, in a
pure check, `found.append(finding(Fault.X, …))`. `Check("DealChecker._made", "DEAL_TAKEN_BACK")` names one: its removal
compiles the function again without that statement and without the `return` behind it. So the test removes what stands
in the source today, and fails when it stands there no more.
"""

import ast
import importlib
import inspect
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import pytest

MODULES = {
    "CardChecker": "croupier.table.card_checker",
    "Checker": "croupier.table.checker",
    "DealChecker": "croupier.table.deal_checker",
    "RoundChecker": "croupier.table.round_checker",
    "Mirror": "croupier.table.mirror",
    "RoomGuard": "croupier.clients.room_guard",
    "cut2": "croupier.dealing.cut2",
    "kept_seat": "croupier.table.kept_seat",
    "sealed_pack": "croupier.dealing.sealed_pack",
    "mirror": "croupier.table.mirror",
}


class Check(NamedTuple):
    """A check of the client: where it stands, and the finding that it raises."""

    where: str
    """A method, `Class.method`, or a function, `module.function`."""
    code: str

    def remove(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """From now on the client lacks this check."""
        holder_name, name = self.where.split(".")
        module = importlib.import_module(MODULES[holder_name])
        holder = getattr(module, holder_name, module)
        original = getattr(holder, name)
        monkeypatch.setattr(holder, name, _without(original, self.code, self.where))
        if holder is module:
            _replace_imports(monkeypatch, name, original, getattr(holder, name))


_SOURCES: Final = {name: inspect.getsource(importlib.import_module(name)) for name in set(MODULES.values())}
"""As they were when the tests began."""


def _source(where: str) -> str:
    """The text of a method or a function."""
    holder, name = where.split(".")
    tree: ast.AST = ast.parse(_SOURCES[MODULES[holder]])
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name == holder:
            tree = node
    found = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == name)
    return ast.unparse(next(found))


def _without(function: Callable[..., Any], code: str, where: str) -> Callable[..., Any]:
    tree = ast.parse(getattr(function, "source", None) or _source(where))
    remover = _Remover(code)
    tree = ast.fix_missing_locations(remover.visit(tree))
    assert remover.removed, f"{where} raises no {code}: the table of checks is out of date"
    made: dict[str, Any] = {}
    exec(compile(tree, where, "exec"), function.__globals__, made)
    changed: Callable[..., Any] = made[function.__name__]
    changed.__qualname__ = function.__qualname__
    changed.source = ast.unparse(tree)  # type: ignore[attr-defined]
    return changed


def _replace_imports(monkeypatch: pytest.MonkeyPatch, name: str, original: object, changed: object) -> None:
    """Others have imported the function by its name."""
    for module_name in set(MODULES.values()):
        module = importlib.import_module(module_name)
        if getattr(module, name, None) is original:
            monkeypatch.setattr(module, name, changed)


class _Remover(ast.NodeTransformer):
    """Takes out every statement that raises the finding, and a `return` right behind it."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.removed = 0

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field in ("body", "orelse"):
            body = getattr(node, field, None)
            if isinstance(body, list) and any(map(self._raises, body)):
                answers = isinstance(node, ast.FunctionDef) and isinstance(body[-1], ast.Return)
                nothing: ast.stmt = ast.Return(ast.Tuple([], ast.Load())) if answers else ast.Pass()
                setattr(node, field, [*self._cleaned(body), nothing])
        return node

    def _cleaned(self, body: list[ast.stmt]) -> list[ast.stmt]:
        kept: list[ast.stmt] = []
        follows = False
        for statement in body:
            if self._raises(statement):
                self.removed += 1
                follows = True
            elif not (follows and isinstance(statement, ast.Return)):
                kept.append(statement)
                follows = False
        return kept

    def _raises(self, statement: ast.stmt) -> bool:
        """Whether the statement does nothing but raise the finding."""
        if not isinstance(statement, ast.Expr | ast.Raise | ast.Return | ast.AugAssign):
            return False
        return any(isinstance(node, ast.Attribute) and node.attr == self.code for node in ast.walk(statement))
