"""The page of a search: whole, safe, and readable without its script."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from redraft.revision.records import Action, Change, Node
from redraft.revision.showing.page import search_page
from redraft.revision.showing.trace import Trace, read_trace
from tests.browser import Browser, needs_browser
from tests.revision.tracing import ORIGINAL, finish, large_search, node, start, write_small

EVIL = "</script></style><img src=x onerror=alert(1)><!-- ]]> &amp; \u2028 \x07"


class Seen(HTMLParser):
    """The elements, what stands in them, and whether they close in order."""

    VOID = ("meta", "br", "img", "link")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.deepest = 0
        self.words: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)
        self.deepest = max(self.deepest, self.open.count("details"))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.tags)


def page_of(nodes: list[Node], folder: Path, text: str) -> str:
    with Trace(folder) as trace:
        start(trace, text=text, calls=())
        for one in nodes:
            trace.node(one)
        finish(trace, nodes, best=nodes[-1].id)
    return (folder / "search.html").read_text(encoding="utf-8")


def test_a_small_search_is_told_whole(tmp_path: Path) -> None:
    page = (write_small(tmp_path) / "search.html").read_text(encoding="utf-8")
    seen = Seen(page)
    assert (seen.count("circle"), seen.count("article"), page.count('class="edge best"')) == (3, 3, 1)
    told = " ".join(" ".join(seen.words).split())
    for words in (
        "Cut this & never say 'leverages'.",
        "no further change made it better",
        "4 calls, 1,234 tokens, 2.5 s",
        "Sentence 1: Say it without 'leverages'.",
        "The first sentence says a forbidden word.",
        "grammar_check()",
        "2 errors in <sentence> 2",
        "repair: it says the least",
        "visits 3, value 0.75",
        "N 3 V 0.75",
    ):
        assert words in told
    assert "<del>leverages</del><ins>use</ins>" in page


@pytest.mark.parametrize("count", [1, 2, 91])
def test_any_size_is_drawn_without_overlap(tmp_path: Path, count: int) -> None:
    text = " ".join(f"Word {number} of the text." for number in range(30))
    page = page_of(large_search(count, text), tmp_path, text)
    seen = Seen(page)
    places = [(tag["cx"], tag["cy"]) for name, tag in seen.tags if name == "circle"]
    assert len(set(places)) == len(places) == seen.count("article") == count
    ids = {tag["id"] for _, tag in seen.tags if "id" in tag}
    assert all((tag["href"] or "")[1:] in ids for name, tag in seen.tags if name == "a")
    view = next(tag["viewbox"] or "" for name, tag in seen.tags if name == "svg")
    _, _, width, height = map(float, view.split())
    assert all(0 < float(x or 0) < width and 0 < float(y or 0) < height for x, y in places)
    assert len(page) < 3_000_000


def test_a_deep_search_and_one_with_several_roots(tmp_path: Path) -> None:
    chain = [node(0, None, ORIGINAL)]
    for id in range(1, 150):
        chain.append(node(id, chain[-1], ORIGINAL + " x" * (id % 3)))
    apart = node(150, None, "Another part.")
    seen = Seen(page_of([*chain, apart], tmp_path, ORIGINAL))
    assert seen.count("article") == 151
    assert seen.deepest >= 150


def test_no_text_can_become_mark_up(tmp_path: Path) -> None:
    action = Action(EVIL, (EVIL,), (), EVIL)
    root = node(0, None, EVIL, original=EVIL, calls=())
    child = node(
        1,
        root,
        EVIL + " more",
        original=EVIL,
        calls=(),
        action=action,
        changes=[Change(EVIL, "", EVIL, EVIL)],
    )
    page = page_of([root, child], tmp_path, EVIL)
    seen = Seen(page)
    assert (seen.count("script"), seen.count("style"), seen.count("img")) == (1, 1, 0)
    assert "onerror=alert(1)" in " ".join(seen.words)
    assert "\x07" not in page


def test_nothing_comes_from_elsewhere_and_only_its_own_script_runs(tmp_path: Path) -> None:
    page = (write_small(tmp_path) / "search.html").read_text(encoding="utf-8")
    policy = next(tag["content"] or "" for name, tag in Seen(page).tags if tag.get("http-equiv"))
    assert policy.startswith("default-src 'none'")
    for name in ("script", "style"):
        (content,) = re.findall(rf"<{name}>(.*?)</{name}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in policy
    for name, tag in Seen(page).tags:
        assert not {"src", "style", "onclick"} & tag.keys()
        assert (tag.get("href") or "#").startswith("#"), name


def test_what_cannot_be_done_is_shown(tmp_path: Path) -> None:
    read = read_trace(write_small(tmp_path))
    assert read.result is not None
    conflict = {"calls": ['word_count_check(3, "less than")'], "reason": "sentence 4 must stay"}
    result = type(read.result).model_validate(read.result.model_dump() | {"infeasible": [conflict]})
    assert "No text can meet these together: sentence 4 must stay" in search_page(
        replace(read, result=result)
    )


@needs_browser
def test_in_a_browser_the_best_is_chosen_and_keys_go_on_from_it(browser: Browser, tmp_path: Path) -> None:
    page = browser.open(write_small(tmp_path) / "search.html")
    chosen = "document.querySelector('#tree .node.chosen').dataset.node"
    best = page.value(chosen)
    assert page.value("document.querySelector('#panel ins').textContent") == "use"
    page.value("document.querySelector('#drawing').focus()")
    page.press("ArrowLeft")
    assert page.value(chosen) == "0" != best
    page.press("ArrowRight")
    assert page.value(chosen) != "0"
    assert page.faults == []
