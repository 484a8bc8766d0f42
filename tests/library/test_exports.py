"""What `import croupier` offers: real names, stated, whatever was imported before."""

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_type_hints

import msgspec
import pytest

import croupier
from croupier import Seeds, begin, blackjack, parse_cards, poker, sdk, sequence, verify
from croupier.clients import room_state
from croupier.game.options import options_of
from croupier.game.refusal import OptionError
from croupier.table import roomview
from croupier.wire import room as wire_room

SUIT = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
MODULES = ("croupier", "croupier.sdk", "croupier.games.blackjack", "croupier.games.poker", "croupier.games.sequence")


@pytest.mark.parametrize("name", MODULES)
def test_every_name_that_is_stated_exists_and_is_told_to_type_checkers(name: str) -> None:
    module: Any = importlib.import_module(name)
    assert len(set(module.__all__)) == len(module.__all__)
    for each in module.__all__:
        assert getattr(module, each) is not None
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    bound = {alias.asname or alias.name for node in imports for alias in node.names}
    defined = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    bound |= {node.name for node in tree.body if isinstance(node, defined)}
    bound |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    assert set(module.__all__) <= bound


@pytest.mark.parametrize("game", [blackjack, poker, sequence], ids=lambda game: str(game.GAME.name))
def test_a_game_exports_its_actions_events_views_and_presets(game: Any) -> None:
    exported = {getattr(game, name) for name in game.__all__ if isinstance(getattr(game, name), type)}
    assert set(game.GAME.actions) <= exported
    assert set(game.GAME.event.__args__) <= exported
    assert {game.GAME.view, game.GAME.rules, game.GAME.setup} <= exported
    assert {id(rules) for rules in game.GAME.presets.values()} <= {id(getattr(game, name)) for name in game.__all__}


@pytest.mark.parametrize("name", ["blackjack", "poker", "sequence"])
def test_a_game_is_a_module_that_names_are_imported_from(name: str) -> None:
    home: Any = importlib.import_module(f"croupier.games.{name}")
    code = f"from croupier.{name} import GAME; import croupier.{name}; print(croupier.{name}.__all__, GAME.name)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == f"{home.__all__} {name}"
    module: Any = importlib.import_module(f"croupier.{name}")
    assert all(getattr(module, each) is getattr(home, each) for each in home.__all__)
    assert getattr(croupier, name) is module


