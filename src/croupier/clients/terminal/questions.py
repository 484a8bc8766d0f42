"""What a player must answer before anything is cut or bet: an alarm, many void deals, a hand to be dealt again."""

from typing import Final, Literal

import msgspec

from croupier.clients.alarm import AlarmError
from croupier.clients.room_handle import RoomHandle
from croupier.clients.terminal.words import Words

LEAVE: Final = "l"


class Question(msgspec.Struct, frozen=True):
    """One question. The answers are `key`, to go on, and `LEAVE`."""

    kind: Literal["alarm", "voids", "agree"]
    key: str
    label: str
    lines: tuple[str, ...]
    """A title, then whole sentences."""
    about: int
    """The alarm, deal or hand it is about, so that it is asked once."""


def question(room: RoomHandle, words: Words) -> Question | None:
    """What the player must answer now. Alarms come first."""
    if room.alarms:
        lines = room.alarm_error().sentences(words.language)
        title = words.t("alarm.title")
        return Question("alarm", "g", words.t("alarm.go_on"), (title, *lines), len(room.checker.findings))
    if not room.state:
        return None
    try:
        room.check_voids()
    except AlarmError as asked:
        hand = room.state["public"]["hand"]
        said = tuple(asked.said(words.language))
        if room.checker.asks_about_voids:
            return Question("voids", "y", words.t("play.ask.cut_on"), said, room.state["public"]["deal"])
        return Question("agree", "y", words.t("play.ask.agree"), said, hand)
    return None
