"""Changes to what a room told: each is a lie, or nonsense, that both checkers must judge alike."""

import copy
import json
from contextlib import suppress
from random import Random
from typing import Any, Final

from croupier.dealing.cut2 import FIRST_BEFORE, closing_digest
from tests.twin.tapes import Tape

SKIPPED: Final = frozenset(("name", "version", "gameVersion", "deadlineMs", "nextRoundAtMs"))
"""Parts of a state that nothing is checked against."""
STEPS_BEFORE: Final = 40
STEPS_AFTER: Final = 12
"""How much of a tape is kept round a lie."""
DEEPER: Final = 0.85
"""How often the way into a value goes on."""
LEFT_OUT: Final = 0.2
"""How often nonsense is that something is missing."""
SENSIBLE: Final = 0.7
"""How often a lie keeps to the form: a text within a text is as it must be, a digest is of what it stands for."""


def _descend(value: Any, chance: Random) -> tuple[Any, ...]:
    """A way into a value, to some part of it that can be changed."""
    path: list[Any] = []
    while isinstance(value, dict | list) and value and (not path or chance.random() < DEEPER):
        names = [name for name in value if name not in SKIPPED] if isinstance(value, dict) else [*range(len(value))]
        if not names:
            break
        path.append(chance.choice(names))
        value = value[path[-1]]
    return tuple(path)


def _changed(value: Any, chance: Random) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return chance.choice((value + 1, value - 1, 0, value + 52))
    if isinstance(value, str):
        return _changed_text(value, chance)
    if isinstance(value, list) and value:
        return chance.choice((value[1:], value[:-1], value[::-1], [*value, value[0]], []))
    if isinstance(value, dict) and value:
        gone = chance.choice(list(value))
        return {name: each for name, each in value.items() if name != gone}
    return chance.choice((0, "x", [], None))


def _changed_text(text: str, chance: Random) -> Any:
    if not text:
        return "0"
    if text[0] in "{[" and chance.random() < SENSIBLE:
        inside = json.loads(text)
        _change(inside, _descend(inside, chance), chance)
        return json.dumps(inside, separators=(",", ":"), ensure_ascii=False)
    at = chance.randrange(len(text))
    other = chance.choice("0123456789abcdef")
    return chance.choice((text[:at] + other + text[at + 1 :], text[:at] + text[at + 1 :], text + " ", other))


def _change(holder: Any, path: tuple[Any, ...], chance: Random) -> str:
    """Changes the part of a value that the path leads to; what was changed."""
    for name in path[:-1]:
        holder = holder[name]
    before = holder[path[-1]]
    holder[path[-1]] = _changed(before, chance)
    return f"{'.'.join(map(str, path))} {before!r:.60} → {holder[path[-1]]!r:.60}"


def lie(tape: Tape, memories: list[Any], chance: Random) -> tuple[str, Tape]:
    """A part of the tape with one value of one state changed, and what was changed. `memories` is what an honest client
    remembers after each step."""
    steps = [number for number, each in enumerate(tape) if each["op"] == "see"]
    # Where something is told of deals, cards or moves there is more to lie about.
    step = chance.choices(steps, [4 if tape[number]["frame"]["deals"] else 1 for number in steps])[0]
    told, place = _around(tape, memories, step)
    frame = told[place]["frame"] = copy.deepcopy(told[place]["frame"])
    parts = [part for part in ("deals", "deals", "deals", "openings", "moves", "events") if frame[part]]
    part = chance.choice([*parts, "public", "you", "you", "whole"])
    what = _change(frame, (part, *_descend(frame[part], chance)), chance)
    for news in frame["deals"] if isinstance(frame["deals"], list) else ():
        if news.get("type") == "DEAL_FIXED" and isinstance(news.get("closing"), str) and chance.random() < SENSIBLE:
            with suppress(KeyError, TypeError):
                news["context"]["before"] = closing_digest(news["closing"]) if news["closing"] else FIRST_BEFORE
    return f"step {step}: {what}", told


