"""From a name such as `rubric`, `metric:lens_salsa` or a model's spec to a judge."""

from __future__ import annotations

import difflib
from typing import Final

from redraft.errors import InputError
from redraft.models import Models
from redraft.simplification.judging.alignment import Aligner
from redraft.simplification.judging.metric import AgreementJudge, MetricJudge, check_metric
from redraft.simplification.judging.model import ModelJudge
from redraft.simplification.judging.parsers import check_parser, open_parser
from redraft.simplification.judging.rubric import RubricJudge
from redraft.simplification.verdicts import Judge

RUBRIC: Final = "rubric"
AGREEMENT: Final = "agreement"
METRIC: Final = "metric:"
VALID: Final = "rubric · agreement · metric:NAME · a model, such as openai:MODEL or http://HOST:PORT/v1#MODEL"


def check_judge(spec: str) -> None:
    """InputError where no judge can have that name; whether a model is there, its first question tells."""
    if spec.startswith(METRIC):
        check_metric(spec.removeprefix(METRIC))
        return
    if spec in (RUBRIC, AGREEMENT):
        return
    scheme, colon, _ = spec.partition(":")
    close = difflib.get_close_matches(spec, [RUBRIC, AGREEMENT, "metric"], n=1, cutoff=0.7)
    if close or not spec.strip() or (not colon and scheme not in ("embedded", "torch")):
        hint = (
            "" if not close else f'did you mean "{METRIC + "NAME" if close[0] == "metric" else close[0]}"? '
        )
        raise InputError(f'there is no judge "{spec}"; {hint}valid are: {VALID}')


def open_judge(
    spec: str,
    models: Models,
    *,
    thinking: bool | None = None,
    rounds: int = 1,
    seed: int = 0,
    parser: str = "shallow",
) -> Judge:
    """The judge of a spec. Thinking, rounds and seed are for models: the others say the same every time."""
    check_judge(spec)
    check_parser(parser)
    if rounds < 1:
        raise InputError(f"{rounds} rounds are none: at least 1")
    if spec.startswith(METRIC):
        return MetricJudge(spec.removeprefix(METRIC), models)
    if spec == AGREEMENT:
        return AgreementJudge()
    if spec == RUBRIC:
        return RubricJudge(models.scorer(), models.embedder(), open_parser(parser, models))
    return ModelJudge(
        models.open(spec, role="judge"),
        Aligner(models.embedder()),
        open_parser(parser, models),
        thinking=thinking,
        rounds=rounds,
        seed=seed,
    )
