"""Importing this registers the environments with Gymnasium. Needs the extra `research`.

    import gymnasium
    import croupier.lab.gymnasium
    tables = gymnasium.make_vec("croupier/Holdem-v0", num_envs=4096, seats=6, ante=1)
    table = gymnasium.make("croupier/Blackjack-v0", decks=8, penetration=0.75)

`gymnasium.make_vec("croupier.lab.gymnasium:croupier/Holdem-v0", ...)` does both. Hold'em is on the batch engine; the
others play the plain rules, with bots in the other seats: `solo_env` of any game, as `croupier/Poker-v0` and so on.
"""

from typing import Final

import gymnasium

from croupier.game.registry import GAMES

BATCHED: Final = {"croupier/Holdem-v0": "croupier.lab.batch.holdem.vector_env:Holdem"}
"""By id: the module and the beginning of the names of the plain and the vector environment."""
SOLO: Final = "croupier.lab.environments:solo_env"


def register() -> None:
    """Register what is not registered yet."""
    for name, place in BATCHED.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=f"{place}Env", vector_entry_point=f"{place}VectorEnv")
    for game in GAMES:
        name = f"croupier/{game.title().replace('_', '')}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=SOLO, kwargs={"game": game})


register()
