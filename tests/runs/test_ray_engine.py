from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from redraft.errors import InputError
from redraft.runs.ray_engine import divide_processors, worker_settings
from redraft.settings import Settings


@pytest.mark.parametrize(
    ("nodes", "workers", "expected"),
    [
        ([2], None, (1, 2.0)),
        ([1], None, (1, 1.0)),
        ([8], None, (4, 2.0)),
        ([0, 8, 8], None, (8, 2.0)),
        ([3, 3], None, (2, 3.0)),  # 6 processors, but no worker stands on two machines
        ([2], 4, (4, 0.5)),
        ([3, 3], 3, (3, 1.5)),
        ([64, 1], 1, (1, 64.0)),
    ],
)
def test_workers_find_room(nodes: list[float], workers: int | None, expected: tuple[int, float]) -> None:
    assert divide_processors(nodes, workers) == expected


@given(
    st.lists(st.integers(1, 64), min_size=1, max_size=8),
    st.one_of(st.none(), st.integers(1, 40)),
)
def test_all_of_them_find_room_and_no_larger_share_would_do(nodes: list[int], workers: int | None) -> None:
    wanted, share = divide_processors(nodes, workers)
    assert sum(int(processors / share + 1e-9) for processors in nodes) >= wanted
    assert sum(int(processors / (share + 0.001)) for processors in nodes) < wanted


def test_a_cluster_without_processors_is_named() -> None:
    with pytest.raises(InputError, match="no processors"):
        divide_processors([0.0, 0.0], None)


def test_calls_at_once_and_threads_are_shared() -> None:
    one = worker_settings(Settings(concurrency=8), 3, 2.5)
    assert (one.concurrency, one.threads) == (2, 2)
    assert worker_settings(Settings(concurrency=2), 8, 0.5).concurrency == 1
    assert worker_settings(Settings(threads=7), 4, 0.5).threads == 7
