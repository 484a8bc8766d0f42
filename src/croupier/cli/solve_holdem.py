"""`croupier solve holdem`: an equilibrium of two ranges from a flop, turn or river."""

import re
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Final, TypedDict

import typer

from croupier.cli.console import fail, fail_with, has_progress, print_json
from croupier.cli.files import PICTURE_ENDINGS, picture_language, wanted_file, writing
from croupier.cli.texts import t

if TYPE_CHECKING:
    from croupier.lab.poker.solver.solve import Report, Solution

BETS: Final = "50%,100%,a"
RAISES: Final = "2.5x,a"
SECONDS_MAX: Final = 86_400.0
_MEMORY: Final = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,3})?)\s*(MB|GB)", re.ASCII | re.IGNORECASE)
_BYTES: Final = {"MB": 10**6, "GB": 10**9}


def holdem(  # noqa: PLR0913, PLR0917  # an option each
    board: Annotated[str, typer.Option(help=t("cli.holdem.board"))] = "",
    ranges: Annotated[tuple[str, str], typer.Option(metavar="OOP IP", help=t("cli.holdem.ranges"))] = ("", ""),
    pot: Annotated[int | None, typer.Option(help=t("cli.holdem.pot"))] = None,
    stack: Annotated[int | None, typer.Option(help=t("cli.holdem.stack"))] = None,
    bets: Annotated[str | None, typer.Option(help=t("cli.holdem.bets", default=BETS))] = None,
    raises: Annotated[str | None, typer.Option(help=t("cli.holdem.raises", default=RAISES))] = None,
    street_bets: Annotated[list[str] | None, typer.Option(help=t("cli.holdem.street_bets"))] = None,
    street_raises: Annotated[list[str] | None, typer.Option(help=t("cli.holdem.street_raises"))] = None,
    rake: Annotated[str | None, typer.Option(help=t("cli.holdem.rake"))] = None,
    target: Annotated[str, typer.Option(help=t("cli.holdem.target"))] = "0.3%",
    seconds: Annotated[float, typer.Option(help=t("cli.holdem.seconds"))] = 60.0,
    lock: Annotated[Path | None, typer.Option("--lock", metavar="FILE", help=t("cli.holdem.lock"))] = None,
    path: Annotated[str, typer.Option("--path", help=t("cli.holdem.path"))] = "",
    as_json: Annotated[bool, typer.Option("--json", help=t("cli.holdem.json"))] = False,
    png: Annotated[Path | None, typer.Option("--png", metavar="FILE", help=t("cli.holdem.png"))] = None,
    save: Annotated[Path | None, typer.Option("--save", metavar="FILE", help=t("cli.holdem.save"))] = None,
    load: Annotated[Path | None, typer.Option("--load", metavar="FILE", help=t("cli.holdem.load"))] = None,
    compact: Annotated[bool, typer.Option("--compact", help=t("cli.holdem.compact"))] = False,
    memory: Annotated[str, typer.Option(help=t("cli.holdem.memory"))] = "2GB",
) -> None:
    wanted_file(png, *PICTURE_ENDINGS)
    wanted_file(save, ".npz")
    limit = _memory(memory)
    if not 0 < seconds <= SECONDS_MAX:
        fail(t("code.SOLVE_SECONDS", limit=int(SECONDS_MAX), seconds=seconds))
    spot_options = {
        "--board": board,
        "--ranges": ranges if any(ranges) else None,
        "--pot": pot,
        "--stack": stack,
        "--bets": bets,
        "--raises": raises,
        "--street-bets": street_bets,
        "--street-raises": street_raises,
        "--rake": rake,
        "--compact": compact or None,
    }
    _check_given(spot_options, loads=load is not None)
    from croupier.lab.compiler import compiling_notice
    from croupier.lab.poker.ranges import EquityError
    from croupier.lab.poker.solver import solve
    from croupier.lab.poker.solver.errors import SolveError
    from croupier.lab.poker.solver.locks import read_locks
    from croupier.lab.poker.solver.spot import Spot

    try:
        goal = solve.parse_target(target)
        locks = read_locks(lock) if lock else ()
        with compiling_notice(), _interruptible() as stopped:
            if load is not None:
                solution = solve.load(load, memory=limit, locks=locks if lock else None)
            else:
                assert pot is not None and stack is not None  # noqa: PT018  # `_check_given` has looked
                sizes = _sizes(bets, raises, street_bets, street_raises)
                spot = Spot(board, ranges, pot, stack, **sizes, rake=rake or "", locks=locks)
                solution = solve.prepare(spot, compact=compact, memory=limit)
            _check_path(solution, path)
            with _progress(solution, shown=has_progress(as_json=as_json)) as progress:
                solve.run(solution, target=goal, seconds=seconds, progress=progress, stopped=stopped)
            found = solve.report(solution, path)
    except (SolveError, EquityError) as error:
        fail_with(error.refusal)
    _tell(solution, found, save=save, png=png, as_json=as_json)


def _tell(solution: "Solution", found: "Report", *, save: Path | None, png: Path | None, as_json: bool) -> None:
    """Print first: a disk that is full takes nothing away from what was worked out."""
    if as_json:
        print_json(found)
    else:
        _print(found)
    if save is not None:
        with writing(save):
            solution.save(save)
    if png is not None:
        _draw(found, png)


