"""What `tests.process` has ready before it forks: the commands, imported, and the grammar checker, made."""

import sacrebleu  # noqa: F401

import redraft.cli.bench_run
import redraft.cli.judge
import redraft.cli.revise
import redraft.cli.simplify
import redraft.models.service  # noqa: F401
from redraft.quality import grammar_findings

grammar_findings("It is ready.")
