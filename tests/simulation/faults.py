"""What can go wrong, and how often: drawn once a seed, and nothing once the scene is over."""

from dataclasses import dataclass
from random import Random
from typing import Final

KINDS: Final = (
    ("crash_after_append", (0.01, 0.05)),
    ("append_unknown", (0.01, 0.05)),
    ("store_error", (0.01, 0.1)),
    ("store_slow", (0.02, 0.2)),
    ("stall", (0.005, 0.03)),
    ("dial_fails", (0.1, 0.5)),
    ("cut_lost", (0.1, 0.4)),
    ("crash_in_cut", (0.1, 0.3)),
    ("cuts_seconds", (2.0, 0.7)),
    ("crashes_seconds", (5.0, 2.0)),
    ("outages_seconds", (5.0, 3.0)),
    ("refreshes_seconds", (5.0, 2.0)),
    ("jumps_seconds", (4.0, 2.0)),
)
"""The kinds of faults, and how often each happens where it happens at all."""


DISK_KINDS: Final = (
    ("page_corrupt", (0.1, 0.4)),
    ("write_torn", (0.02, 0.2)),
    ("disk_slow", (0.05, 0.2)),
)
"""The same of disks. They are drawn from a stream of their own, and most seeds have good disks."""


@dataclass
class Faults:
    """Probabilities are of one event: an append, a question to the store, a frame, a try to connect."""

    crash_after_append: float = 0.0
    append_unknown: float = 0.0
    store_error: float = 0.0
    store_slow: float = 0.0
    stall: float = 0.0
    dial_fails: float = 0.0
    cut_lost: float = 0.0
    """That a line breaks just after somebody sent the cut of a deal: before it arrives, or before its answer does."""
    crash_in_cut: float = 0.0
    """That a node dies soon after it fixed a deal, while the players cut it."""
    cuts_seconds: float = 0.0
    """How often a connection is cut, on average; 0 is never."""
    crashes_seconds: float = 0.0
    outages_seconds: float = 0.0
    """How often a node is cut off from the store or from everybody."""
    refreshes_seconds: float = 0.0
    """How often somebody begins anew, with nothing but the token."""
    jumps_seconds: float = 0.0
    """How often somebody sets a node's clock, back or forward."""
    page_corrupt: float = 0.0
    """That what is read of a table or a snapshot has a wrong character in it."""
    write_torn: float = 0.0
    """That a write ends in the middle: a step is not kept at all, a snapshot may be kept in part."""
    disk_slow: float = 0.0
    """That the disk takes seconds for one step."""
    snapshots_every: int = 0
    """After how many commands a room is kept in a snapshot; 0 for as often as ever."""
    hint_lost: float = 0.0
    hint_repeated: float = 0.0
    hint_ms: float = 10.0
    skew_ms: int = 0
    network_ms: float = 10.0
    store_ms: float = 5.0
    notice_seconds: float = 0.3

    def network_seconds(self, random: Random) -> float:
        return random.random() * self.network_ms / 1000

    def store_seconds(self, random: Random) -> float:
        if self.store_slow and random.random() < self.store_slow:
            return random.uniform(0.1, 2.0)
        return random.random() * self.store_ms / 1000

    def hint_seconds(self, random: Random) -> float:
        return random.random() * self.hint_ms / 1000

    def end(self) -> None:
        """From now on everything works, if not at once; but hints stay hints, on which nobody may count."""
        for name, _ in (*KINDS, *DISK_KINDS):
            setattr(self, name, 0.0)


def draw_disk(faults: Faults, random: Random) -> None:
    """Bad disks, for some seeds; there snapshots are taken often, so that some are read."""
    if random.random() < 0.3:
        faults.snapshots_every = random.choice((3, 8))
        for name, levels in DISK_KINDS:
            if random.random() < 0.6:
                setattr(faults, name, random.choice(levels))


def spoil_disk(faults: Faults) -> None:
    """Everything goes wrong with disks, often."""
    faults.snapshots_every = 3
    for name, levels in DISK_KINDS:
        setattr(faults, name, max(levels))


def draw(random: Random) -> Faults:
    """Some seeds are calm, most have a few kinds of faults, some have all of them."""
    faults = Faults(
        network_ms=random.choice((1.0, 10.0, 100.0)),
        store_ms=random.choice((1.0, 5.0, 40.0)),
        hint_ms=random.choice((1.0, 20.0, 500.0)),
        hint_lost=random.choice((0.0, 0.0, 0.3, 1.0)),
        hint_repeated=random.choice((0.0, 0.3)),
        skew_ms=random.choice((0, 0, 20, 400)),
        notice_seconds=random.choice((0.05, 0.3, 2.0)),
    )
    often = random.choice((0.0, 0.3, 0.3, 0.6, 1.0))
    for name, levels in KINDS:
        if random.random() < often:
            setattr(faults, name, random.choice(levels))
    return faults
