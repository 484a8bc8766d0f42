"""OpenSpiel's `Game` and `State` on top of a position, and the names under which they are registered."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec
import numpy as np
import pyspiel
from msgspec.structs import replace

from croupier.game.game import Step
from croupier.game.options import EDITION, Option, options_of
from croupier.game.registry import GAMES
from croupier.lab.environments.encodings import Encoding, Layout, encoding_of, flat
from croupier.lab.environments.rule_options import rules_with
from croupier.lab.environments.setups import with_stacks
from croupier.lab.openspiel.position import UNKNOWN, Position, Start, pack_of
from croupier.lab.openspiel.small_games import SMALL_GAMES
from croupier.lab.presets import preset_or_default

PREFIX: Final = "croupier_"
GAME_LENGTH_MAX: Final = 10_000
"""More actions and cards than any round has."""
POINTS_MAX: Final = 100
"""More points than a round without chips can bring."""
WIN_TIMES_STACK: Final = 100
"""A house pays at most this many times a player's chips: options allow 100:1 for a blackjack."""
HISTORY: Final = "history"
"""The part of a layout with the earlier actions. With it, an observation is everything that a player knows."""
NO_NUMBER: Final = -1
_CHOSEN: Final = {"players": 0, "preset": "", "stacks": "", "deck": "", "cards": "", "played": ""}
"""The parameters of every game, besides the options of its rules."""


class CroupierGame(pyspiel.Game):  # type: ignore[misc]  # the library has no types
    """One round of a game. A player is a seat; results are in chips or points."""

    def __init__(self, name: str, game: str, params: Mapping[str, Any]) -> None:
        self.start, self.encoding = _start(game, params)
        self.cards = tuple(self.start.named)
        self.layout: Layout = self.encoding.layout
        players = len(Position.start(self.start, self.encoding).heard)
        low, high = _bounds(self.start)
        zero_sum = _is_zero_sum(self.start.rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.layout.actions),
            max_chance_outcomes=max(len(self.cards), 1),
            num_players=players,
            min_utility=low,
            max_utility=high,
            utility_sum=0.0 if zero_sum else None,
            max_game_length=GAME_LENGTH_MAX,
        )
        super().__init__(_game_type(name, game, zero_sum=zero_sum), info, dict(params))

    def new_initial_state(self) -> "CroupierState":
        return CroupierState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "CroupierObserver":
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        return CroupierObserver(self.encoding, perfect_recall=kind.perfect_recall)


