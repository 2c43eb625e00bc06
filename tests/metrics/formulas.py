"""The published formulas, written down as plainly as they are stated: what the fast code must equal."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence

from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

Texts = Sequence[str]
Tokens = Sequence[str]


def grams(tokens: Tokens, n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def plain_sari(sources: Texts, predictions: Texts, references: Sequence[Texts]) -> tuple[float, ...]:
    """Corpus SARI with its add, keep and delete, as EASSE defines them (macro, F1 for deletion)."""
    tokenise = Tokenizer13a()
    totals = [[0] * 9 for _ in range(4)]
    for source, prediction, texts in zip(sources, predictions, references, strict=True):
        before, after, *wanted = (tokenise(text.lower()).split() for text in (source, prediction, *texts))
        for n in range(1, 5):
            old, new = grams(before, n), grams(after, n)
            pooled = Counter[tuple[str, ...]]()
            for tokens in wanted:
                pooled.update(grams(tokens, n))
            scaled_old = Counter({gram: count * len(texts) for gram, count in old.items()})
            scaled_new = Counter({gram: count * len(texts) for gram, count in new.items()})
            added, to_add = new.keys() - old.keys(), pooled.keys() - old.keys()
            kept, to_keep = scaled_old & scaled_new, scaled_old & pooled
            deleted, to_delete = scaled_old - scaled_new, scaled_old - pooled
            counts = [len(added & to_add), len(added), len(to_add)]
            for counter in (kept & to_keep, kept, to_keep, deleted & to_delete, deleted, to_delete):
                counts.append(sum(counter.values()))
            totals[n - 1] = [total + count for total, count in zip(totals[n - 1], counts, strict=True)]
    operations = [0.0, 0.0, 0.0]
    for row in totals:
        for operation in range(3):
            correct, done, wanted_count = row[3 * operation : 3 * operation + 3]
            precision = correct / done if done else 0.0
            recall = correct / wanted_count if wanted_count else 0.0
            if precision > 0 and recall > 0:
                operations[operation] += 2 * precision * recall / (precision + recall) / 4
    add, keep, delete = (100 * operation for operation in operations)
    return (add + keep + delete) / 3, add, keep, delete


def plain_gleu(
    sources: Sequence[Tokens], predictions: Sequence[Tokens], references: Sequence[Sequence[Tokens]]
) -> float:
    """Corpus GLEU as JFLEG's script defines it: 500 draws of a reference for each sentence."""
    many = len(references[0])
    draws = []
    for iteration in range(500):
        random.seed(iteration * 101)
        draws.append([random.randint(0, many - 1) for _ in predictions])
    sums = [[0] * 10 for _ in range(500)]
    for at, (source, prediction, texts) in enumerate(zip(sources, predictions, references, strict=True)):
        by_reference = [_gleu_counts(source, prediction, text) for text in texts]
        for iteration in range(500):
            counts = by_reference[draws[iteration][at]]
            sums[iteration] = [sum(pair) for pair in zip(sums[iteration], counts, strict=True)]
    return 100 * sum(map(_gleu_score, sums)) / 500


def _gleu_counts(source: Tokens, prediction: Tokens, reference: Tokens) -> list[int]:
    counts = [len(prediction), len(reference)]
    for n in range(1, 5):
        before, after, wanted = grams(source, n), grams(prediction, n), grams(reference, n)
        stale = Counter({gram: count for gram, count in before.items() if gram not in wanted})
        hits = sum((after & wanted).values()) - sum((after & stale).values())
        counts += [max(hits, 0), max(len(prediction) + 1 - n, 0)]
    return counts


def _gleu_score(sums: list[int]) -> float:
    if 0 in sums:
        return 0.0
    logs = sum(math.log(hits / total) for hits, total in zip(sums[2::2], sums[3::2], strict=True)) / 4
    return math.exp(min(0, 1 - sums[1] / sums[0]) + logs)


def plain_bleu(predictions: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> float:
    """Corpus BLEU of the NMT tutorial, which EditEval's iBLEU rests on."""
    hits, totals = [0] * 4, [0] * 4
    length = wanted_length = 0
    for prediction, texts in zip(predictions, references, strict=True):
        length += len(prediction)
        wanted_length += min(map(len, texts))
        for n in range(1, 5):
            clip = Counter[tuple[str, ...]]()
            for text in texts:
                clip |= grams(text, n)
            hits[n - 1] += sum((grams(prediction, n) & clip).values())
            totals[n - 1] += max(len(prediction) - n + 1, 0)
    if not all(hits):
        return 0.0
    mean = math.exp(sum(math.log(hit / total) for hit, total in zip(hits, totals, strict=True)) / 4)
    return 100 * mean * (1 if length > wanted_length else math.exp(1 - wanted_length / length))
