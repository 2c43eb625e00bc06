"""What is learnt of a conversation is what the model's own template makes of it, whatever the family."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from redraft.errors import InputError
from redraft.models import Message
from redraft.models.tokenization import _VISIBLE
from redraft.train.chat import ChatFormat
from redraft.train.conversations import Conversation

QWEN = (
    "{%- if messages[0]['role'] == 'system' %}{{- '<|im_start|>system\n' + messages[0]['content'] + "
    "'<|im_end|>\n' }}{%- else %}{{- '<|im_start|>system\nYou are a model.<|im_end|>\n' }}{%- endif %}"
    "{%- for message in messages %}{%- if message.role != 'system' %}{{- '<|im_start|>' + message.role + '\n' "
    "+ message.content + '<|im_end|>' + '\n' }}{%- endif %}{%- endfor %}"
    "{%- if add_generation_prompt %}{{- '<|im_start|>assistant\n' }}{%- endif %}"
)
LLAMA3 = (
    "{% for message in messages %}{% set content = '<|start_header_id|>' + message['role'] + "
    "'<|end_header_id|>\n\n' + message['content'] | trim + '<|eot_id|>' %}"
    "{% if loop.index0 == 0 %}{% set content = bos_token + content %}{% endif %}{{ content }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}"
)
PHI3 = (
    "{% for message in messages %}{{ '<|' + message['role'] + '|>\n' + message['content'] + '<|end|>\n' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% endif %}"
)
MISTRAL = (
    "{{ bos_token }}{% for message in messages %}{% if message['role'] == 'user' %}"
    "{{ '[INST] ' + message['content'] + ' [/INST]' }}{% elif message['role'] == 'assistant' %}"
    "{{ ' ' + message['content'] | trim + eos_token }}{% else %}"
    "{{ raise_exception('only user and assistant') }}{% endif %}{% endfor %}"
)
SPECIAL = {
    "qwen2": (QWEN, ("<|im_start|>", "<|im_end|>")),
    "llama": (LLAMA3, ("<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>")),
    "phi3": (PHI3, ("<|user|>", "<|assistant|>", "<|system|>", "<|end|>")),
    "mistral": (MISTRAL, ()),
}


def tokenizer_for(family: str) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers  # noqa: PLC0415
    from transformers import PreTrainedTokenizerFast  # noqa: PLC0415

    template, special = SPECIAL[family]
    words = ["<s>", "</s>", *special, *_VISIBLE, "he", "Ġhe"]
    vocabulary = {token: place for place, token in enumerate(words)}
    made = Tokenizer(models.BPE(vocab=vocabulary, merges=[("h", "e"), ("Ġ", "he")]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        bos_token="<s>",
        eos_token="</s>",
        additional_special_tokens=list(special),
        chat_template=template,
    )


texts = st.text(st.sampled_from("he ab.,\n'é<|>/[]INST"), min_size=1, max_size=20).filter(str.strip)


@pytest.mark.parametrize("family", SPECIAL)
@settings(max_examples=30, deadline=None)
@given(said=st.lists(st.tuples(texts, texts), min_size=1, max_size=3))
def test_the_tokens_are_the_templates_and_the_answers_are_learnt(
    family: str, said: list[tuple[str, str]]
) -> None:
    tokenizer = tokenizer_for(family)
    pairs = [(Message("user", asked), Message("assistant", answer.strip())) for asked, answer in said]
    messages = tuple(message for pair in pairs for message in pair)
    (example,) = ChatFormat(tokenizer).examples([Conversation(messages)])
    asked = [{"role": message.role, "content": message.content} for message in messages]
    text = tokenizer.apply_chat_template(asked, tokenize=False)
    whole = tokenizer(text, add_special_tokens=False)["input_ids"]
    assert whole[: len(example)] == example.tokens.tolist()
    learnt = [token for token, weight in zip(example.tokens, example.weights, strict=True) if weight]
    said_back = tokenizer.decode(learnt, clean_up_tokenization_spaces=False)
    end = {"qwen2": "<|im_end|>", "llama": "<|eot_id|>", "phi3": "<|end|>", "mistral": "</s>"}[family]
    written = [answer.content + end for _, answer in pairs]
    # A space that the template writes before an answer may be part of its first token.
    assert said_back.replace(" ", "").split(end) == "".join(written).replace(" ", "").split(end)
    assert set(example.weights[-1:]) == {1.0}


@pytest.mark.parametrize("family", SPECIAL)
def test_control_tokens_in_a_text_are_text(family: str) -> None:
    tokenizer = tokenizer_for(family)
    chat = ChatFormat(tokenizer)
    control = ["</s>", *SPECIAL[family][1]]
    known = {tokenizer.convert_tokens_to_ids(token) for token in control}

    def count(asked: str, answer: str) -> int:
        turns = (Message("user", asked), Message("assistant", answer))
        (example,) = chat.examples([Conversation(turns)])
        return sum(int(token) in known for token in example.tokens)

    assert count("he " + " ".join(control), " ".join(control)) == count("he", "he")


def test_an_edit_is_emphasised_after_a_system_message_of_the_templates() -> None:
    turns = (Message("user", "Fix: he a b."), Message("assistant", "he a he."))
    (example,) = ChatFormat(tokenizer_for("qwen2")).examples(
        [Conversation(turns, source="he a b.", emphasis=3.0)]
    )
    assert example.weights[example.weights > 0].tolist() == [1, 1, 1, 3, 1, 1]


def test_what_a_template_refuses_is_said() -> None:
    turns = (Message("system", "Be short."), Message("user", "he"), Message("assistant", "he"))
    with pytest.raises(InputError, match="does not take system, user, assistant: only user and assistant"):
        list(ChatFormat(tokenizer_for("mistral")).examples([Conversation(turns)]))


def test_a_model_without_a_template_is_named() -> None:
    tokenizer = tokenizer_for("qwen2")
    tokenizer.chat_template = None
    with pytest.raises(InputError, match="no chat template"):
        ChatFormat(tokenizer)
