"""Documents and their history, in databases of both kinds."""

from __future__ import annotations

import pytest

from redraft.errors import InputError, NotFound, Stale
from redraft.workspace import (
    Content,
    Store,
    add_document,
    add_file,
    add_job,
    change_document,
    delete_document,
    document_state,
    documents,
    get_document,
    get_file,
    get_version,
    list_documents,
    list_versions,
)
from redraft.workspace.documents import delete_old_files

HOSTILE = "Zero \0, a pair \U0001f600, 'quotes'; DROP TABLE documents; -- %s ? {}"


def test_a_document_comes_back_as_it_was(store: Store) -> None:
    content = Content(HOSTILE, "markdown", HOSTILE, HOSTILE, HOSTILE, ("a(1)",), (1, 2), {"x": [HOSTILE]})
    kept = add_document(store, content)
    assert get_document(store, kept.id) == kept
    assert kept.content == content
    assert get_version(store, kept.id, 1)["text"] == HOSTILE


def test_a_change_is_a_version_and_nothing_is_lost(store: Store) -> None:
    kept = add_document(store, Content(text="One."))
    changed = change_document(store, kept.id, 1, {"text": "Two."}, "typed")
    assert (changed.version, changed.content.original) == (2, "One.")
    assert change_document(store, kept.id, 2, {"text": "Two."}).version == 2
    with pytest.raises(Stale) as stale:
        change_document(store, kept.id, 1, {"text": "Three."})
    assert stale.value.current["text"] == "Two."
    assert [one["note"] for one in list_versions(store, kept.id)] == ["typed", "opened"]
    assert [one["version"] for one in list_versions(store, kept.id, 1, 2)] == [1]
    assert get_version(store, kept.id, 1)["text"] == "One."


def test_only_so_many_versions_are_kept_and_the_first(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST_VERSIONS", 3)
    id = add_document(store, Content(text="0")).id
    for number in range(1, 7):
        change_document(store, id, number, {"text": str(number)})
    assert [one["version"] for one in list_versions(store, id)] == [7, 6, 5, 1]


def test_a_title_is_made_of_the_text(store: Store) -> None:
    assert add_document(store, Content(text="\n# A  title\nText.")).content.title == "A title"
    assert len(add_document(store, Content(text="word " * 100)).content.title) < 100


def test_lists_have_pages_and_no_texts(store: Store) -> None:
    made = [add_document(store, Content(text=f"Text {number}.")).id for number in range(3)][::-1]
    change_document(store, made[2], 1, {"text": "Changed."})
    order = [made[2], *made[:2]]
    first = list_documents(store, 2)
    assert [one.id for one in [*first, *list_documents(store, 2, first[-1].id)]] == order
    assert "text" not in first[0].to_dict(whole=False)


def test_a_document_goes_with_all_that_is_its_own(store: Store) -> None:
    file = add_file(store, "a.docx", b"\0\xff")
    assert get_file(store, file) == ("a.docx", b"\0\xff")
    kept = add_document(store, Content(text="A.", file=file))
    job = add_job(store, "revise", {}, document=kept.id)
    assert document_state(store, kept.id) == (1, job.id, "queued")
    delete_document(store, kept.id)
    for look in (
        lambda: get_document(store, kept.id),
        lambda: get_file(store, file),
        lambda: document_state(store, kept.id),
    ):
        with pytest.raises(NotFound):
            look()
    with pytest.raises(NotFound):
        add_job(store, "revise", {}, document=kept.id)


def test_files_that_no_document_has_go_after_a_day(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    used, unused = add_file(store, "a", b"a"), add_file(store, "b", b"b")
    add_document(store, Content(text="A.", file=used))
    delete_old_files(store)
    assert get_file(store, unused)
    later = documents.now() + 100_000
    monkeypatch.setattr(documents, "now", lambda: later)
    delete_old_files(store)
    assert get_file(store, used)
    with pytest.raises(NotFound):
        get_file(store, unused)


def test_what_a_page_keeps_is_limited(store: Store) -> None:
    with pytest.raises(InputError, match="state of a page"):
        add_document(store, Content(text="A.", state={"x": "y" * 1_100_000}))
