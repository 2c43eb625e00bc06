"""The data sets as their authors distribute them: small files in the same formats."""

from pathlib import Path

import pytest

from redraft.bench.benchmark import DataSet
from redraft.bench.editeval import EditEval
from redraft.errors import InputError


def load(path: Path) -> dict[str, DataSet]:
    with pytest.warns(UserWarning, match="samples, the paper's has"):
        return {dataset.name: dataset for dataset in EditEval().load(path)}


def write(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())


JFLEG = {
    "test.src": "He do n't like it . \nShe goed home , alone . \n",
    "test.ref0": "He does n't like it . \nShe went home , alone . \n",
    "test.ref1": "He doesn't like it . \nShe went home alone . \n",
    "test.ref2": "He dislikes it . \nShe went home by herself . \n",
    "test.ref3": "He does not like it . \n\n",
}


def test_jfleg_is_detokenised_and_numbered(tmp_path: Path) -> None:
    write(tmp_path / "jfleg" / "test", JFLEG)
    jfleg = load(tmp_path)["jfleg"]
    first, second = jfleg.samples
    assert first.id == "jfleg-test-0"
    assert first.input == "He don't like it."
    assert first.references[:2] == ("He doesn't like it.", "He doesn't like it.")
    assert second.input == "She goed home, alone."
    assert (jfleg.abbreviation, jfleg.task, len(jfleg.prompts)) == ("JFL", "fluency", 11)
    assert jfleg.metrics[:2] == ("sari", "gleu")


def test_a_blank_reference_is_dropped_and_the_others_stay(tmp_path: Path) -> None:
    write(tmp_path, JFLEG)
    assert [len(sample.references) for sample in load(tmp_path)["jfleg"].samples] == [4, 3]


def test_line_ends_and_byte_order_mark_make_no_difference(tmp_path: Path) -> None:
    write(tmp_path / "unix", JFLEG)
    write(tmp_path / "windows", {name: "\ufeff" + text.replace("\n", "\r\n") for name, text in JFLEG.items()})
    assert load(tmp_path / "unix") == load(tmp_path / "windows")


def test_a_line_separator_inside_a_text_ends_no_line(tmp_path: Path) -> None:
    write(tmp_path, {"asset.test.orig": "One\u2028half\x85more\n", "asset.test.simp.0": "One\n"})
    with pytest.warns(UserWarning, match="1 files of references beside it, where 10 belong"):
        (sample,) = load(tmp_path)["asset"].samples
    assert sample.input == "One\u2028half\x85more"


def test_one_file_names_its_companions(tmp_path: Path) -> None:
    write(tmp_path, JFLEG)
    assert len(load(tmp_path / "test.src")["jfleg"].samples) == 2


def test_references_that_are_not_parallel_are_an_error(tmp_path: Path) -> None:
    write(tmp_path, {**JFLEG, "test.ref2": "He dislikes it . \n"})
    with pytest.raises(InputError, match=r"test\.ref2 has 1 lines and test\.src 2"):
        EditEval().load(tmp_path)


def test_asset_is_left_as_it_is(tmp_path: Path) -> None:
    files = {f"asset.test.simp.{i}": f"It is short , {i} .\n" for i in range(10)}
    write(tmp_path, {"asset.test.orig": "It is concise , so .\n", **files})
    (sample,) = load(tmp_path)["asset"].samples
    assert sample.input == "It is concise , so ."
    assert sample.references == tuple(f"It is short , {i} ." for i in range(10))


def turk(text: str) -> dict[str, str]:
    refs = {f"test.8turkers.tok.turk.{i}": f"{text} {i} .\n" for i in range(8)}
    return {"test.8turkers.tok.norm": f"{text} ( once ) .\n", **refs}


def test_turk_is_read_from_the_folder_with_capitals(tmp_path: Path) -> None:
    write(tmp_path, turk("it fell"))
    write(tmp_path / "GEM", turk("It fell"))
    with pytest.warns(UserWarning, match=r"turk is read from .*GEM"):
        (sample,) = load(tmp_path)["turk"].samples
    assert sample.input == "It fell (once)."
    assert sample.references[7] == "It fell 7."


