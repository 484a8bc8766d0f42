"""Commands whose help is in plain words: names to fill in instead of types, and whole sentences."""

import re
from collections.abc import Callable
from typing import Any, Final, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

from croupier.cli.texts import t

Command = TypeVar("Command", bound=Callable[..., Any])
_TYPE: Final = re.compile(r" <(.*)>(\.\.\.)?$")
_RANGE: Final = ((re.compile(r"(\S+)<=x<=([^\s\];]+)"), r"\1–\2"), (re.compile(r"x>=([^\s\];]+)"), r"≥ \1"))
_WORDS: Final = {"int": "NUMBER", "float": "NUMBER", "Path": "FILE", "path": "FILE", "str": "TEXT"}


class _PlainHelp:
    """Writes the help of a command or a group."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, prefix=f"{t('cli.frame.usage')} ")

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        params = [param for param in self.get_params(ctx) if param.param_type_name == "argument"]  # type: ignore[attr-defined]
        return ["[OPTIONS]", *(_filled_in(param, usage=True) for param in params)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        sections: dict[str, list[tuple[str, str]]] = {"argument": [], "option": []}
        for param in self.get_params(ctx):  # type: ignore[attr-defined]
            record = param.get_help_record(ctx)
            if record is not None:
                name, text = record
                argument = param.param_type_name == "argument"
                shown = _filled_in(param) if argument else _TYPE.sub(_word, name)
                sections[param.param_type_name].append((shown, _plain(param, text)))
        for kind, records in sections.items():
            if records:
                with formatter.section(t(f"cli.frame.{kind}")):
                    formatter.write_dl(records)


class PlainCommand(_PlainHelp, TyperCommand):
    """A command."""


class BriefGroup(_PlainHelp, TyperGroup):
    """Lists its commands with the beginning of their help, and never with half a sentence."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        return [*super().collect_usage_pieces(ctx), "COMMAND"]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        super().format_options(ctx, formatter)
        rows = [(name, command.short_help or _brief(command.help or "")) for name, command in self.commands.items()]
        with formatter.section(t("cli.frame.commands")):
            formatter.write_dl(rows)


class Commands(typer.Typer):
    """A command that has commands of its own."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"cls": BriefGroup, "no_args_is_help": True, "rich_markup_mode": None, **options})

    def command(self, name: str | None = None, **options: Any) -> Callable[[Command], Command]:
        return super().command(name, cls=PlainCommand, **options)


def _filled_in(param: Any, *, usage: bool = False) -> str:
    """The name of an argument, as people fill it in: `FILE...`, and in the usage line `[GAME]` for one to leave out."""
    name = param.metavar or param.name.upper()
    name = f"[{name}]" if usage and not param.required else name
    return name if param.nargs == 1 else f"{name}..."


def _word(found: re.Match[str]) -> str:
    """In place of a type of Python, what to write: a number, a text, a file; choices stay."""
    kinds = [word for kind, word in _WORDS.items() if re.search(rf"\b{kind}\b", found[1])]
    return f" {kinds[0] if kinds else found[1]}"


def _plain(param: Any, text: str) -> str:
    """The help of an option, with what the library adds to it in the user's language."""
    if "--help" in param.opts:
        return t("cli.frame.help")
    for written, plain in _RANGE:
        text = written.sub(plain, text)
    text = text.replace("[default: ", f"[{t('cli.frame.default')} ")
    return re.sub(r"\brequired\]$", f"{t('cli.frame.required')}]", text)


def _brief(text: str) -> str:
    """A help text up to its first colon, bracket or full stop."""
    return re.split(r"[:：(（。]|[.] | — ", text)[0].strip().removesuffix(".")
