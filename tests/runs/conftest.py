"""A Ray cluster of two machines, each played by processes of its own."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
NODE = {"num_cpus": 2, "object_store_memory": 100_000_000, "include_dashboard": False}


class TwoMachines:
    """The first is where the run is started; the second may go, and come back."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster  # noqa: PLC0415

        self._cluster = Cluster(initialize_head=True, head_node_args=dict(NODE))
        self._second: Any = None
        self.restore()

    @property
    def address(self) -> str:
        return str(self._cluster.address)

    @property
    def logs(self) -> Path:
        """Where the processes of the first write down what happens."""
        return Path(self._cluster.head_node.get_logs_dir_path())

    def restore(self) -> None:
        if self._second is None:
            self._second = self._cluster.add_node(**NODE)

    def remove_second(self) -> None:
        """Pull the plug."""
        self._cluster.remove_node(self._second, allow_graceful=False)
        self._second = None

    def close(self) -> None:
        self._cluster.shutdown()


@pytest.fixture(scope="session")
def two_machines() -> Iterator[TwoMachines]:
    with pytest.MonkeyPatch.context() as patch:
        paths = (str(ROOT), os.environ.get("PYTHONPATH", ""))
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
        patch.setenv("RAY_AUTH_MODE", "token")
        patch.setenv("RAY_AUTH_TOKEN", uuid.uuid4().hex)
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
        machines = TwoMachines()
        yield machines
        machines.close()
