"""Importing this registers the environments of the batch engines with Gymnasium. Needs the extra `research`.

    import gymnasium
    import croupier.lab.gymnasium
    tables = gymnasium.make_vec("croupier/Holdem-v0", num_envs=4096, seats=6, ante=1)

`gymnasium.make_vec("croupier.lab.gymnasium:croupier/Holdem-v0", ...)` does both.
"""

from typing import Final

import gymnasium

ENVIRONMENTS: Final = {"croupier/Holdem-v0": "croupier.lab.batch.holdem.vector_env:Holdem"}
"""By id: the module and the beginning of the names of the plain and the vector environment."""


def register() -> None:
    """Register what is not registered yet."""
    for name, place in ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=f"{place}Env", vector_entry_point=f"{place}VectorEnv")


register()
