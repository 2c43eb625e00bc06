"""The contract of every number: what it is called, how it was made, what it comes with and what it needs."""

from __future__ import annotations

import pytest
import sacrebleu

from redraft import __version__
from redraft.metrics import load_metric, metrics

SACREBLEU = f"case:mixed|eff:no|tok:13a|smooth:exp|sacrebleu:{sacrebleu.__version__}"
ROUGE = "case:lower|tok:rouge|stem:no"
BOTH = "references source"

# name, details, components, needs
METRICS = [
    ("em", "case:mixed", "", "references"),
    ("em_diff", "diff:difflib|noop:0", "", BOTH),
    ("em_diff_noop", "diff:difflib|noop:1", "", BOTH),
    ("sari", "order:4|level:corpus|avg:macro|del:f1|case:lower|tok:13a", "add keep delete", BOTH),
    ("bleu", SACREBLEU, "brevity", "references"),
    ("bleu:nmt", "smooth:none|len:shortest|case:mixed|tok:nltk3.7", "brevity", "references"),
    (
        "ibleu",
        "alpha:0.9|bleu:nmt|smooth:none|len:shortest|case:mixed|tok:nltk3.7",
        "references source",
        BOTH,
    ),
    ("ibleu_sacrebleu", f"alpha:0.9|{SACREBLEU}", "references source", BOTH),
    ("gleu", "order:4|draws:500|case:mixed|tok:nltk3.7", "", BOTH),
    ("gleu_mean", "order:4|multi:mean|case:mixed|tok:nltk3.7", "", BOTH),
    ("rouge1", f"{ROUGE}|multi:best", "precision recall", "references"),
    ("rouge2", f"{ROUGE}|multi:best", "precision recall", "references"),
    ("rougeL", f"{ROUGE}|multi:best", "precision recall", "references"),
    ("rougeLsum", f"{ROUGE}|multi:best", "precision recall", "references"),
    ("rouge1:stem", "case:lower|tok:rouge|stem:porter|multi:best", "precision recall", "references"),
    ("update_rouge1", f"{ROUGE}|multi:mean", "precision recall", BOTH),
    ("update_rouge2", f"{ROUGE}|multi:mean", "precision recall", BOTH),
    ("update_rougeL", f"{ROUGE}|multi:mean", "precision recall", BOTH),
    ("compression", "unit:characters", "words", "source"),
    ("edit_distance", "unit:words|tok:space", "share", "source"),
    ("reading_grade", "formula:flesch-kincaid", "change", "source"),
    ("split", "of:texts", "", "source"),
    ("deleted", "of:words|case:lower|moved:kept", "", "source"),
    ("replaced", "of:words|case:lower|moved:kept", "", "source"),
    ("added", "of:words|case:lower|moved:kept", "", "source"),
    ("copied", "of:texts", "", "source"),
    ("difficult_words", "above:B1", "change", "source"),
    ("adherence", "counting:default", "all_met", "calls source"),
    ("all_met", "counting:default", "adherence", "calls source"),
]


@pytest.mark.parametrize(("name", "details", "components", "needs"), METRICS)
def test_signature(name: str, details: str, components: str, needs: str) -> None:
    metric = load_metric(name)
    assert metric.name == name
    assert metric.signature == f"{name}|{details}|redraft:{__version__}"
    assert " ".join(metric.components) == components
    assert " ".join(sorted(metric.needs)) == needs


@pytest.mark.parametrize(
    ("name", "signature"),
    [
        ("gleu:space", "gleu|order:4|draws:500|case:mixed|tok:none"),
        ("adherence:constrev", "adherence|counting:constrev"),
        ("all_met:constrev", "all_met|counting:constrev"),
    ],
)
def test_an_argument_stands_in_the_signature(name: str, signature: str) -> None:
    metric = load_metric(name)
    assert metric.name == name
    assert metric.signature == f"{signature}|redraft:{__version__}"


def test_every_metric_is_covered() -> None:
    covered = {name.partition(":")[0] for name, *_ in METRICS}
    assert set(metrics()) - covered == {"similarity", "bertscore", "lens", "lens_salsa"}
