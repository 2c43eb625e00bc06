"""The HTTP API, asked by a client over a real socket."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from redraft.text import read_docx
from redraft.workspace import Limits
from tests.models.scripted import ScriptedServer, fail, hang, say
from tests.text.docx_files import accepted, make_docx, paragraph, rejected, run
from tests.web.serving import Serving, eventually, serving, settings_in, working

SPELLING = {"text": "The colour of the centre is grey.", "instruction": "American spelling."}
"""A revision that no model is asked about."""


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """A server whose model says the same to everything."""
    with ScriptedServer() as service:
        service.answers = [say("It is red and used.")]
        settings = settings_in(tmp_path_factory.mktemp("api"), model=f"{service.url}#tiny")
        with serving(settings) as started, working(settings):
            yield started


def ok(answer: Any) -> Any:
    assert answer.is_success, answer.text
    return answer.json()


def test_an_instruction_is_read(api: Serving) -> None:
    instruction = "Under 90 words, make it friendlier, and add a joke."
    found = ok(api.post("/v1/parse", {"instruction": instruction, "model": "embedded"}))
    (constraint,) = found["constraints"]
    assert constraint["call"] == 'word_count_check(90, "less than")'
    assert constraint["kind"] == "word_count_check"
    assert "90 words" in constraint["says"]
    assert found["wishes"] == ["make it friendlier"]
    assert [one["words"] for one in found["not_understood"]] == ["add a joke"]


def test_every_kind_is_listed_with_what_a_menu_needs(api: Serving) -> None:
    kinds = {one["kind"]: one for one in ok(api.client.get("/v1/kinds"))}
    count = kinds["word_count_check"]
    assert count["arguments"][0] == {"name": "count", "type": "int"}
    assert "less than" in count["arguments"][1]["choices"]
    named = kinds["sentence_modification_check"]["arguments"][0]
    assert named == {"name": "sentences", "type": "list[int]"}
    for one in kinds.values():
        assert one["summary"]
        assert one["example"] is None or one["example"].startswith(one["kind"])


def test_a_text_is_checked_and_its_places_are_told(api: Serving) -> None:
    found = ok(api.post("/v1/check", {"text": "Synergy is back.", "instruction": "Never say 'synergy'."}))
    assert found["met"] is False
    assert found["findings"][0]["spans"] == [{"start": 0, "end": 7}]
    assert found["infeasible"] == []


def test_what_cannot_be_checked_is_a_problem(api: Serving) -> None:
    for body, status, words in (
        ({"text": "A text."}, 422, "nothing to check"),
        ({"text": "A text.", "calls": ["word_count_check(3"]}, 422, "word_count_check"),
        ({"text": 3}, 422, "body.text"),
        ({"text": "A text.", "wibble": 1}, 422, "wibble"),
        ({"text": "A.", "calls": ['sentence_modification_check([1], "unchange")']}, 422, "original"),
    ):
        answer = api.post("/v1/check", body)
        assert answer.status_code == status
        assert answer.headers["content-type"] == "application/problem+json"
        assert words in answer.json()["detail"]
    assert api.client.get("/v1/nothing").json()["status"] == 404
    assert api.client.put("/v1/check").json()["status"] == 405


def test_conflicts_are_told_before_anything_runs(api: Serving) -> None:
    body = {"text": "One two. Three four five.", "instruction": "Under 3 words.", "locked": [1, 2]}
    (conflict,) = ok(api.post("/v1/conflicts", body))["infeasible"]
    assert "must stay" in conflict["reason"]


def test_sentences_are_numbered(api: Serving) -> None:
    found = ok(api.post("/v1/sentences", {"text": "One. Two, e.g. this.\n\nThree."}))
    assert [(one["number"], one["paragraph"], one["words"]) for one in found] == [
        (1, 1, 1),
        (2, 1, 3),
        (3, 2, 1),
    ]


def test_texts_are_compared(api: Serving) -> None:
    before, after = "It is big. It is red.", "It is large. It is red. It sings."
    passages = ok(api.post("/v1/compare", {"before": before, "after": after}))["passages"]
    assert "".join(one["before"] for one in passages) == before
    assert "".join(one["after"] for one in passages) == after
    assert [one["same"] for one in passages] == [False, True, False]
    assert {"op": "cut", "text": "big"} in passages[0]["words"]


def test_texts_are_scored(api: Serving) -> None:
    body = {"metrics": ["em"], "predictions": ["a", "b"], "references": [["a"], ["c"]]}
    assert ok(api.post("/v1/score", body))["em"]["score"] == 50.0
    assert api.post("/v1/score", {**body, "metrics": ["nothing"]}).status_code == 422


def test_a_revision_is_waited_for(api: Serving) -> None:
    answer = api.post("/v1/revise", SPELLING)
    assert ok(answer)["text"] == "The color of the center is gray."
    job = ok(api.client.get(f"/v1/jobs/{answer.headers['x-job']}"))
    assert job["state"] == "done"
    assert job["result"] == answer.json()
    assert job["created"] <= job["started"] <= job["ended"]


def test_a_revision_is_listened_to_and_heard_again(api: Serving) -> None:
    heard = api.events("/v1/revise", SPELLING)
    assert [kind for _, kind, _ in heard] == ["state", "state", "understood", "sentence", "result", "state"]
    assert [data["state"] for _, kind, data in heard if kind == "state"] == ["queued", "running", "done"]
    assert heard[2][2]["constraints"][0]["call"] == 'spelling_check("american")'
    assert (heard[3][2]["number"], heard[3][2]["after"]) == (1, "The color of the center is gray.")
    job = ok(api.client.get("/v1/jobs", params={"limit": 1}))["jobs"][0]["id"]
    again = api.events(f"/v1/jobs/{job}/events", **{"Last-Event-ID": heard[2][0]})
    assert again == heard[3:]
    after_all = api.client.get(f"/v1/jobs/{job}/events", headers={"Last-Event-ID": heard[-1][0]})
    assert after_all.status_code == 204


def test_locked_sentences_stay(api: Serving) -> None:
    body = {**SPELLING, "text": "The colour is grey. The centre is far.", "locked": [2]}
    found = ok(api.post("/v1/revise", body))
    assert found["text"].endswith("The centre is far.")


def test_a_request_that_cannot_be_done_is_refused_at_once(api: Serving) -> None:
    for body, words in (
        ({**SPELLING, "calls": ["nonsense"]}, "nonsense"),
        ({**SPELLING, "model": "http://evil.example/v1#m"}, "was not started with"),
        ({**SPELLING, "model": "hf:/etc"}, "was not started with"),
        ({**SPELLING, "model": "openai:gpt-5"}, "was not started with"),
        ({**SPELLING, "document": "none"}, "document"),
    ):
        answer = api.client.post("/v1/revise", params={"wait": False}, json=body)
        assert answer.status_code in (404, 422)
        assert words in answer.json()["detail"]
    assert api.post("/v1/simplify", {"text": "A text.", "policy": "/etc/passwd"}).status_code == 422


def test_a_job_that_fails_ends_as_a_problem_and_the_worker_goes_on(api: Serving) -> None:
    answer = api.post("/v1/revise", {"text": "...", "instruction": "American spelling."})
    assert answer.status_code == 422
    assert "no words" in answer.json()["detail"]
    assert ok(api.client.get(f"/v1/jobs/{answer.headers['x-job']}"))["state"] == "failed"
    assert ok(api.post("/v1/revise", SPELLING))["met"]


def test_what_was_not_understood_is_not_called_met(api: Serving) -> None:
    body = {"text": "A colour.", "instruction": "Bitte nicht so formal.", "model": "embedded"}
    found = ok(api.post("/v1/revise", {**body, "strategy": "repair"}))
    assert (found["met"], found["in_vain"]) == (False, True)
    assert found["not_understood"]


def test_the_same_key_gives_the_same_job(api: Serving) -> None:
    jobs = {
        api.client.post("/v1/revise", json=SPELLING, headers={"Idempotency-Key": "k"}).headers["x-job"]
        for _ in range(2)
    }
    assert len(jobs) == 1
    other = api.client.post("/v1/revise", json={**SPELLING, "seed": 2}, headers={"Idempotency-Key": "k"})
    assert other.status_code == 422


def test_documents_are_kept_with_their_history(api: Serving) -> None:
    made = api.post("/v1/documents", {"text": "A colour.", "instruction": "American spelling."})
    document = ok(made)
    assert made.status_code == 201
    assert (document["version"], document["title"], made.headers["etag"]) == (1, "A colour.", '"1"')
    where = f"/v1/documents/{document['id']}"
    change = {"text": "A color.", "locked": [1], "state": {"view": "inline"}, "note": "accepted"}
    assert api.client.put(where, json=change).status_code == 428
    changed = ok(api.client.put(where, json=change, headers={"If-Match": '"1"'}))
    assert (changed["version"], changed["original"], changed["text"]) == (2, "A colour.", "A color.")
    stale = api.client.put(where, json={"text": "Mine."}, headers={"If-Match": '"1"'})
    assert stale.status_code == 412
    assert stale.json()["current"] == changed
    history = ok(api.client.get(f"{where}/history"))["versions"]
    assert [(one["version"], one["note"]) for one in history] == [(2, "accepted"), (1, "opened")]
    assert ok(api.client.get(f"{where}/history/1"))["text"] == "A colour."
    assert document["id"] in [one["id"] for one in ok(api.client.get("/v1/documents"))["documents"]]
    assert api.client.delete(where).status_code == 204
    assert api.client.get(where).status_code == 404


def test_pages_of_a_list_follow_one_another(api: Serving) -> None:
    made = [ok(api.post("/v1/documents", {"text": f"Text {number}."}))["id"] for number in range(3)]
    seen: list[str] = []
    after: dict[str, str] = {}
    while True:
        page = ok(api.client.get("/v1/documents", params={"limit": 1, **after}))
        seen += [one["id"] for one in page["documents"]]
        if page["next"] is None:
            break
        after = {"after": page["next"]}
    assert seen[:3] == made[::-1]
    assert len(set(seen)) == len(seen)


def test_two_pages_on_one_document_see_each_other(api: Serving) -> None:
    document = ok(api.post("/v1/documents", {"text": SPELLING["text"]}))
    where = f"/v1/documents/{document['id']}"
    heard: list[tuple[str, Any]] = []
    with api.client.stream("GET", f"{where}/events") as answer:
        lines = iter(answer.iter_lines())

        def hear(kind: str) -> Any:
            while True:
                line = next(lines)
                if line.startswith("event: "):
                    heard.append((line.removeprefix("event: "), next(lines)))
                    if heard[-1][0] == kind:
                        return heard[-1][1]

        assert '"version": 1' in hear("document")
        api.client.put(where, json={"text": "B."}, headers={"If-Match": '"1"'})
        assert '"version": 2' in hear("document")
        ok(api.post("/v1/revise", {**SPELLING, "document": document["id"]}))
        while '"done"' not in hear("job"):
            pass
        api.client.delete(where)
        hear("deleted")
    assert api.client.get(f"{where}/events").status_code == 404


def test_the_state_of_a_page_is_limited(api: Serving) -> None:
    document = ok(api.post("/v1/documents", {"text": "A."}))
    too_much = json.dumps({"state": {"x": "y" * 1_100_000}})
    for body in (too_much, '{"state": {"a": "\\ud83d"}}', '{"state": {"a": NaN}}'):
        headers = {"If-Match": '"1"', "Content-Type": "application/json"}
        answer = api.client.put(f"/v1/documents/{document['id']}", content=body, headers=headers)
        assert answer.status_code in (413, 422)
    assert ok(api.client.get(f"/v1/documents/{document['id']}"))["version"] == 1


HOSTILE = '<script>alert(1)</script> & "quotes". The colour is grey.'


def test_a_document_is_taken_away(api: Serving) -> None:
    body = {
        "title": "<b>My/../text</b>",
        "text": HOSTILE,
        "instruction": "American spelling. Be <i>bold</i>.",
    }
    where = f"/v1/documents/{ok(api.post('/v1/documents', body))['id']}"
    text = HOSTILE.replace("colour", "color")
    ok(api.client.put(where, json={"text": text}, headers={"If-Match": '"1"'}))
    plain = api.client.get(f"{where}/export", params={"as": "text"})
    assert plain.text == text
    assert plain.headers["content-disposition"].startswith("attachment; filename*=UTF-8''b-My")
    pages = [api.client.get(f"{where}/export", params={"as": wanted}) for wanted in ("diff", "certificate")]
    for page in pages:
        assert "<script" not in page.text
        assert "<b>" not in page.text
        assert "&lt;script&gt;" in page.text
    assert "<del>colour</del><ins>color</ins>" in pages[0].text
    assert "NOT met" in pages[1].text
    assert "Use American spelling." in pages[1].text
    assert "unsafe" not in pages[1].headers["content-security-policy"]
    assert api.client.get(f"{where}/export", params={"as": "exe"}).status_code == 422


def test_a_certificate_is_of_what_was_asked_for_last(api: Serving) -> None:
    document = ok(api.post("/v1/documents", {"text": SPELLING["text"], "instruction": "Under 3 words."}))
    ok(api.post("/v1/revise", {**SPELLING, "document": document["id"]}))
    page = api.client.get(f"/v1/documents/{document['id']}/export", params={"as": "certificate"}).text
    assert "American spelling" in page
    assert "3 words" not in page


def test_a_file_is_opened(api: Serving) -> None:
    for name, data, format, title in (
        ("a.md", "# Ä\r\n\r\nText.".encode(), "markdown", "a"),
        ("C:\\b.tex", b"Text.", "latex", "b"),
        ("../c", "\ufeffText.".encode(), "text", "c"),
    ):
        found = ok(api.client.post("/v1/files", files={"file": (name, data)}))
        assert (found["format"], found["title"]) == (format, title)
        assert found["text"].endswith("Text.")
        assert "\r" not in found["text"]
    for data in (b"\x89PNG\r\n\x1a\n\0\0", b"\0\1\2", "é".encode("latin-1")):
        answer = api.client.post("/v1/files", files={"file": ("x", data)})
        assert answer.status_code == 422
    assert api.client.post("/v1/files").status_code == 422


def test_a_word_document_keeps_its_formatting_and_its_changes_are_tracked(api: Serving) -> None:
    data = make_docx(paragraph("The ", run("colour", "b"), " is grey."))
    opened = ok(api.client.post("/v1/files", files={"file": ("Letter.docx", data)}))
    assert (opened["title"], opened["format"]) == ("Letter", "markdown")
    document = ok(api.post("/v1/documents", {name: opened[name] for name in ("text", "format", "file")}))
    where = f"/v1/documents/{document['id']}"
    text = opened["text"].replace("grey", "gray")
    ok(api.client.put(where, json={"text": text}, headers={"If-Match": '"1"'}))
    written = api.client.get(f"{where}/export", params={"as": "docx"}).content
    assert read_docx(accepted(written)).text == text
    assert read_docx(rejected(written)).text == opened["text"]
    assert api.client.delete(where).status_code == 204
    plain = ok(api.post("/v1/documents", {"text": "Typed."}))
    answer = api.client.get(f"/v1/documents/{plain['id']}/export", params={"as": "docx"})
    assert answer.status_code == 422
    bad = api.client.post("/v1/files", files={"file": ("x.docx", b"PK\x03\x04 nothing")})
    assert bad.status_code == 422


def test_a_sentence_has_alternatives(api: Serving) -> None:
    body = {"text": "It is utilised by many people. It is red.", "number": 1, "advice": "shorter", "n": 2}
    found = ok(api.post("/v1/alternatives", body))["alternatives"]
    assert len(found) <= 2
    assert all({"text", "by", "why", "sound", "same", "met"} <= one.keys() for one in found)
    assert api.post("/v1/alternatives", {**body, "number": 9}).status_code == 422


def test_a_text_is_simplified_and_scored(api: Serving) -> None:
    found = ok(api.post("/v1/simplify", {"text": "They will commence the utilisation soon."}))
    assert found["sentences"][0]["source"] == "They will commence the utilisation soon."
    scores = ok(api.post("/v1/quality", {"text": "It is red.", "original": "It is blue."}))
    assert {"perplexity", "grammar", "original"} <= scores.keys()


def test_an_own_policy_is_read_and_told_off(api: Serving) -> None:
    (policy, *_) = ok(api.client.get("/v1/policies"))
    assert policy["text"]
    own = json.dumps({**policy["fields"], "name": "mine", "operations": ["keep", "replace"]})
    assert ok(api.post("/v1/simplify", {"text": "They commence.", "own_policy": own}))["policy"] == "mine"
    answer = api.post("/v1/simplify", {"text": "A text.", "own_policy": "name: 3"})
    assert answer.status_code == 422
    assert "policy cannot be used" in answer.json()["detail"]


def test_models_are_listed_and_asked(api: Serving) -> None:
    found = ok(api.client.get("/v1/models"))
    assert found["roles"][0]["role"] == "model"
    assert {one["name"] for one in found["larger"]} >= {"qwen-1.5b"}
    assert found["spend"]["jobs"] > 0
    assert ok(api.post("/v1/models/test", {}))["text"] == "It is red and used."
    assert api.client.post("/v1/models/test", json={"model": "hf:/etc"}).status_code == 422
    assert api.client.post("/v1/models/pull", json={"name": "x"}, params={"wait": True}).status_code == 422


def test_the_description_has_every_path_and_examples(api: Serving) -> None:
    described = ok(api.client.get("/openapi.json"))
    assert {"/v1/parse", "/v1/revise", "/v1/jobs/{id}/events", "/v1/documents/{id}"} <= set(
        described["paths"]
    )
    assert described["components"]["schemas"]["Revise"]["examples"]
    page = api.client.get("/docs").text
    assert "/v1/revise" in page
    assert "<script" not in page


def test_health_and_readiness(api: Serving) -> None:
    assert ok(api.client.get("/healthz")) == {"status": "ok"}
    assert ok(api.client.get("/readyz"))["status"] == "ok"


def test_what_prometheus_reads(api: Serving) -> None:
    api.client.get("/v1/nothing-of-the-kind")
    api.client.get("/v1/kinds")
    api.post("/v1/revise", SPELLING)
    lines = api.client.get("/metrics").text.splitlines()
    values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert int(values['redraft_requests_total{route="/v1/kinds",method="GET",status="200"}']) >= 1
    assert not any("nothing-of-the-kind" in line for line in lines)
    count = values['redraft_request_seconds_count{route="/v1/kinds"}']
    assert values['redraft_request_seconds_bucket{route="/v1/kinds",le="+Inf"}'] == count
    assert int(values['redraft_jobs{state="done"}']) > 0


def test_runs_are_those_of_the_folder_alone(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    for place, facts in (("a/b", '{"system": "copy"}'), ("broken", "{"), ("../outside", "{}")):
        (runs / place).mkdir(parents=True)
        (runs / place / "run.json").write_text(facts)
    (runs / "a/b/samples.jsonl").write_text('{"key": "1", "error": null, "output": "x"}\n')
    with serving(settings_in(tmp_path), runs=runs) as api:
        found = {one["name"]: one for one in ok(api.client.get("/v1/runs"))["runs"]}
        assert found.keys() == {"a/b", "broken"}
        assert (found["a/b"]["run"], found["a/b"]["finished"]) == ({"system": "copy"}, 1)
        assert "damaged" in found["broken"]["problem"]
        assert ok(api.client.get("/v1/runs/a/b"))["samples"][0]["output"] == "x"
        for name in ("..%2Foutside", "outside", "a"):
            assert api.client.get(f"/v1/runs/{name}").status_code == 404


def test_a_run_tells_how_far_it_is_and_shows_its_figures(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    (runs / "half/figures").mkdir(parents=True)
    (runs / "half/run.json").write_text('{"benchmark": "constrev", "system": "copy", "planned": 4}')
    (runs / "half/samples.jsonl").write_text('{"key": "1", "error": null, "output": "x"}\n')
    (runs / "half/figures/scores.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    (tmp_path / "secret.svg").write_text("<svg/>")
    (runs / "half/figures/link.svg").symlink_to(tmp_path / "secret.svg")
    with serving(settings_in(tmp_path), runs=runs) as api:
        found = ok(api.client.get("/v1/runs/half"))
        assert (found["finished"], found["planned"], found["figures"]) == (1, 4, ["scores"])
        figure = api.client.get("/v1/runs/half/figures/scores")
        assert figure.headers["content-type"] == "image/svg+xml"
        assert "sandbox" in figure.headers["content-security-policy"]
        for name in ("link", "..%2Frun", "..%2F..%2F..%2Fsecret", "none"):
            assert api.client.get(f"/v1/runs/half/figures/{name}").status_code == 404
        both = {"first": "half", "second": "half"}
        unscored = api.client.get("/v1/comparison", params=both)
        assert (unscored.status_code, "not scored" in unscored.json()["detail"]) == (422, True)
        assert api.client.get("/v1/comparison", params={**both, "second": "../x"}).status_code == 404


def test_a_model_that_fails_is_a_problem_with_what_there_was(tmp_path: Path) -> None:
    with ScriptedServer() as service:
        service.answers = [fail(401, "no such key")]
        settings = settings_in(tmp_path, model=f"{service.url}#tiny")
        with serving(settings) as api, working(settings):
            answer = api.post("/v1/revise", LONG)
            assert answer.status_code == 502
            assert answer.json()["result"]["text"] == LONG["text"]
            assert answer.headers["x-job-state"] == "failed"


LONG = {"text": "The ferry were late. We was waiting for two hours.", "instruction": "Correct the mistakes."}


def test_a_long_job_is_stopped_and_keeps_the_best_and_others_have_to_wait(tmp_path: Path) -> None:
    with ScriptedServer() as service:
        service.answers = [hang]
        settings = settings_in(tmp_path, model=f"{service.url}#tiny")
        limits = Limits(waiting=2, of_client=1)
        with serving(settings, limits=limits) as api, working(settings):
            asked = {"params": {"wait": False}}
            job = ok(api.client.post("/v1/revise", json=LONG, **asked))
            eventually(lambda: service.requests)
            waiting = ok(api.client.post("/v1/revise", json=LONG, **asked))
            assert (waiting["state"], waiting["place"]) == ("queued", 1)
            refused = api.client.post("/v1/revise", json=LONG, **asked)
            assert refused.status_code == 429
            assert int(refused.headers["retry-after"]) > 0
            assert ok(api.post(f"/v1/jobs/{waiting['id']}/stop", None))["state"] == "stopped"
            ok(api.post(f"/v1/jobs/{job['id']}/stop", None))
            heard = api.events(f"/v1/jobs/{job['id']}/events")
            assert heard[-1][2] == {"state": "stopped"}
            result = next(data for _, kind, data in heard if kind == "result")
            assert result["text"] == LONG["text"]
            assert {"understood", "findings", "text"} <= {kind for _, kind, _ in heard}
            assert api.client.delete(f"/v1/jobs/{job['id']}").status_code == 204
            assert api.client.get(f"/v1/jobs/{job['id']}").status_code == 404
