"""Models that write, score and embed, named by a spec such as `embedded` or `openai:MODEL`."""

from redraft.models.base import (
    Backend,
    Completion,
    Embedder,
    LogProbs,
    Message,
    Model,
    Request,
    Scorer,
    TokenEmbeddings,
    Usage,
    schema_text,
)
from redraft.models.cache import Cache, CacheInfo, CacheWarning, DiskCache, NullCache, open_cache
from redraft.models.ledger import Budget, Ledger, check_prices, left_of
from redraft.models.prompts import Prompts
from redraft.models.spec import EMBEDDED, Models, open_backend, open_model
from redraft.models.structured import ask, read_answer

__all__ = [
    "EMBEDDED",
    "Backend",
    "Budget",
    "Cache",
    "CacheInfo",
    "CacheWarning",
    "Completion",
    "DiskCache",
    "Embedder",
    "Ledger",
    "LogProbs",
    "Message",
    "Model",
    "Models",
    "NullCache",
    "Prompts",
    "Request",
    "Scorer",
    "TokenEmbeddings",
    "Usage",
    "ask",
    "check_prices",
    "left_of",
    "open_backend",
    "open_cache",
    "open_model",
    "read_answer",
    "schema_text",
]
