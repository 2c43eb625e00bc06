from .judge_examples import draft_example as draft_example
from .judging.alignment import Aligner as Aligner, Alignment as Alignment
from .judging.metric import (
    NOT_PERMITTED as NOT_PERMITTED,
    agreement_points as agreement_points,
    judge_questions as judge_questions,
    kept_share as kept_share,
)
from .judging.opening import (
    check_judge as check_judge,
    check_parser as check_parser,
    open_judge as open_judge,
    open_parser as open_parser,
)
from .policy import ASPECTS as ASPECTS, Aspect as Aspect, Operation as Operation, Policy as Policy
from .policy_files import (
    load_policy as load_policy,
    policy_names as policy_names,
    policy_text as policy_text,
    policy_warnings as policy_warnings,
    read_policy as read_policy,
)
from .pool import (
    OFFLINE as OFFLINE,
    Own as Own,
    Pool as Pool,
    PoolSystem as PoolSystem,
    diversity as diversity,
    open_pool as open_pool,
    plain as plain,
    read_systems as read_systems,
    trained_adapters as trained_adapters,
)
from .simplification import Simplification as Simplification
from .simplifiers import (
    REQUEST as REQUEST,
    adapter_hash as adapter_hash,
    adapter_of as adapter_of,
    messages as messages,
    trained_adapter as trained_adapter,
)
from .simplifying import ANSWERS as ANSWERS, asimplify as asimplify, simplify as simplify
from .verdicts import (
    Candidate as Candidate,
    Judge as Judge,
    Judged as Judged,
    Verdict as Verdict,
    compare_judges as compare_judges,
    compare_rounds as compare_rounds,
    distribution as distribution,
)