@pytest.mark.parametrize("first", ["croupier.poker", "croupier.games.poker", "croupier.cards", "croupier.sdk"])
def test_names_do_not_depend_on_the_order_of_imports(first: str) -> None:
    said = subprocess.run(
        [sys.executable, "-c", f"import {first}; from croupier import parse_cards, poker; print(parse_cards('As'))"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.strip() == "(As,)"


@pytest.mark.parametrize("game", [blackjack, poker, sequence], ids=lambda game: str(game.GAME.name))
def test_replace_is_typed_with_every_option(game: Any) -> None:
    config = importlib.import_module(f"croupier.games.{game.GAME.name}.rules.config")
    hints = get_type_hints(game.GAME.rules)  # without the bounds, which `replace` checks when it runs
    assert get_type_hints(config.ChosenOptions) == {name: hints[name] for name in options_of(game.GAME.rules)}


def test_replace_makes_the_same_rules_with_other_options() -> None:
    assert blackjack.CASINO.replace(decks=2) == msgspec.structs.replace(blackjack.CASINO, decks=2)
    with pytest.raises(OptionError, match="decks=9 is not possible; allowed: 1 – 8"):
        blackjack.CASINO.replace(decks=9)
    with pytest.raises(ValueError, match="there is no option deks; there are: edition, decks"):
        blackjack.CASINO.replace(deks=2)  # type: ignore[call-arg]
    assert poker.TOURNAMENT.replace(mode="cash").level_hands == 0  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="decks='two' is not possible; allowed: 1 – 8"):
        blackjack.CASINO.replace(decks="two")  # type: ignore[arg-type]


def test_cards_of_every_pack_are_read() -> None:
    assert parse_cards("As Td,2c") == parse_cards("AsTd2c") == tuple(map(croupier.Card, ("As", "Td", "2c")))
    assert parse_cards("heart_10_1 spade_j_2") == ("heart_10_1", "spade_j_2")
    assert parse_cards("As", poker_pack := croupier.PACK) == (poker_pack[-1],)
    with pytest.raises(ValueError, match="'Xx' is not a card"):
        parse_cards("As Xx")
    with pytest.raises(ValueError, match="'heart_11_1' is no card of this pack, which has clover_a_1 to spade_k_2"):
        parse_cards("heart_11_1")


@pytest.mark.parametrize(
    ("seeds", "said"),
    [
        (("ab", "my own lucky seed"), "a server seed is 64 hexadecimal digits .* this one has 2 characters"),
        (("0" * 64, "short"), "a client seed is a text of 8 to 256 characters; this one has 5 characters"),
        (("0" * 64, "my own lucky seed", -1), "a nonce is a whole number from 0"),
        ((None, "my own lucky seed"), "this one has the type NoneType"),
    ],
)
def test_a_seed_out_of_its_form_is_a_value_error(seeds: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Seeds(*seeds)


def test_a_round_is_recorded_written_read_and_verified() -> None:
    game = begin(blackjack.CASINO, seeds=Seeds("0" * 64, "my own lucky seed"))
    with pytest.raises(ValueError, match="payouts are known when the round is over"):
        _ = game.payouts
    game = game.act(blackjack.PlaceBet(100))
    while not game.over:
        game = game.act(blackjack.CASINO.absent(game.menu()))
    text = game.record().to_json()
    assert croupier.Record.from_json(text).payouts == game.payouts
    assert verify([text]).ok
    assert verify([game.record()]).ok
    assert not verify([text.replace('"amount":100', '"amount":101')]).ok
    with pytest.raises(ValueError, match="this line is not a record"):
        croupier.Record.from_json("{}")
    with pytest.raises(ValueError, match="verify takes lines"):
        verify(text)


def test_a_view_says_who_looks_what_they_hold_and_what_they_heard() -> None:
    game = begin(poker.CASH, seeds=Seeds("0" * 64, "my own lucky seed")).act(poker.Call())
    view = game.view(1)
    assert (view.you, len(view.own_cards), view.to_act) == (1, 2, (1,))
    assert [type(event) for event in view.history][-1] is poker.Acted
    assert any(isinstance(event, poker.HoleCards) and event.seat == 1 for event in view.history)
    assert not any(isinstance(event, poker.HoleCards) for event in game.view().history)
    assert game.view().own_cards == ()
    assert b"history" not in msgspec.json.encode(game.rules.view(game.state, 1))


def test_the_reference_lists_every_public_name() -> None:
    assert set(sdk.__all__) >= {"play", "join", "Bot", "Match", "Outcome", "Slip"}
    assert croupier.__version__


def test_values_show_themselves_in_a_notebook() -> None:
    game: Any = begin(poker.CASH, seeds=Seeds("0" * 64, "my own lucky seed")).act(poker.Call()).act(poker.Check())
    shown = game._repr_html_()
    assert shown.count("<tr>") == 3
    assert all(f"{card.rank}" in shown for card in game.view().board)
    assert "pot 20" in shown
    both = begin(poker.DOUBLE_BOARD_OMAHA, seeds=Seeds("0" * 64, "my own lucky seed")).act(poker.Call())
    view = both.act(poker.Check()).view()
    assert all(view._repr_html_().count(f"{card.rank}{SUIT[card.suit]}") for card in view.other_boards[0])
    dealt: Any = begin(blackjack.CASINO, seeds=Seeds("0" * 64, "my own lucky seed")).act(blackjack.PlaceBet(10))
    assert re.search(r"dealer: <span[^>]*>9♥</span> 🂠", dealt._repr_html_())
    game = begin(sequence.HOUSE, seeds=Seeds("0" * 64, "my own lucky seed"))
    board: Any = game.act(game.menu()[0].action).view(0)._repr_html_()
    assert (board.count("<td>") + board.count("<td "), board.count("4H A</td>")) == (100 + 8, 1)
    assert "spade_4_2 diamond_2_2" in board
    assert "1 findings; rounds checked: 0" in verify(["<b>"])._repr_html_()
    assert "<b>" not in verify(["<b>"])._repr_html_()
    outcome = sdk.Outcome((5, -3), ())
    assert "+2" in outcome._repr_html_()
    assert list(outcome.to_numpy()) == [5, -3]
    assert list(outcome.to_pandas()["sum"]) == [5, 2]


@pytest.mark.parametrize(
    ("seen", "sent"),
    [
        (room_state.RoomState, wire_room.RoomState),
        (room_state.PublicState, roomview.RoomView),
        (room_state.OwnState, roomview.ViewerPart),
        (room_state.Member, roomview.MemberView),
    ],
)
def test_the_state_of_a_room_handle_has_the_names_of_the_wire(seen: Any, sent: Any) -> None:
    names = {field.encode_name for field in msgspec.structs.fields(sent)}
    assert set(seen.__annotations__) == names - {
        field.encode_name for field in msgspec.structs.fields(wire_room.Answer)
    }