def _check_given(spot_options: Mapping[str, object], *, loads: bool) -> None:
    """A spot is written out or loaded, not both."""
    names = {name for name, value in spot_options.items() if value not in (None, "", [])}
    needed = ["--board", "--ranges", "--pot", "--stack"]
    if loads and names:
        fail(t("code.SOLVE_LOADED", names=", ".join(sorted(names))))
    if not loads and (missing := [name for name in needed if name not in names]):
        fail(t("code.SOLVE_MISSING", names=", ".join(missing)))


def _check_path(solution: "Solution", path: str) -> None:
    """Refuse a path that leads nowhere before the work begins."""
    from croupier.lab.poker.solver.betting import Kind
    from croupier.lab.poker.solver.errors import SolveError
    from croupier.lab.poker.solver.walk import walk

    kind = walk(solution.solver, solution.case, path).point.kind
    if kind is not Kind.DECISION:
        raise SolveError("SOLVE_PATH_DEAL" if kind is Kind.DEAL else "SOLVE_PATH_END")


class _Sizes(TypedDict):
    """The sizes of a spot, as `Spot` takes them."""

    bets: str
    raises: str
    street_bets: dict[str, str]
    street_raises: dict[str, str]


def _sizes(
    bets: str | None, raises: str | None, street_bets: list[str] | None, street_raises: list[str] | None
) -> _Sizes:
    """What was written, and for what was not the sizes that the help names."""
    return _Sizes(
        bets=BETS if bets is None else bets,
        raises=RAISES if raises is None else raises,
        street_bets=_by_street(street_bets),
        street_raises=_by_street(street_raises),
    )


def _memory(text: str) -> int:
    found = _MEMORY.fullmatch(text.strip())
    if not found:
        fail(t("code.SOLVE_MEMORY_TEXT", memory=text))
    return int(float(found[1]) * _BYTES[found[2].upper()])


def _by_street(words: list[str] | None) -> dict[str, str]:
    """`turn=75%,a` as a street and its sizes."""
    found = {}
    for word in words or []:
        street, equals, sizes = word.partition("=")
        if not equals:
            fail(t("code.SOLVE_STREET_SIZES", text=word))
        found[street.strip().lower()] = sizes
    return found


@contextmanager
def _interruptible() -> Iterator[Callable[[], bool]]:
    """The first Ctrl-C ends the work and keeps what there is; the second one ends the command."""
    pressed: list[bool] = []

    def press(number: int, frame: FrameType | None) -> None:
        if pressed:
            raise KeyboardInterrupt
        pressed.append(True)

    before = signal.signal(signal.SIGINT, press)
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _progress(solution: "Solution", *, shown: bool) -> Iterator[Callable[["Solution"], None]]:
    """A line on standard error with the latest measurement."""
    if not shown:
        yield lambda solution: None
        return
    from rich.console import Console

    from croupier.lab.poker.solver.solver import megabytes

    with Console(stderr=True).status(t("cli.holdem.starting", memory=megabytes(solution.memory_bytes))) as line:
        yield lambda solution: line.update(_working(solution.iterations, solution.exploitability, solution.seconds))


def _working(iterations: int, exploitability: float, seconds: float) -> str:
    share = f"{100 * exploitability:.3f} %"
    return t("cli.holdem.working", iterations=iterations, exploitability=share, seconds=f"{seconds:.2f}")


def _draw(found: "Report", png: Path) -> None:
    from croupier.lab.poker.solver.grid_plot import strategy_grid
    from croupier.locales import text

    language = picture_language()
    share = f"{100 * found.exploitability:.3f} %"
    root = found.root
    facts = {"player": root.player, "board": root.board, "pot": root.pot, "exploitability": share}
    with writing(png):
        strategy_grid(root, png, text(language, "solver.title", **facts), language)


def _print(found: "Report") -> None:
    from rich.console import Console
    from rich.table import Table

    from croupier.lab.poker.solver.grid import cells

    console = Console(highlight=False)
    root = found.root
    console.print(t("cli.holdem.acts", player=root.player, board=root.board, pot=root.pot))
    for player in found.players:
        facts = {"player": player.name, "ev": f"{player.ev:z.2f}", "equity": f"{player.equity:.2%}"}
        console.print(t("cli.holdem.player", **facts))
    for action in root.actions:
        console.print(f"{action.frequency:>8.2%}  {action.action}")
    table = Table(box=None, pad_edge=False, header_style="")
    table.add_column(t("cli.holdem.hand"))
    for name in ("weight", "ev", "equity"):
        table.add_column(t(f"cli.holdem.{name}"), justify="right")
    for action in root.actions:
        table.add_column(action.action, justify="right")
    for shape, cell in cells(root).items():
        shares = (f"{share:.1%}" for share in cell.strategy)
        table.add_row(shape, f"{cell.weight:.2f}", f"{cell.ev:z.2f}", f"{cell.equity:.1%}", *shares)
    console.print(table)
    console.print(_working(found.iterations, found.exploitability, found.seconds))
