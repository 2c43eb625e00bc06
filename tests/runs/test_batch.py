"""Batches stand on their own: they know no benchmark."""

from __future__ import annotations

import subprocess
import sys


def test_a_batch_loads_no_benchmark() -> None:
    code = (
        "import sys; import redraft.cli.write.texts; import redraft.runs as runs;"
        "[getattr(runs, name) for name in dir(runs)];"
        "sys.exit(any(name.startswith('redraft.bench') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
