"""With `--seed`, that seed is played and nothing else."""

import pytest


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--seed") is not None:
        alone = [item for item in items if "seeds" in getattr(item, "fixturenames", ())]
        config.hook.pytest_deselected(items=[item for item in items if item not in alone])
        items[:] = alone
