"""What was said and what happened, for people who come later."""

import msgspec

from croupier.server.story import LINES_KEPT_MAX, Story
from croupier.table.apply import next_secret, open_room, redo
from croupier.table.room import Room
from croupier.wire.room import ChatSaid, ReactionShown
from tests.table.test_room import started


def _lines(story: Story) -> list[dict[str, object]]:
    lines: list[dict[str, object]] = msgspec.json.decode(story.encode("ROOM1") or b'{"lines":[]}')["lines"]
    return lines


def test_the_story_has_chat_in_order_and_is_bounded() -> None:
    story = Story()
    assert story.encode("ROOM1") == b""
    for number in range(LINES_KEPT_MAX + 10):
        story.say(msgspec.json.encode(ChatSaid(room_code="R", member="a", name="Ann", text=f"{number}", at_ms=number)))
    story.say(msgspec.json.encode(ReactionShown(room_code="R", member="a", reaction="👍")))
    lines = _lines(story)
    assert len(lines) == LINES_KEPT_MAX
    assert (lines[0]["text"], lines[-1]["text"]) == ("10", f"{LINES_KEPT_MAX + 9}")


def test_a_latecomer_is_told_no_cards_that_only_a_seat_saw_and_the_names_of_then() -> None:
    play, story = started("poker", "cash", players=3), Story()
    private = []
    room = open_room("ROOM1", play.log[0])
    for logged in play.log[1:]:
        assert isinstance(room, Room)
        done = redo(room, logged, play.secrets.get(next_secret(room, logged), b""))
        room = done.room
        story.tell(room, done.told, 5)
        private += [each for each in done.told if not each.to.others]
    assert private, "hole cards are told to their seats"
    lines = _lines(story)
    assert lines
    assert all(line["kind"] == "EVENT" and line["atMs"] == 5 for line in lines)
    shown = {msgspec.json.encode(line["event"]) for line in lines}
    assert not shown & {msgspec.json.encode(msgspec.to_builtins(each.event)) for each in private}
    names = lines[-1]["names"]
    assert isinstance(names, list)
    assert names[:3] == [member.name for member in play.room.players]
