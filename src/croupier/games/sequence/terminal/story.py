"""A game of Sequence in sentences."""

from croupier.clients.snapshot import Snapshot
from croupier.clients.terminal.table import GameTable
from croupier.game.game import Event
from croupier.games.sequence.rules.actions import Play
from croupier.games.sequence.rules.board import FACES
from croupier.games.sequence.rules.events import (
    CardDrawn,
    DeadCardExchanged,
    GameEnded,
    HandsDealt,
    HandTaken,
    PackReshuffled,
    Passed,
    SequenceCompleted,
    TurnPlayed,
)
from croupier.games.sequence.rules.text import board_text
from croupier.games.sequence.rules.view import SequenceView
from croupier.games.sequence.terminal.cards import card_text, cards_text, cell_text


class SequenceStory(GameTable):
    """Tells a game turn by turn. A cell is told by its number and its card."""

    def tell(self, snapshot: Snapshot) -> list[str]:
        """Without the points of the round: the last event says which team has won."""
        return [line for event in snapshot.events for line in self.sentences(snapshot, event)]

    def sentences(self, snapshot: Snapshot, event: Event) -> list[str]:
        t, words = self.words.t, self.words
        match event:
            case HandsDealt(_, hand_size, pack_left):
                return [t("event.EVT_DEAL", handSize=hand_size, packLeft=pack_left)]
            case HandTaken(_, cards):
                return [t("event.EVT_HAND", cards=cards_text(cards, words))]
            case CardDrawn(_, card):
                return [t("event.EVT_DRAW", cardId=card_text(card, words))]
            case TurnPlayed(_, seat, action):
                return [self._played(snapshot, seat, action)]
            case DeadCardExchanged(_, seat, card):
                return [t("event.EVT_EXCHANGE", seat=words.name(snapshot.public, seat), cardId=card_text(card, words))]
            case SequenceCompleted(_, team, cells):
                return [t("event.EVT_SEQUENCE", teamId=team, cells=words.join(map(self._cell, cells)))]
            case Passed(_, seat):
                return [t("event.EVT_PASS", seat=words.name(snapshot.public, seat))]
            case PackReshuffled(count):
                return [t("event.EVT_RESHUFFLE", cardCount=count)]
            case GameEnded(_, winner):
                return [
                    t("event.EVT_GAME_OVER.draw") if winner is None else t("event.EVT_GAME_OVER.win", winner=winner)
                ]
        return []

    def _cell(self, cell: int) -> str:
        return f"{cell} ({cell_text(FACES[cell], self.words)})"

    def _played(self, snapshot: Snapshot, seat: int, action: Play) -> str:
        name, cell = self.words.name(snapshot.public, seat), self._cell(action.cell_id)
        facts = {
            "seat": name,
            "cardId": card_text(action.card_id, self.words),
            "targetCellId": cell,
            "removeCellId": cell,
        }
        return self.words.t(f"event.EVT_TURN.{action.tag}", **facts)

    def private_sentences(self, now: Snapshot, seat: int, event: Event) -> list[str]:
        t, words = self.words.t, self.words
        match event:
            case HandTaken(_, cards):
                return [t("play.gets", name=words.name(now.public, seat), cards=cards_text(cards, words))]
            case CardDrawn(_, card):
                return [t("play.sequence.draws", name=words.name(now.public, seat), card=card_text(card, words))]
        return super().private_sentences(now, seat, event)

    def position(self, now: Snapshot) -> list[str]:
        return board_text(now.view).splitlines()

    def situation(self, snapshot: Snapshot) -> list[str]:
        view = snapshot.view
        assert isinstance(view, SequenceView)
        assert view.private is not None
        team = view.team_by_seat[view.private.seat]
        dead = view.private.dead_cards
        lines = [*board_text(view).splitlines(), self.words.t("play.sequence.team", team=team)]
        if dead:
            lines.append(self.words.t("play.sequence.dead", cards=cards_text(dead, self.words)))
        return lines

    def standing(self, snapshot: Snapshot) -> list[tuple[str, ...]]:
        view, t = snapshot.view, self.words.t
        if not isinstance(view, SequenceView):
            return []
        rows = [tuple(t(f"play.sequence.column.{column}") for column in ("team", "names", "sequences"))]
        for team, score in sorted(view.score_by_team.items(), key=lambda entry: -entry[1]):
            names = [
                self.words.name(snapshot.public, seat) for seat, its in enumerate(view.team_by_seat) if its == team
            ]
            rows.append((team, self.words.join(names), f"{score}/{view.sequences_to_win}"))
        return rows
