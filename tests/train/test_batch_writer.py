"""Answers written in batches are those that transformers writes one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from transformers import Qwen2Config, Qwen2ForCausalLM

from redraft.models import Heads, Lora
from redraft.train.planning.batch_decoder import BatchDecoder
from tests.train.tiny import VOCABULARY, tiny_model

ENDS = (1, 2)


def prompts() -> list[list[int]]:
    random = np.random.default_rng(5)
    return [random.integers(3, VOCABULARY, size).tolist() for size in (3, 9, 5, 12, 7, 4)]


def greedy(model: Any, prompt: list[int], limit: int) -> list[int]:
    tokens = list(prompt)
    while len(tokens) - len(prompt) < limit:
        with torch.no_grad():
            chosen = int(model(torch.tensor([tokens])).logits[0, -1].argmax())
        if chosen in ENDS:
            break
        tokens.append(chosen)
    return tokens[len(prompt) :]


@pytest.mark.parametrize("count", [1, 3])
def test_greedy_answers_are_those_of_the_model_itself(count: int) -> None:
    model = tiny_model(4)
    limits = [20, 35, 5, 30, 1, 40]
    written = BatchDecoder(model, ENDS).write(prompts(), limits, count)
    for prompt, limit, own in zip(prompts(), limits, written, strict=True):
        wanted = greedy(model, prompt, limit)
        assert [one.tokens for one in own] == [wanted] * count
        assert {one.stopped for one in own} == {len(wanted) < limit}


def test_a_qwen2_is_written_with_its_biases() -> None:
    torch.manual_seed(3)
    config = Qwen2Config(
        vocab_size=VOCABULARY,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=64,
    )
    model: Any = Qwen2ForCausalLM(config)
    for layer in model.model.layers:
        for name in ("q_proj", "k_proj", "v_proj"):
            torch.nn.init.normal_(getattr(layer.self_attn, name).bias)
    written = BatchDecoder(model, ENDS, 16, (4000, 4000)).write(prompts(), [20] * 6, 2)
    for prompt, own in zip(prompts(), written, strict=True):
        assert [one.tokens for one in own] == [greedy(model, prompt, 20)] * 2


@pytest.mark.parametrize("rows", [2, 32])  # with two, places are taken again
def test_the_likelihood_is_that_of_the_tokens_and_of_the_end(rows: int) -> None:
    model = tiny_model(4)
    written = BatchDecoder(model, ENDS, rows).write(prompts(), [20, 35, 5, 30, 1, 40])
    for prompt, (own,) in zip(prompts(), written, strict=True):
        tokens = torch.tensor([prompt + own.tokens])
        with torch.no_grad():
            likely = model(tokens).logits[0, len(prompt) - 1 :].log_softmax(-1)
        of_each = likely.max(-1).values[: len(own.tokens) + own.stopped]  # what is greedy is the likeliest
        assert own.likelihood == pytest.approx(of_each.mean().item(), abs=1e-4)


def test_samples_differ_and_the_same_seed_gives_the_same() -> None:
    decoder = BatchDecoder(tiny_model(4), ENDS)
    found = []
    for seed in (1, 1, 2):
        torch.manual_seed(seed)
        found.append(decoder.write(prompts(), [12] * 6, 4, temperature=1.0))
    assert found[0] == found[1] != found[2]
    assert len({tuple(one.tokens) for one in found[0][0]}) > 1


def test_an_answer_ends_where_it_is_told_to() -> None:
    model = tiny_model(4)
    decoder = BatchDecoder(model, ENDS)
    whole = decoder.write(prompts()[:1], [200])[0][0].tokens
    cut = decoder.write(prompts()[:1], [200], ends=lambda tokens: len(tokens) >= 5)[0][0].tokens
    assert cut == whole[: len(cut)]
    assert len(cut) <= 32


def test_an_adapter_is_put_in_and_taken_out_again() -> None:
    model = tiny_model(4)
    decoder = BatchDecoder(tiny_model(4), ENDS)
    before = decoder.write(prompts(), [10] * 6)
    random = np.random.default_rng(1)
    a, b = (random.normal(size=shape).astype(np.float32) for shape in ((2, 16), (16, 2)))
    decoder.merge(Lora(1.0, {(0, "q_proj"): (a, b), (1, "o_proj"): (a, b)}))
    with_adapter = decoder.write(prompts(), [10] * 6)
    assert with_adapter != before
    for layer, name in ((0, "q_proj"), (1, "o_proj")):
        getattr(model.model.layers[layer].self_attn, name).weight.data += torch.from_numpy(b @ a)
    assert [own[0].tokens for own in with_adapter] == [greedy(model, one, 10) for one in prompts()]
    decoder.merge(None)
    assert decoder.write(prompts(), [10] * 6) == before
    assert decoder.heads == Heads(4, 2)


def test_a_prompt_that_does_not_fit_has_no_answer() -> None:
    found = BatchDecoder(tiny_model(4), ENDS).write([[3] * 9000, [4, 5]], [5, 5])
    assert found[0] == []
    assert len(found[1]) == 1


def test_prompts_that_wait_take_the_places_of_answers_that_ended() -> None:
    model = tiny_model(4)
    many, limits = prompts() * 4, [20, 35, 5, 30, 1, 40, 3, 60] * 3
    written = BatchDecoder(model, ENDS, rows=4).write(many, limits, 2)
    wanted = [greedy(model, prompt, limit) for prompt, limit in zip(many, limits, strict=True)]
    assert [[one.tokens for one in own] for own in written] == [[one, one] for one in wanted]
