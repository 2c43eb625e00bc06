"""What the paper states: data sets, prompts, results; and what is done to texts before they are scored."""

from pathlib import Path
from statistics import fmean

import pytest

from redraft.bench.benchmark import Benchmark, Sample
from redraft.bench.editeval import EditEval, overall
from redraft.bench.editeval.facts import facts, prompts
from redraft.bench.editeval.updating import normalise_spaces, without_citations, without_wikitext

PUBLIC = tuple(facts())[:8]


def test_it_is_a_benchmark() -> None:
    benchmark: Benchmark = EditEval()
    assert benchmark.name == "editeval"


def test_the_data_sets_of_table_1() -> None:
    assert {fact.abbreviation: fact.size for fact in facts().values()} == {
        "JFL": 747, "ITR-F": 88, "ITR-L": 185, "ITR-O": 35, "STS": 97,
        "TRK": 359, "AST": 359, "WNC": 1000, "FRU": 914, "WFI": 4565,
    }  # fmt: skip
    assert all(fact.metrics[0] == "sari" and len(set(fact.metrics)) >= 12 for fact in facts().values())
    told = [name for name, fact in facts().items() if "deleted" in fact.metrics]
    assert told == [name for name, fact in facts().items() if fact.task == "simplification"]
    assert facts()["wnc"].metrics[1] == "em"


def test_the_prompts_of_appendix_b() -> None:
    counts = {task: len(instructions) for task, instructions in prompts().items()}
    assert counts == {
        "fluency": 11, "clarity": 9, "coherence": 10, "neutralization": 9,
        "paraphrasing": 9, "simplification": 10, "updating": 3,
    }  # fmt: skip
    assert {fact.task for fact in facts().values()} == set(counts)
    assert prompts()["paraphrasing"][2] == "Paraphrase this paragraph."


@pytest.mark.parametrize(
    ("system", "mean"),
    [("Copy", 27.5), ("T0++", 32.4), ("GPT-3", 33.2), ("PEER-11", 39.7), ("InstructGPT", 42.0)],
)
def test_mean_sari_over_the_eight_public_sets(system: str, mean: float) -> None:
    scores = EditEval().published()[system]
    assert fmean(scores[name]["sari"] for name in PUBLIC) == pytest.approx(mean, abs=0.051)


def test_every_published_mean_lies_between_its_minimum_and_maximum() -> None:
    low, mean, high = (EditEval().published(over) for over in ("min", "mean", "max"))
    assert set(low) == set(high) == set(overall()) == set(mean) - {"Copy", "SotA"}
    for system in low:
        assert set(low[system]) == set(high[system]) == set(mean[system]) == set(facts())
        for name, scores in mean[system].items():
            assert tuple(scores) == facts()[name].metrics[: len(scores)]
            for metric, value in scores.items():
                assert low[system][name][metric] <= value <= high[system][name][metric]


def test_published_rows_by_hand() -> None:
    mean, low, high = (EditEval().published(over) for over in ("mean", "min", "max"))
    assert mean["SotA"]["jfleg"] == {"gleu": 62.4}
    assert mean["SotA"]["stsb_multi_mt"] == mean["SotA"]["wafer_insert"] == {}
    assert mean["SotA"]["fruit"] == {"update_rouge1": 47.4}
    assert mean["Copy"]["wafer_insert"] == {"sari": 33.6}
    assert mean["InstructGPT"]["wnc"] == {"sari": 35.4, "em": 2.2}
    assert low["PEER-3"]["iterater_fluency"] == {"sari": 45.4, "gleu": 77.2}
    assert low["Tk"]["iterater_coherence"] == {"sari": 32.2, "gleu": 63.4}
    assert low["OPT"]["iterater_clarity"] == {"sari": 27.8, "gleu": 22.1}
    assert high["GPT-3"]["iterater_clarity"] == {"sari": 35.6, "gleu": 45.8}
    assert high["InstructGPT"]["wafer_insert"] == {"sari": 26.0, "update_rouge1": 17.3}
    assert overall()["GPT-3"] == {"mean": 32.8, "max": 35.8, "min": 29.4, "cv": 6.74}


@pytest.mark.parametrize(
    ("tokens", "text"),
    [
        (
            "He does n't , I 'd say , mind ; it 's 5 % ( or so ) .",
            "He doesn't, I'd say, mind; it's 5% (or so).",
        ),
        ("They can not . They wo n't .", "They cannot . They won't."),
        ('He said , " no . "', 'He said, " no . "'),
        ("`` Yes , '' he said .", '"Yes," he said.'),
        ("the ' odd ' one , O ' Neil", "the' odd' one, O' Neil"),
        ("costs $ 5 -- or # 3 ? !", "costs $5--or #3?!"),
        ("ends here .  ", "ends here."),
        ("", ""),
    ],
)
def test_tokens_are_put_together_by_the_rules_of_2022(tokens: str, text: str) -> None:
    assert EditEval().normalise(tokens) == text


def an_update(dataset: str, documents: int) -> Sample:
    return Sample("1", dataset, "updating", "", ("",), ("text",) * documents)


def test_a_text_is_normalised_by_its_task() -> None:
    benchmark = EditEval()
    fluency = Sample("1", "jfleg", "fluency", "", ("",))
    assert benchmark.normalise("It is [0] so .") == "It is [0] so."
    assert benchmark.normalise("It is [0] so .", fluency) == "It is [0] so."
    assert benchmark.normalise("It  is so. [0] [2]\n", an_update("fruit", 3)) == "It is so."


def test_only_the_marks_of_documents_are_removed() -> None:
    assert without_citations("Won in (2021). [0] (1) [2] Then [3].", 2) == "Won in (2021). [2] Then [3]."
    assert without_citations("Won. [0]", 0) == "Won. [0]"


def test_wiki_markup_is_removed_from_fruit_alone() -> None:
    text = "== Life ==\nThe '''[[Ghent|city]]''' of ''[[Ghent]]''.[[Category:Cities]]"
    assert without_wikitext(text) == "The city of Ghent."
    assert EditEval().normalise(text, an_update("fruit", 0)) == "The city of Ghent."
    assert EditEval().normalise("== Life ==\nGhent.", an_update("wafer_insert", 0)) == "== Life == Ghent."


def test_texts_that_look_alike_become_one() -> None:
    assert normalise_spaces(" A\u00a0ﬁne \n day , isn 't it ? ") == "A fine day, isn 't it?"
    assert normalise_spaces("It 's so .") == "It's so."


def test_a_whole_data_set_is_loaded_without_a_warning(tmp_path: Path) -> None:
    line = '{{"id": "{}", "input": "a", "references": ["b"]}}\n'
    text = "".join(line.format(number) for number in range(35))
    (tmp_path / "iterater_coherence.jsonl").write_text(text, encoding="utf-8")
    (dataset,) = EditEval().load(tmp_path)
    assert len(dataset.samples) == 35