def _around(tape: Tape, memories: list[Any], step: int) -> tuple[Tape, int]:
    """The steps round one of them, from a state on that tells a whole round; and which it is among these."""
    seen = [number for number in range(step + 1) if tape[number]["op"] == "see"]
    wholes = [number for number in seen if tape[number]["frame"]["whole"]] or seen[:1]
    start = next((number for number in wholes if number > step - STEPS_BEFORE), wholes[-1])
    rest = next((each for each in reversed(tape[:start]) if each["op"] == "rest"), None)
    told = [tape[0], {"op": "memory", "memory": memories[start - 1]}, *([rest] if rest else [])]
    return [*told, *(dict(each) for each in tape[start : step + STEPS_AFTER])], len(told) + step - start


NONSENSE: Final[tuple[Any, ...]] = (
    None,
    True,
    0,
    -1,
    1.5,
    2**53,
    "",
    "x",
    "As",
    [],
    [None],
    [[]],
    {},
    {"": None},
    {"seat": []},
)
"""What may stand anywhere in a state that no honest room sends."""


def nonsense(tape: Tape, memories: list[Any], chance: Random) -> tuple[str, Tape]:
    """A part of the tape with nonsense in the place of something in one of its states, or with something left out."""
    steps = [number for number, each in enumerate(tape) if each["op"] == "see"]
    step = chance.choice(steps)
    told, place = _around(tape, memories, step)
    holder = told[place] = copy.deepcopy(told[place])
    path = ("frame", *_descend(holder["frame"], chance))
    for name in path[:-1]:
        holder = holder[name]
    if isinstance(holder, dict) and path[-1] != "frame" and chance.random() < LEFT_OUT:
        del holder[path[-1]]
        return f"step {step}: {path} left out", told[: place + 2]
    holder[path[-1]] = chance.choice(NONSENSE)
    return f"step {step}: {path} is {holder[path[-1]]!r}", told[: place + 2]


def bridge_lie(tape: Tape, chance: Random) -> tuple[str, Tape] | None:
    """The tape with something changed in the deals that were missed; None where none were."""
    steps = [number for number, each in enumerate(tape) if each["op"] == "bridge"]
    if not steps:
        return None
    step = chance.choice(steps)
    told = list(tape[: step + 2])
    told[step] = copy.deepcopy(told[step])
    missed = told[step]["missed"]
    what = _change(missed, _descend(missed, chance), chance) if missed else "nothing"
    for news in missed:
        if isinstance(news, dict) and isinstance(news.get("closing"), str) and chance.random() < SENSIBLE:
            with suppress(KeyError, TypeError):
                news["context"]["before"] = closing_digest(news["closing"]) if news["closing"] else FIRST_BEFORE
    return f"bridge {step}: {what}", told


def reloaded(tape: Tape, chance: Random) -> Tape:
    """The tape of a client that was closed and opened again, and missed some states: the first one that it sees then
    tells of the whole round. What it had given is remembered."""
    seen = [number for number, each in enumerate(tape) if each["op"] == "see"]
    start = chance.choice(seen[1:])
    end = chance.choice([number for number in seen if start <= number < start + 12])
    rest = [each for each in tape[:end] if each["op"] == "rest"][-1:]
    return [*tape[:start], {"op": "reload"}, *rest, _whole(tape, end), *tape[end + 1 :]]


def _whole(tape: Tape, end: int) -> dict[str, Any]:
    """The state at this step as the room tells it to somebody who comes back: with all of the round so far."""
    frames = [each["frame"] for each in tape[: end + 1] if each["op"] == "see"]
    begun = max((number for number, frame in enumerate(frames) if frame["whole"]), default=0)
    told = {part: [each for frame in frames[begun:] for each in frame[part]] for part in ("moves", "deals", "openings")}
    return {"op": "see", "frame": {**frames[-1], **told, "events": [], "whole": True}}
