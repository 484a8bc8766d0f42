"""How often a server collects garbage."""

import gc
from typing import Final

COLLECT_AFTER_OBJECTS: Final = 100_000


def spare_the_collector() -> None:
    """Rooms are values without cycles: reference counts free them. So the collector need not look at what was made at
    the start, nor run after every few commands."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(COLLECT_AFTER_OBJECTS, 20, 50)
