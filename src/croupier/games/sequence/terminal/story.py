"""A game of Sequence in sentences."""

from croupier.clients.snapshot import Moment
from croupier.clients.terminal.words import Words
from croupier.game.game import Event
from croupier.games.sequence.rules.actions import Play, PlayJackRemove, PlayJackWild, PlayNormal
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


class SequenceStory:
    """Tells a game turn by turn. A cell is told by its number and its card."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def tell(self, moment: Moment) -> list[str]:
        return [line for event in moment.events for line in self._sentences(moment, event)]

    def _sentences(self, moment: Moment, event: Event) -> list[str]:
        t, words = self._words.t, self._words
        match event:
            case HandsDealt(_, hand_size, pack_left):
                return [t("event.EVT_DEAL", handSize=hand_size, packLeft=pack_left)]
            case HandTaken(_, cards):
                return [t("event.EVT_HAND", cards=words.cards(cards))]
            case CardDrawn(_, card):
                return [t("event.EVT_DRAW", cardId=words.card(card))]
            case TurnPlayed(_, seat, action):
                return [self._played(moment, seat, action)]
            case DeadCardExchanged(_, seat, card):
                return [t("play.sequence.exchanged", name=words.name(moment.public, seat), card=words.card(card))]
            case SequenceCompleted(_, team, cells):
                return [t("play.sequence.completed", team=team, cells=words.join(map(self._cell, cells)))]
            case Passed(_, seat):
                return [t("play.sequence.passed", name=words.name(moment.public, seat))]
            case PackReshuffled(count):
                return [t("event.EVT_RESHUFFLE", cardCount=count)]
            case GameEnded(_, winner):
                return [
                    t("event.EVT_GAME_OVER.draw") if winner is None else t("event.EVT_GAME_OVER.win", winner=winner)
                ]
        return []

    def _cell(self, cell: int) -> str:
        return f"{cell} ({self._words.face(FACES[cell])})"

    def _played(self, moment: Moment, seat: int, action: Play) -> str:
        match action:
            case PlayNormal(card, cell):
                key = "normal"
            case PlayJackWild(card, cell):
                key = "wild"
            case PlayJackRemove(card, cell):
                key = "remove"
        name = self._words.name(moment.public, seat)
        return self._words.t(f"play.sequence.{key}", name=name, card=self._words.card(card), cell=self._cell(cell))

    def situation(self, moment: Moment) -> list[str]:
        view = moment.view
        assert isinstance(view, SequenceView)
        assert view.private is not None
        team = view.team_by_seat[view.private.seat]
        dead = view.private.dead_cards
        lines = [*board_text(view).splitlines(), self._words.t("play.sequence.team", team=team)]
        if dead:
            lines.append(self._words.t("play.sequence.dead", cards=self._words.cards(dead)))
        return lines

    def standing(self, moment: Moment) -> list[tuple[str, ...]]:
        view, t = moment.view, self._words.t
        if not isinstance(view, SequenceView):
            return []
        rows = [tuple(t(f"play.sequence.column.{column}") for column in ("team", "names", "sequences"))]
        for team, score in sorted(view.score_by_team.items(), key=lambda entry: -entry[1]):
            names = [self._words.name(moment.public, seat) for seat, its in enumerate(view.team_by_seat) if its == team]
            rows.append((team, self._words.join(names), f"{score}/{view.sequences_to_win}"))
        return rows
