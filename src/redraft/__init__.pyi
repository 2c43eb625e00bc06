from .composition import (
    Brief as Brief,
    Composition as Composition,
    Limits as Limits,
    acompose as acompose,
    compose as compose,
    read_brief as read_brief,
)
from .constraints import (
    Call as Call,
    Conflict as Conflict,
    Constraint as Constraint,
    Finding as Finding,
    Findings as Findings,
    Instruction as Instruction,
    Reading as Reading,
    check as check,
    infeasible as infeasible,
    parse as parse,
    parse_call as parse_call,
    render as render,
)
from .editor import Edit as Edit, Editor as Editor
from .errors import (
    BadAnswer as BadAnswer,
    BudgetExceeded as BudgetExceeded,
    CallError as CallError,
    ConnectionFailed as ConnectionFailed,
    ContextOverflow as ContextOverflow,
    FileError as FileError,
    InfeasibleError as InfeasibleError,
    InputError as InputError,
    MaskError as MaskError,
    MissingExtra as MissingExtra,
    MissingKey as MissingKey,
    ModelError as ModelError,
    NotFound as NotFound,
    QueueFull as QueueFull,
    RateLimited as RateLimited,
    RedraftError as RedraftError,
    SettingsError as SettingsError,
    Stale as Stale,
    StoreFailed as StoreFailed,
    UnknownModel as UnknownModel,
    WeightsMissing as WeightsMissing,
    WorkersLost as WorkersLost,
)
from .house import House as House, read_house as read_house
from .judge import (
    Judgement as Judgement,
    PairwiseJudge as PairwiseJudge,
    PointwiseJudge as PointwiseJudge,
    Rubric as Rubric,
    load_rubric as load_rubric,
)
from .metrics import Metric as Metric, Score as Score, score as score
from .models import (
    Completion as Completion,
    Embedder as Embedder,
    LogProbs as LogProbs,
    Message as Message,
    Model as Model,
    Models as Models,
    Request as Request,
    Scorer as Scorer,
    TokenEmbeddings as TokenEmbeddings,
    Usage as Usage,
    ask as ask,
)
from .quality import EmbeddedQuality as EmbeddedQuality, Quality as Quality, QualityScorer as QualityScorer
from .revision import (
    Alternative as Alternative,
    NotUnderstood as NotUnderstood,
    ReviseOptions as ReviseOptions,
    Revision as Revision,
    Settled as Settled,
    Understanding as Understanding,
    alternatives as alternatives,
    arevise as arevise,
    find_alternatives as find_alternatives,
    revise as revise,
    understand as understand,
)
from .settings import Settings as Settings, load_settings as load_settings
from .simplification import (
    Policy as Policy,
    Simplification as Simplification,
    asimplify as asimplify,
    load_policy as load_policy,
    simplify as simplify,
)
from .text import (
    Document as Document,
    Entity as Entity,
    EntityFinder as EntityFinder,
    Sentence as Sentence,
    Span as Span,
    align as align,
    diff_words as diff_words,
    mask as mask,
)

__version__: str
