"""One viewer's client, which follows a round as it does in a room. It checks the server, so it must come to what its
player is shown from the moves and from the cards that the player has seen."""

from collections import Counter
from collections.abc import Hashable
from typing import Any

from croupier.game.game import Game, Over, Turn, Viewer, numbers_in
from croupier.table.mirror import Mirror, MirrorError, same_view
from croupier.table.plain_values import exact, plain
from croupier.testing.driver import Played


class Follower:
    """A client, and the round as it was played."""

    def __init__(self, game: Game, played: Played, viewer: Viewer) -> None:
        self.game, self.played, self.viewer = game, played, viewer
        self.mirror = Mirror(game, played.rules, played.setup)
        self._who = "a spectator" if viewer is None else f"seat {viewer}"
        self._taken = 0
        self._events: Counter[Hashable] = Counter()

    def follow(self, since: int = 0) -> None:
        """Follow the round from a step on, as a client that joins then. Raises AssertionError at the first
        difference."""
        moves = 0
        for number, awaited in enumerate(self.played.awaited):
            told = self.played.steps[number].told
            heard = (plain(each.event) for each in told if each.to.hears(self.viewer))
            self._events.update(exact(self.mirror.unstamped(event)) for event in heard)
            moves += number > 0 and isinstance(self.played.awaited[number - 1], Turn)
            if number >= since and isinstance(awaited, Turn | Over):
                self._see(number, moves)

    def _see(self, number: int, moves: int) -> None:
        seat, action = self.played.moves[moves - 1] if moves else (None, None)
        after = f"after seat {seat} chose {action}" if moves else "at the beginning"
        try:
            self._take_cards(self.played.steps[number].state)
            new = self.played.moves[len(self.mirror.moves) : moves]
            self.mirror.advance([{"seat": seat, "action": plain(action)} for seat, action in new])
        except MirrorError as error:
            raise AssertionError(f"the client of {self._who} cannot follow {after}: {error}") from error
        self._compare(number, after)

    def _take_cards(self, state: Any) -> None:
        """Take the cards that the viewer has been shown since, and begin again with those that were dealt unseen."""
        unseen = False
        for index in numbers_in(self.played.rules.known(state, self.viewer)):
            shoe, place = self.played.sources[index]
            while len(self.mirror.proved) <= shoe:
                self.mirror.proved.append({})
            unseen = self.mirror.was_unseen(shoe, place) or unseen
            self.mirror.proved[shoe][place] = str(self.played.dealt[index])
        while len(self.mirror.proved) < len(self.played.shoes):
            self.mirror.proved.append({})
        if unseen:
            self.mirror.replay()

    def _compare(self, number: int, after: str) -> None:
        rules, state, awaited = self.played.rules, self.played.steps[number].state, self.played.awaited[number]
        shown = plain(rules.view(state, self.viewer))
        if isinstance(awaited, Turn):
            self.mirror.pass_to(awaited.seats, self.viewer, shown)
        found = self.mirror.view(self.viewer)
        if not same_view(self.game, found, shown):
            field = next((name for name in shown if shown[name] != found.get(name)), "view")
            raise AssertionError(
                f"the client of {self._who} sees another {field} {after}: {found.get(field)} instead of {shown[field]}"
            )
        if self.viewer is not None:
            menu, offered = self.mirror.menu(self.viewer), plain(rules.menu(state, self.viewer))
            assert menu == offered, f"the client of {self._who} sees another menu {after}: {menu} instead of {offered}"
        if isinstance(awaited, Over):
            assert self.mirror.payouts == awaited.payouts, f"the client of {self._who} sees other payouts {after}"
        if self.mirror.tells_all:
            missing = self._events - self.mirror.heard(self.viewer)
            assert not missing, f"the client of {self._who} does not come to the event {next(iter(missing))} {after}"
