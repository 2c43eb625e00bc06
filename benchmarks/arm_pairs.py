"""Preference pairs for the arms of a plan, all from one pool of the editor's answers, by several judges.

    python benchmarks/arm_pairs.py draw --sentences FILE --first 0 --count 2300 --out DIR
    python benchmarks/arm_pairs.py rubric --out DIR --processes 4 --seconds 400

`draw` writes DIR/POLICY-JUDGE/train.jsonl for the judges agreement, metric (difficult words for `lexical`,
reading grade for `rewrite`) and judge (the trained one), and DIR/POLICY-candidates.jsonl; `rubric` has the
rubric judge these, as many as there is time for, and writes its pairs when it ends.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import time
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from redraft.metrics import Sample, load_metric, sample_scores
from redraft.models import Models
from redraft.settings import load_settings
from redraft.simplification import Policy, load_policy, open_judge, plain
from redraft.text import write_text
from redraft.train.rounds import NEVER, Choosing, Drawn, Features, choose_pairs, features

WAYS = {"lexical": ("words", "told"), "rewrite": ("whole", "told")}
METRICS = {"lexical": "difficult_words", "rewrite": "reading_grade"}
KEPT = {"lexical": 30.0, "rewrite": 0.0}
DRAWS, HEAT = 3, 0.9
"""Of each way, beside the likeliest."""
JUDGED = 5
"""Candidates of a sentence that the rubric is asked about."""


def known(drawn: Drawn, policy: Policy) -> tuple[list[Features], list[float]]:
    """What is known of candidates, and the points of the metric."""
    samples = [Sample(drawn.source, text) for text in drawn.texts]
    return features(drawn, policy), [
        -float(one) for one in sample_scores(load_metric(METRICS[policy.name]), samples)
    ]


def draw(given: argparse.Namespace) -> None:
    """Draw candidates, and write the pairs of the judges that are quick."""
    from batched import Writer, base_file  # noqa: PLC0415 - torch
    from rounds import Drawer  # noqa: PLC0415 - torch

    sentences = given.sentences.read_text(encoding="utf-8").splitlines()
    random.Random(1).shuffle(sentences)
    sentences = sentences[given.first : given.first + given.count]
    writer = Writer(base_file(), rows=given.rows, slots=256)
    with multiprocessing.get_context("spawn").Pool(given.processes) as pool:
        for name in given.policies:
            began = time.monotonic()
            policy = load_policy(name)
            from redraft.cli.train.models import start_of  # noqa: PLC0415 - only here

            drawer = Drawer(writer, policy)
            ways = [(way, heat) for way in WAYS[name] for heat in (0.0, *[HEAT] * DRAWS)]
            drawn = [
                one
                for one in drawer.draw(start_of("editor", None, 32), sentences, ways, 7)
                if len(one.texts) > 1
            ]
            lines = (json.dumps(asdict(one), ensure_ascii=False) for one in drawn)
            write_text(given.out / f"{name}-candidates.jsonl", "\n".join(lines) + "\n")
            working = pool.map_async(partial(known, policy=policy), drawn, chunksize=25)
            sure = drawer.sure([(one.source, text) for one in drawn for text in one.texts])
            found = working.get()
            by = Choosing(kept=KEPT[name])
            off = [[NEVER * (not each.permitted) for each in own] for own, _ in found]
            agreed = [[each.points(by) for each in own] for own, _ in found]
            metric = [less(points, own) for (_, points), own in zip(found, off, strict=True)]
            judged = [
                less([100 * sure[one.source, text] for text in one.texts], own)
                for one, own in zip(drawn, off, strict=True)
            ]
            write_pairs(given.out / f"{name}-agreement", drawn, agreed, policy, by.name)
            # A metric, and the judge, would have a source left as it is: of what differs they choose.
            write_pairs(
                given.out / f"{name}-metric", *changed(drawn, metric), policy, f"metric:{METRICS[name]}"
            )
            write_pairs(given.out / f"{name}-judge", *changed(drawn, judged), policy, "judge.gguf")
            print(f"{name}: {len(drawn)} sentences, {time.monotonic() - began:.0f} s", flush=True)


def less(points: Sequence[float], off: Sequence[float]) -> list[float]:
    """The points less others."""
    return [one - other for one, other in zip(points, off, strict=True)]


def changed(
    drawn: Sequence[Drawn], points: Sequence[Sequence[float]]
) -> tuple[list[Drawn], list[list[float]]]:
    """The candidates that are not their source, where there are two, with their points."""
    found = []
    for one, given in zip(drawn, points, strict=True):
        left = [each for each in zip(one.texts, given, strict=True) if plain(each[0]) != plain(one.source)]
        if len(left) > 1:
            found.append((Drawn(one.source, tuple(text for text, _ in left)), [each for _, each in left]))
    return [one for one, _ in found], [own for _, own in found]


def write_pairs(
    out: Path, drawn: Sequence[Drawn], points: Sequence[Sequence[float]], policy: Policy, judge: str
) -> None:
    """A build of pairs."""
    pairs = choose_pairs(drawn, points, policy, Choosing(), judge)
    out.mkdir(parents=True, exist_ok=True)
    write_text(out / "train.jsonl", "".join(json.dumps(pair, ensure_ascii=False) + "\n" for pair in pairs))
    print(f"{out.name}: {len(pairs)} pairs", flush=True)


def rubric(given: argparse.Namespace) -> None:
    """Have the rubric judge candidates until the time is up."""
    ends = time.time() + given.seconds
    for number, name in enumerate(given.policies):
        lines = (given.out / f"{name}-candidates.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        drawn = [Drawn(row["source"], tuple(row["texts"][:JUDGED])) for row in rows]
        stop = time.time() + (ends - time.time()) / (len(given.policies) - number)
        shares = [(name, drawn[start :: given.processes], stop) for start in range(given.processes)]
        with multiprocessing.get_context("spawn").Pool(given.processes) as pool:
            found = [pair for some in pool.map(judge_some, shares, chunksize=1) for pair in some]
        points = [given for _, given in found]
        write_pairs(
            given.out / f"{name}-rubric", [one for one, _ in found], points, load_policy(name), "rubric"
        )


def judge_some(share: tuple[str, Sequence[Drawn], float]) -> list[tuple[Drawn, tuple[float, ...]]]:
    """What the rubric gives the candidates of each sentence, as far as there is time."""
    return asyncio.run(_judge_some(*share))


async def _judge_some(
    name: str, drawn: Sequence[Drawn], ends: float
) -> list[tuple[Drawn, tuple[float, ...]]]:
    policy, found = load_policy(name), []
    async with Models(load_settings()) as models:
        judge = open_judge("rubric", models)
        for one in drawn:
            if time.time() > ends:
                break
            judged = await judge.judge(one.source, one.texts, policy)
            if (verdict := judged.verdicts.get(policy.decides)) and len(verdict.points) == len(one.texts):
                found.append((one, verdict.points))
    return found


def main() -> None:
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("draw", "rubric"))
    parser.add_argument("--sentences", type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=2300)
    parser.add_argument("--rows", type=int, default=512, help="that are written at once")
    parser.add_argument("--policies", nargs="+", default=["lexical", "rewrite"])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=1e9)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    (draw if given.what == "draw" else rubric)(given)


if __name__ == "__main__":
    main()
