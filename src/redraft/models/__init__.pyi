from .adapters import (
    SHIPPED as SHIPPED,
    add_adapter as add_adapter,
    find_adapter as find_adapter,
    known_adapters as known_adapters,
    list_adapters as list_adapters,
    remove_adapter as remove_adapter,
)
from .asking import (
    Prompts as Prompts,
    ask as ask,
    json_values as json_values,
    read_answer as read_answer,
    run_all as run_all,
    run_until as run_until,
)
from .base import (
    Answerer as Answerer,
    Backend as Backend,
    Completion as Completion,
    Embedder as Embedder,
    FloatArray as FloatArray,
    LogProbs as LogProbs,
    Message as Message,
    Model as Model,
    Request as Request,
    Scorer as Scorer,
    Tagger as Tagger,
    TagOdds as TagOdds,
    TokenEmbeddings as TokenEmbeddings,
    Usage as Usage,
    schema_text as schema_text,
)
from .cache import (
    KEPT as KEPT,
    Cache as Cache,
    CacheInfo as CacheInfo,
    CacheWarning as CacheWarning,
    DiskCache as DiskCache,
    NullCache as NullCache,
    cache_key as cache_key,
    open_cache as open_cache,
)
from .cached import CachedScorer as CachedScorer
from .convert import requantize as requantize
from .embedding import EmbeddedEmbedder as EmbeddedEmbedder
from .engines import (
    CHATML as CHATML,
    END as END,
    START as START,
    Plain as Plain,
    core_count as core_count,
    memory_mb as memory_mb,
    thread_count as thread_count,
)
from .families import (
    LLAMA as LLAMA,
    Family as Family,
    family_of as family_of,
    known_families as known_families,
)
from .gguf_file import (
    read_frame as read_frame,
    trained_for as trained_for,
    verdicts_learnt as verdicts_learnt,
)
from .hf import is_trained as is_trained, trained_in as trained_in
from .hf_loading import (
    Pretrained as Pretrained,
    load_chat_tokenizer as load_chat_tokenizer,
    load_folder as load_folder,
    load_gguf as load_gguf,
    load_model as load_model,
    load_tokenizer as load_tokenizer,
)
from .hosts import announce_hosts as announce_hosts
from .larger import (
    fetched_bytes as fetched_bytes,
    larger_file as larger_file,
    larger_models as larger_models,
    larger_status as larger_status,
    pull_larger as pull_larger,
    remove_larger as remove_larger,
    suggested_model as suggested_model,
)
from .ledger import (
    SERVICES as SERVICES,
    UNKNOWN as UNKNOWN,
    Budget as Budget,
    Ledger as Ledger,
    check_prices as check_prices,
    remaining_budget as remaining_budget,
)
from .llama import Engine as Engine, EngineConfig as EngineConfig
from .lora import (
    CONFIG_FILE as CONFIG_FILE,
    WEIGHTS_FILE as WEIGHTS_FILE,
    Base as Base,
    Heads as Heads,
    Lora as Lora,
    average_adapters as average_adapters,
    entries_beside as entries_beside,
    find_peft as find_peft,
    is_peft as is_peft,
    peft_stem as peft_stem,
    read_lora as read_lora,
    reduce_rank as reduce_rank,
    write_lora as write_lora,
)
from .remembered import (
    RememberingEmbedder as RememberingEmbedder,
    RememberingScorer as RememberingScorer,
)
from .scoring import EmbeddedScorer as EmbeddedScorer, TorchScorer as TorchScorer
from .spec import (
    EMBEDDED as EMBEDDED,
    VALID as VALID,
    Models as Models,
    is_pulled as is_pulled,
    open_backend as open_backend,
    trust_of as trust_of,
)
from .tagging import EmbeddedTagger as EmbeddedTagger
from .weights import (
    CHAT as CHAT,
    EMBEDDING as EMBEDDING,
    MODEL_FILE as MODEL_FILE,
    SAFE as SAFE,
    SCORING as SCORING,
    TAGGER as TAGGER,
    ensure as ensure,
    fetch_folder as fetch_folder,
    folder_fingerprint as folder_fingerprint,
    locked as locked,
    pull as pull,
    sha256_of as sha256_of,
    status as status,
)
from .writing import answer_once as answer_once
