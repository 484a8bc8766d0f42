"""Lying servers on a real port, against the terminal as a person starts it."""

import asyncio
import os
import re
import sys
from pathlib import Path

import pytest

from croupier import locales
from croupier.clients.terminal.words import SUIT_SIGNS
from croupier.table.cards_shown import cards_in
from tests.lying_server.attacks_voids import with_news
from tests.lying_server.liar import Spy
from tests.lying_server.live import lying

SECONDS_MAX = 60.0


async def _play(monkeypatch: pytest.MonkeyPatch, liar: Spy, folder: Path, language: str) -> str:
    """What the terminal says at the lying server's table to somebody who starts a match, and leaves at the alarm."""
    environment = {**os.environ, "CROUPIER_DATA": str(folder), "CROUPIER_LANG": language}
    async with lying(monkeypatch, liar, bot_delay_seconds=0.0) as server:
        program = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "croupier", "play", "holdem", "--plain", "--preset", "cash", "--bots", "1"),
            *("--server", server.link, "--nickname", "Ann"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=environment,
        )
        assert program.stdin is not None
        assert program.stdout is not None
        said = b""
        program.stdin.write(b"s\n")
        async with asyncio.timeout(SECONDS_MAX):
            while locales.text(language, "alarm.what_to_do").encode() not in said:
                more = await program.stdout.read(4096)
                assert more, said.decode()
                said += more
            rest, wrong = await program.communicate(b"q\nq\n")
        assert wrong == b""
        return (said + rest).decode()


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_card_without_opening_is_an_alarm_and_is_not_drawn(
    language: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    liar, held = Spy(), list[str]()

    def twist(listener: object, state: dict[str, object]) -> list[dict[str, object]]:
        held.extend(cards_in(state["you"]["view"]))  # type: ignore[index]
        return [{**state, "openings": []}]

    liar.twist = twist
    said = asyncio.run(_play(monkeypatch, liar, tmp_path, language))
    assert locales.text(language, "finding.VIEW_MISMATCH", hand=1, field="seats") in said
    assert locales.text(language, "alarm.what_to_do") in said
    assert held
    # As words and with signs: the room's random name, which is said too, has pairs like 5d.
    drawn = {card[0] + SUIT_SIGNS[card[1]] for card in held}
    assert not any(card in said for card in drawn), "an unproved card is not drawn as a card"
    assert not set(held) & set(re.findall(r"\w+", said)), "nor written as one"


def test_secrets_that_come_late_are_an_alarm(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    liar = Spy()
    liar.twist = with_news("DEAL_MADE", secrets=[None] * 8)
    said = asyncio.run(_play(monkeypatch, liar, tmp_path, "en"))
    assert any(locales.text("en", "finding.SECRET_MISSING", pack=number) in said for number in range(8))
