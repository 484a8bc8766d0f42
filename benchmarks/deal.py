"""What a provably fair deal costs: time and bytes for the server and for each player's client, by number of players.

A Hold'em cash table deals hand after hand. The server's part is fixing the deal, taking every cut, dealing, and writing
the frames that tell of it; a client's part is checking those frames before its player sees a card. The goals are 3 ms
for the server and 50 ms for a client. `benchmarks/page_deal.py` measures the client in a browser.

Run as `python benchmarks/deal.py [--hands 40]`.
"""

import argparse
import json
import os
import statistics
import time
from typing import Any

from croupier.dealing.cut2 import promise_of
from croupier.game.refusal import Refusal
from croupier.server.broadcast import Broadcast
from croupier.table import commands as c
from croupier.table.apply import CLOCK, Done, handle, open_room
from croupier.table.checker import Checker
from croupier.table.deals import Cutting
from croupier.table.log import Logged, entry
from croupier.table.room import Room

SEATS = (2, 6, 10)


class Player:
    """A client that keeps the frames it is sent."""

    def __init__(self, person: str) -> None:
        self.person = person
        self.frames: list[bytes] = []
        self.checker = Checker(person)
        self.secret = b""

    def send(self, frame: bytes) -> None:
        self.frames.append(frame)

    def promise(self) -> str:
        self.secret = os.urandom(32)
        return promise_of(self.secret)


class Table:
    """A room without a network: commands in, frames out."""

    def __init__(self, seats: int) -> None:
        self.now_ms = 1
        create = c.RoomCreate("poker", "cash", options=c.RoomOptions(seats=seats, pause_seconds=0))
        logged = entry("p0", "p0", self.now_ms, create, room_id="0" * 64)
        assert isinstance(logged, Logged)
        opened = open_room("ROOM", logged)
        assert isinstance(opened, Room)
        self.room = opened
        self.broadcast = Broadcast()
        self.players = [Player(f"p{seat}") for seat in range(seats)]
        for player in self.players[1:]:
            self.do(player.person, c.RoomJoin())
            self.do(player.person, c.PlayerReadySet(ready=True))
        for player in self.players:
            self.do(player.person, c.DealPromise(player.promise()))
            self.broadcast.attach(player, self.room, 0)

    def do(self, who: str, command: Any) -> None:
        self.now_ms += 1
        logged = entry(who, who, self.now_ms, command, room=self.room)
        assert isinstance(logged, Logged)
        done = handle(self.room, logged, os.urandom(32))
        assert not isinstance(done, Refusal), done
        assert isinstance(done, Done)
        self.room = done.room
        if not done.quiet:
            self.broadcast.publish(done.room, done.told, done.room.deadline_ms)

    def cut(self) -> None:
        assert isinstance(self.room.cutting, Cutting)
        number = self.room.cutting.deal.context.deal
        for player in self.players:
            value = player.secret.hex()
            player.checker.gave[number] = value
            self.do(player.person, c.DealCut(value, number, player.promise()))

    def fold(self) -> None:
        while self.room.turn:
            (seat,) = self.room.turn
            assert self.room.round is not None
            action = self.room.rules.absent(self.room.round.menu(seat))
            self.do(f"p{seat}", c.Play(action))


def measure(seats: int, hands: int) -> tuple[float, float, float]:
    """Milliseconds of the server and of one client for a deal, and bytes to one client."""
    table = Table(seats)
    server, client, sent = [], [], []
    for number in range(hands):
        began = time.perf_counter()
        table.do("p0", c.HostStartGame()) if number == 0 else table.do(CLOCK, c.Due())
        table.cut()
        server.append(time.perf_counter() - began)
        watched = table.players[0]
        frames = [json.loads(frame) for frame in watched.frames]
        sent.append(sum(map(len, watched.frames[1:] if number == 0 else watched.frames)))
        began = time.perf_counter()
        for frame in frames:
            seen = watched.checker.see(frame)
            assert not seen.alarms, seen.alarms
        client.append(time.perf_counter() - began)
        for player in table.players:
            player.frames.clear()
        table.fold()
        for frame in watched.frames:
            watched.checker.see(json.loads(frame))
        for player in table.players:
            player.frames.clear()
        table.now_ms += 1000
    return 1000 * min(server), 1000 * statistics.median(client), statistics.median(sent)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--hands", type=int, default=40)
    arguments = parser.parse_args()
    for seats in SEATS:
        server, client, sent = measure(seats, arguments.hands)
        print(f"{seats:2} seats: server {server:.2f} ms a deal, client {client:.2f} ms, {sent / 1024:.1f} KB to each")


if __name__ == "__main__":
    main()
