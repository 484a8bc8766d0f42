"""An honest room never alarms anybody, whatever its people do: they come and go, lose their lines, start their programs
anew, do not cut, buy chips, sit out, and begin the next match."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from croupier.table import commands as c
from croupier.table.client_memory import CutWanted
from croupier.table.deal_faults import DealFault
from croupier.table.room import Phase
from tests.lying_server.attack import Stage
from tests.lying_server.attacks_cards import blackjack
from tests.lying_server.attacks_play import play_for_ann
from tests.lying_server.offline import OfflineTable, Player

TABLES = [
    ("poker", "cash", 4),
    ("poker", "holdem", 4),
    ("blackjack", "trainer", 3),
    ("blackjack", "classroom", 3),
    ("sequence", "house", 2),
]
STEPS = 160
FOUND = [
    # Seats that passed unseen, a later shuffle that was void, a game that ended while somebody was away, a newcomer who
    # is told of a match before: each was once a false alarm.
    ("sequence", "house", 4, 11),
    ("sequence", "house", 4, 7),
    ("sequence", "classic", 3, 18),
    ("sequence", "house", 2, 322),
    ("sequence", "house", 2, 326),
    ("sequence", "house", 4, 53),
]


class Evening(OfflineTable):
    """Some things that people do, by chance. `lost` are those whose cut once came too late: a second time is an alarm,
    also at an honest room."""

    def __init__(self, game: str, preset: str, seats: int, seed: int, rules: dict[str, Any] | None = None) -> None:
        self.chance = Random(seed)
        self.lost: set[str] = set()
        super().__init__(game, preset, rules=rules, seed=seed, seats=seats)

    def takes_cut(self, player: Player, wanted: CutWanted) -> bool:
        late = self.chance.random() < 0.02 and player.person not in self.lost
        if late:
            self.lost.add(player.person)
        return not late

    def happen(self) -> None:
        player = self.chance.choice(list(self.people.values()))
        happenings: list[Callable[[Player], Any]] = [self.go, self.reload, self.hang, self.leave, self.join, self.buy]
        happenings += [self.sit_out, self.decline, self.newcomer, *[self.come] * 4]
        self.chance.choice(happenings)(player)
        self.settle()

    def go(self, player: Player) -> None:
        if sum(each.is_here for each in self.people.values()) > 1:
            player.go()

    def come(self, player: Player) -> None:
        player.hangs = False
        if not player.is_here:
            player.come()
            if player.member is not None:
                self.do(player.person, c.PlayerBack())

    def reload(self, player: Player) -> None:
        player.reload()

    def hang(self, player: Player) -> None:
        """Their program hangs, or goes on."""
        player.hangs = not player.hangs

    def leave(self, player: Player) -> None:
        self.do(player.person, c.RoomLeave())

    def join(self, player: Player) -> None:
        if player.is_here and (player.member is None or player.member.away):
            self.do(player.person, c.RoomJoin())
            player.come()

    def buy(self, player: Player) -> None:
        self.do(player.person, c.PlayerBuyChips(self.chance.randint(1, 500)))

    def sit_out(self, player: Player) -> None:
        self.do(player.person, self.chance.choice((c.PlayerSitOut(), c.PlayerSitIn(), c.PlayerSitIn(wait=True))))

    def decline(self, player: Player) -> None:
        self.do(player.person, c.DealDecline(max(1, self.room.deals)))

    def agree(self, player: Player) -> None:
        """Everybody who is asked agrees, some sooner and some later."""
        if player.is_here and self.chance.random() < 0.5:
            if player.person in (player.state.get("public") or {}).get("agreeing", ()):
                player.guard.agree(self.room.hand)
                self.do(player.person, c.DealAgree())
            if player.guard.checker.asks_about_voids and (wanted := player.guard.accept_voids()) is not None:
                player.outbox.append(("cut", wanted))

    def newcomer(self, player: Player) -> None:
        if len(self.people) < 7:
            fresh = self.person(f"n{len(self.people)}")
            self.do(fresh.person, c.RoomJoin())
            fresh.come()

    def host_or_clock_acts(self) -> None:
        """What the host and the clock do."""
        host = self.room.host
        if self.room.phase is Phase.LOBBY:
            for member in self.room.players:
                self.do(member.id, c.PlayerReadySet(ready=True))
            if self.do(host, c.HostStartGame()) is not None and not any(member.bot for member in self.room.members):
                self.do(host, c.HostAddBot("random"))
        elif self.room.phase is Phase.ENDED or self.room.waits_for_first_deal:
            self.do(host, c.HostRematch())
        else:
            self.step()
        for player in self.people.values():
            self.agree(player)
        self.settle()


@pytest.mark.parametrize(
    ("game", "preset", "seats", "seed"),
    [
        *((*table, seed) for table in TABLES for seed in range(2)),
        *(pytest.param(*table, seed, marks=pytest.mark.soak) for table in TABLES for seed in range(2, 12)),
        *FOUND,
    ],
)
def test_nobody_is_alarmed_at_an_honest_table(game: str, preset: str, seats: int, seed: int) -> None:
    table = Evening(game, preset, seats, seed)
    for name in ("bob", "cy")[: seats - 1]:
        table.person(name)
        table.do(name, c.RoomJoin())
    table.settle()
    for _ in range(STEPS):
        table.host_or_clock_acts()
        if table.chance.random() < 0.25:
            table.happen()
        assert table.alarms() == [], (seed, table.room.hand, table.room.deals)
    assert table.room.deals, "something was dealt"


def test_who_is_dealt_in_only_because_somebody_else_is_not_is_asked_to_cut() -> None:
    """Bob waits for the big blind. When Ann, whose it would be, is away, it is his."""
    table = OfflineTable("poker", "cash", seats=3)
    table.passive = True
    table.start("bob", "cy")
    table.play_hands(1)
    assert table.do("bob", c.PlayerSitOut()) is None
    table.play_hands(1)
    assert table.do("bob", c.PlayerSitIn(wait=True)) is None
    table.people["ann"].go()
    for _ in range(3):
        table.play_hands(1)
        assert table.alarms() == []
    assert [cut.seat for cut in table.room.packs[-1].cuts] == [1, 2]  # type: ignore[union-attr]


def test_a_cut_that_came_too_late_twice_is_an_alarm() -> None:
    """Which is why an honest room waits for five seconds."""
    table = OfflineTable("poker", "cash", seats=3)
    table.passive = True
    table.start("bob", "cy")
    bob = table.people["bob"]
    table.takes_cut = lambda player, _: player.person != "bob"  # type: ignore[method-assign]
    first = table.room.deals
    while not bob.guard.checker.is_alarmed:
        assert table.room.deals - first < 10
        table.step()
    assert [found.code for found in bob.guard.checker.findings] == [DealFault.MISSING_THOUGH_CUT]


def test_what_the_rules_do_for_somebody_who_is_late_is_no_alarm() -> None:
    for stage in (Stage(game="sequence", preset="house").start(), blackjack(), Stage().start()):
        played = stage.room.round
        assert played is not None
        assert play_for_ann(stage, stage.room.rules.absent(played.menu(0))).gained
