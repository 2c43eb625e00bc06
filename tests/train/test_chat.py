from __future__ import annotations

import json
from pathlib import Path

import pytest

from redraft.errors import InputError
from redraft.models import Message
from redraft.models.weights import CHAT, MODEL_FILE, ensure
from redraft.settings import load_settings
from redraft.train.chat import ChatFormat, chat_format, edit_weights
from redraft.train.conversations import Conversation, read_chat_data, read_conversations
from redraft.train.guard import Guard


@pytest.fixture(scope="module")
def chat() -> ChatFormat:
    return chat_format(ensure(CHAT, load_settings().weights()) / MODEL_FILE)


def turns(*contents: str) -> tuple[Message, ...]:
    roles = ("user", "assistant") * len(contents)
    return tuple(Message(role, content) for role, content in zip(roles, contents, strict=False))


def test_the_answer_and_its_end_are_learnt_and_nothing_else(chat: ChatFormat) -> None:
    (example,) = chat.examples([Conversation(turns("Fix: he go.", "He goes."))])
    assert chat.table(example) == "\n".join(
        [
            "   0      1      <|im_start|>",
            "   1   4093      user",
            "   2    198      Ċ",
            "   3     54      F",
            "   4   1088      ix",
            "   5     42      :",
            "   6    384      Ġhe",
            "   7    685      Ġgo",
            "   8     30      .",
            "   9      2      <|im_end|>",
            "  10    198      Ċ",
            "  11      1      <|im_start|>",
            "  12    520      ass",
            "  13   9531      istant",
            "  14    198      Ċ",
            "  15   3681    1 He",
            "  16   3935    1 Ġgoes",
            "  17     30    1 .",
            "  18      2    1 <|im_end|>",
        ]
    )


def test_of_several_turns_the_assistants_are_learnt_or_those_that_are_named(chat: ChatFormat) -> None:
    messages = turns("One?", "Yes.", "Two?", "No.")
    every, last = chat.examples([Conversation(messages), Conversation(messages, learnt=(3,))])
    assert every.tokens.tolist() == last.tokens.tolist()
    words = [(line[6:12].strip(), line[12:].split()) for line in chat.table(every).splitlines()]
    assert [parts[-1] for _, parts in words if parts[0] == "1"] == [
        "Yes",
        ".",
        "<|im_end|>",
        "No",
        ".",
        "<|im_end|>",
    ]
    assert last.weights.sum() == 3
    assert last.weights[-3:].all()


def test_control_tokens_in_a_text_are_text(chat: ChatFormat) -> None:
    (example,) = chat.examples([Conversation(turns("Say <|im_end|> twice", "<|im_start|>"))])
    assert example.tokens.tolist().count(1) == 2
    assert example.tokens.tolist().count(2) == 2


@pytest.mark.parametrize(
    ("source", "target", "weights"),
    [
        ([1, 2, 3, 4], [1, 2, 3, 4], [1, 1, 1, 1]),
        ([1, 2, 3, 4], [1, 9, 3, 4], [1, 3, 1, 1]),
        ([1, 2, 3, 4], [1, 2, 9, 9, 3, 4], [1, 1, 3, 3, 1, 1]),
        # What follows on a deletion is where the model must have jumped.
        ([1, 2, 3, 4], [1, 4], [1, 3]),
        ([1, 2, 3, 4], [1, 2, 3], [1, 1, 1]),
        ([1, 2, 3, 4, 5, 6], [9, 2, 3, 8, 5, 6], [3, 1, 1, 3, 1, 1]),
        ([], [1, 2], [3, 3]),
        ([7, 7, 7], [7, 7], [1, 1]),
    ],
)
def test_what_is_no_copy_counts_more(source: list[int], target: list[int], weights: list[float]) -> None:
    assert edit_weights(source, target, 3.0) == weights


def test_an_edit_is_emphasised_in_the_example(chat: ChatFormat) -> None:
    (example,) = chat.examples(
        [Conversation(turns("Fix: He go home.", "He goes home."), source="He go home.", emphasis=3.0)]
    )
    assert example.weights[-5:].tolist() == [1, 3, 1, 1, 1]


def written(path: Path, *conversations: object) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in conversations), encoding="utf-8")
    return path


def test_conversations_are_read_from_lines(tmp_path: Path) -> None:
    said = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    marked = [{"role": "user", "content": "a", "learn": True}, {"role": "assistant", "content": "b"}]
    one, other = read_conversations(
        written(tmp_path / "chat.jsonl", {"messages": said}, {"messages": marked})
    )
    assert [one.is_learnt(number) for number in (0, 1)] == [False, True]
    assert [other.is_learnt(number) for number in (0, 1)] == [True, False]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nonsense", "line 1: needs"),
        ('{"messages": [{"role": "user"}]}', "line 1: needs"),
        ('{"messages": [{"role": "robot", "content": "a"}]}', "a role is system, user or assistant"),
        ('{"messages": [{"role": "user", "content": "a"}]}', "no message is to be learnt"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "chat.jsonl"
    path.write_text(line, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        list(read_conversations(path))


def test_a_conversation_with_a_test_text_is_kept_out(tmp_path: Path) -> None:
    test = "The committee met on Tuesday to discuss the new budget for schools."
    clean = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Good day to you."}]
    leaked = [{"role": "user", "content": "Fix this"}, {"role": "assistant", "content": test.upper()}]
    path = written(tmp_path / "chat.jsonl", {"messages": clean}, {"messages": leaked})
    data = read_chat_data([path], [], Guard([test]))
    assert len(data.kept) == 1
    assert data.refused == {"chat": 1}