def test_turk_in_lower_case_is_told(tmp_path: Path) -> None:
    write(tmp_path, turk("it fell"))
    with pytest.warns(UserWarning, match="lower case"):
        load(tmp_path)


def test_turk_as_one_table(tmp_path: Path) -> None:
    row = "\t".join(["1", 'He said " no " .', *(f"He refused {i} ." for i in range(8))])
    write(tmp_path, {"test.8turkers.organized.tsv": f"{row}\n\n"})
    (sample,) = load(tmp_path)["turk"].samples
    assert sample.input == 'He said " no ".'
    assert len(sample.references) == 8


STS = (
    'main-news\tMSRpar\t2012test\t0024\t5.000\tHe said "no.\tHe said no.\n'
    "main-news\tMSRpar\t2012test\t0025\t4.800\tA dog runs.\tA dog is out.\n"
    "main-captions\tMSRvid\t2012test\t0026\t5.000\tA cat sits.\tA cat is sitting.\tfurther\tcolumns\n"
)


def test_sts_keeps_only_what_is_a_paraphrase_for_certain(tmp_path: Path) -> None:
    write(tmp_path, {"sts-test.csv": STS})
    samples = load(tmp_path)["stsb_multi_mt"].samples
    assert [(sample.id, sample.input, sample.references) for sample in samples] == [
        ("stsb_multi_mt-test-0", 'He said "no.', ("He said no.",)),
        ("stsb_multi_mt-test-1", "A cat sits.", ("A cat is sitting.",)),
    ]


def test_sts_in_english_from_the_multilingual_set(tmp_path: Path) -> None:
    text = 'A dog runs.,A dog is out.,4.8\r\n"One, two.",One and two.,5.0\r\n'
    write(tmp_path, {"stsb-en-test.csv": text, "stsb-de-test.csv": text})
    with pytest.warns(UserWarning, match=r"ignored: stsb-de-test\.csv"):
        (sample,) = load(tmp_path)["stsb_multi_mt"].samples
    assert sample.input == "One, two."


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (STS + "main-news\tMSRpar\n", r"sts-test\.csv, line 4: 2 columns between tabs, where 7 are needed"),
        (STS.replace("4.800", "high"), r'sts-test\.csv, line 2: "score" should be a number, not a string'),
    ],
)
def test_a_bad_row_is_named_by_file_and_line(tmp_path: Path, text: str, message: str) -> None:
    write(tmp_path, {"sts-test.csv": text})
    with pytest.raises(InputError, match=message):
        EditEval().load(tmp_path)


def test_wnc_takes_the_raw_texts_and_loses_opening_quotes_as_editeval_does(tmp_path: Path) -> None:
    text = (
        "318\tthe famous\tthe\tthe famous bridge fell .\tthe bridge fell .\tDET\tdet\n"
        '319\t" ether "\tx\t"ether" is the "best" song .\t"ether" is a song .\tX\tX\n'
    )
    write(tmp_path / "bias_data" / "WNC", {"biased.word.test": text, "biased.word.dev": text})
    with pytest.warns(UserWarning, match=r"ignored: .*biased\.word\.dev"):
        first, second = load(tmp_path)["wnc"].samples
    assert (first.id, first.input, first.references) == (
        "wnc-test-318",
        "the famous bridge fell .",
        ("the bridge fell .",),
    )
    assert second.input == 'ether is the "best" song .'


def test_two_samples_with_one_id_are_an_error(tmp_path: Path) -> None:
    write(tmp_path, {"biased.word.test": "1\ta\tb\tone\ttwo\n1\ta\tb\tthree\tfour\n"})
    with pytest.raises(InputError, match="two samples have the id wnc-test-1"):
        EditEval().load(tmp_path)


def test_a_file_that_is_not_utf8_is_named(tmp_path: Path) -> None:
    write(tmp_path, JFLEG)
    (tmp_path / "test.ref1").write_bytes("naïve\nnaïve\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"test\.ref1"):
        EditEval().load(tmp_path)
