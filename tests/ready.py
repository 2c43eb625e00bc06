"""What `tests.process` has ready before it forks: the commands, imported, and the grammar checker, made."""

import sacrebleu  # noqa: F401

import redraft.cli.bench.run
import redraft.cli.judge
import redraft.cli.write.revise
import redraft.cli.write.simplify
import redraft.models.service  # noqa: F401
from redraft.quality import grammar_findings

grammar_findings("It is ready.")