class CroupierState(pyspiel.State):  # type: ignore[misc]  # the library has no types
    """A node of the tree. Chance deals one card at a time."""

    def __init__(self, game: CroupierGame) -> None:
        super().__init__(game)
        self._position = Position.start(game.start, game.encoding)
        self._cards, self._layout = game.cards, game.layout

    @property
    def position(self) -> Position:
        return self._position

    def current_player(self) -> int:
        if self._position.is_over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self._position.is_chance else self._position.seat

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._position.choices)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        left = self._position.left
        total = sum(left.values())
        if not total:
            raise ValueError("the deck has no card left; give a larger one as `deck`")
        return [(number, left[card] / total) for number, card in enumerate(self._cards) if card in left]

    def _apply_action(self, action: int) -> None:
        now = self._position
        self._position = now.dealt(self._cards[action]) if now.is_chance else now.acted(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self._cards[action] if player == pyspiel.PlayerId.CHANCE else self._layout.actions[action]

    def is_terminal(self) -> bool:
        return self._position.is_over

    def returns(self) -> list[float]:
        now = self._position
        return [float(payout) for payout in now.payouts] if now.is_over else [0.0] * len(now.heard)

    def __str__(self) -> str:
        """The spectator's view, and the cards that chance has dealt in this draw."""
        drawn = " ".join(str(card) for card in self._position.drawn)
        return f"{msgspec.json.encode(self._position.view(None)).decode()} {drawn}".rstrip()


class CroupierObserver:
    """What a player is told: with perfect recall, as text all that the player has heard, word for word, else the view.
    The numbers are those that the layout describes."""

    def __init__(self, encoding: Encoding, *, perfect_recall: bool) -> None:
        self._encoding, self._recalls = encoding, perfect_recall
        self.tensor = np.zeros(encoding.layout.size, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: CroupierState, player: int) -> None:
        parts = self._encoding.observe(state.position.view(player), player)
        self.tensor[:] = flat(self._encoding.layout, parts)

    def string_from(self, state: CroupierState, player: int) -> str:
        if self._recalls:
            return b"\n".join(map(msgspec.json.encode, state.position.heard[player])).decode()
        return msgspec.json.encode(replace(state.position.view(player), history=())).decode()


def register() -> None:
    """Register every game, and the small ones, with OpenSpiel."""
    registered = set(pyspiel.registered_names())
    for game in GAMES:
        _register(f"{PREFIX}{game}", game, {}, registered)
    for name, (game, options) in SMALL_GAMES.items():
        _register(f"{PREFIX}{name}", game, options, registered)


def _register(name: str, game: str, options: Mapping[str, Any], registered: Iterable[str]) -> None:
    if name in registered:
        return

    class Registered(CroupierGame):
        """A class, as in OpenSpiel's own games: a function would be freed too late and crash the process at its end."""

        def __init__(self, params: Mapping[str, Any] | None = None) -> None:
            super().__init__(name, game, {**options, **_given(params)})

    Registered.__name__ = Registered.__qualname__ = f"Croupier_{name.removeprefix(PREFIX)}"
    pyspiel.register_game(_game_type(name, game, zero_sum=False), Registered)


def _given(params: Mapping[str, Any] | None) -> dict[str, Any]:
    """The parameters that were given."""
    return {
        name: value
        for name, value in (params or {}).items()
        if value != _CHOSEN.get(name, "" if isinstance(value, str) else NO_NUMBER)
    }


def _game_type(name: str, game: str, *, zero_sum: bool) -> pyspiel.GameType:
    rules = GAMES[game].presets[preset_or_default(game, "")]
    return pyspiel.GameType(
        short_name=name,
        long_name=f"Croupier {name.removeprefix(PREFIX)}",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM if zero_sum else pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=rules.seat_range[1],
        min_num_players=rules.seat_range[0],
        provides_information_state_string=True,
        provides_information_state_tensor=any(part.name == HISTORY for part in encoding_of(rules).layout.parts),
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(rules),
    )


def _parameters(rules: Any) -> dict[str, Any]:
    """The parameters of a game: those of every game, and the options of its rules. OpenSpiel wants one type for each,
    and fills in what is not given with these values; so they mean the preset's own. A switch is 1 or 0."""
    found: dict[str, Any] = dict(_CHOSEN)
    for name, option in _options(rules).items():
        if name == EDITION or option.kind == "other":
            continue
        if option.kind == "number":
            found[name] = NO_NUMBER if option.whole else float(NO_NUMBER)
        else:
            found[name] = NO_NUMBER if option.kind == "switch" else ""
    return found


def _options(rules: msgspec.Struct) -> Mapping[str, Option]:
    kind: type[msgspec.Struct] = type(rules)
    return options_of(kind)


def _option(option: Option, value: Any) -> Any:
    """A parameter as the rules take it."""
    if option.kind == "switch" and value in (0, 1):
        return bool(value)
    return value


def _start(game: str, params: Mapping[str, Any]) -> tuple[Start, Any]:
    """Where the games of these parameters begin. Raises ValueError that names a wrong one, and what it may be."""
    chosen = {name: params.get(name, default) for name, default in _CHOSEN.items()}
    presets = GAMES[game].presets
    preset = preset_or_default(game, str(chosen["preset"]))
    if preset not in presets:
        raise ValueError(f"preset={preset} is not possible; allowed: {', '.join(presets)}")
    known = _options(presets[preset])
    options = {name: _option(known[name], value) for name, value in params.items() if name not in _CHOSEN}
    rules: Any = rules_with(presets[preset], options)
    low, high = rules.seat_range
    players = int(chosen["players"]) or min(max(low, 2), high)
    if not low <= players <= high:
        raise ValueError(f"players={players} is not possible; allowed: {low} – {high}")
    setup = with_stacks(rules.setup(players), _stacks(str(chosen["stacks"])))
    opened = rules.opening(setup)
    pack = pack_of(rules, opened.state) if isinstance(opened, Step) else ()
    copies = Counter(map(str, pack))
    start = Start(
        rules,
        setup,
        deck=tuple(card for card in _cards("deck", str(chosen["deck"]), copies) if card is not None),
        cards=_cards("cards", str(chosen["cards"]), copies),
        played=tuple(str(chosen["played"]).split()),
        named={str(card): card for card in pack},
    )
    return start, encoding_of(rules)


def _stacks(text: str) -> tuple[int, ...]:
    """The stacks of a parameter: whole numbers with spaces between."""
    words = text.split()
    if not all(word.isdecimal() for word in words):
        raise ValueError(f"stacks={text} is not possible; allowed: whole numbers with spaces between")
    return tuple(map(int, words))


def _cards(name: str, text: str, copies: Mapping[str, int]) -> tuple[str | None, ...]:
    """The cards of a parameter; None for an unknown one."""
    words = [text[place : place + 2] for place in range(0, len(text), 2)]
    for word in words:
        if word != UNKNOWN and words.count(word) > copies.get(word, 0):
            there = f"{words.count(word)} × {word}, of which the pack has {copies.get(word, 0)}"
            raise ValueError(f"{name}: {there}; write cards like As, and {UNKNOWN} for one that is dealt")
    return tuple(None if word == UNKNOWN else word for word in words)


def _is_zero_sum(rules: Any) -> bool:
    """Whether what one player wins the others lose. False for a game that does not say."""
    by_these_rules = GAMES[rules.game].zero_sum
    return by_these_rules is not None and by_these_rules(rules)


def _bounds(start: Start) -> tuple[float, float]:
    """The least and the most that a player can have won at the end."""
    stacks = start.rules.stacks(start.setup)
    if not stacks:
        return -float(POINTS_MAX), float(POINTS_MAX)
    most = sum(stacks) - min(stacks) if _is_zero_sum(start.rules) else WIN_TIMES_STACK * max(stacks)
    return -float(max(stacks)), float(most)
