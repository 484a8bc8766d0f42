"""Seeds, each a whole history: every invariant holds in all of them."""

import pytest

from tests.simulation.run import play

SEEDS = range(1, 251)
SEEDS_A_TEST = 50
MORE_SEEDS = range(251, 2001)
SOAK_SEEDS = range(1_000_000, 1_200_000)
SOAK_SEEDS_A_TEST = 1000


def hold(seeds: range) -> None:
    """Plays each seed; the first that is broken is told with the way to play it alone."""
    for seed in seeds:
        report = play(seed)
        if not report.ok:
            pytest.fail(report.text(), pytrace=False)


def test_every_invariant_holds(seeds: range) -> None:
    hold(seeds)


@pytest.mark.soak
@pytest.mark.parametrize("first", MORE_SEEDS[::SEEDS_A_TEST])
def test_every_invariant_holds_in_more_seeds(first: int) -> None:
    hold(range(first, first + SEEDS_A_TEST))


@pytest.mark.soak
@pytest.mark.parametrize("first", SOAK_SEEDS[::SOAK_SEEDS_A_TEST])
def test_every_invariant_holds_for_long(first: int) -> None:
    hold(range(first, first + SOAK_SEEDS_A_TEST))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Without `--seed`, all seeds, so many in a test that workers can share them."""
    if "seeds" in metafunc.fixturenames:
        chosen = metafunc.config.getoption("--seed")
        first = SEEDS[::SEEDS_A_TEST] if chosen is None else [chosen]
        chunks = [range(seed, seed + (SEEDS_A_TEST if chosen is None else 1)) for seed in first]
        metafunc.parametrize("seeds", chunks, ids=[f"{chunk[0]}-{chunk[-1]}" for chunk in chunks])
