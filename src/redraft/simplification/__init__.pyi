from .asking import messages as messages
from .base import (
    ASPECTS as ASPECTS,
    Aspect as Aspect,
    Candidate as Candidate,
    Judge as Judge,
    Judged as Judged,
    Verdict as Verdict,
)
from .diversity import diversity as diversity, plain as plain
from .evidence.alignment import Aligner as Aligner, Alignment as Alignment
from .evidence.opening import check_parser as check_parser
from .judging.comparing import (
    compare_judges as compare_judges,
    compare_rounds as compare_rounds,
    distribution as distribution,
)
from .judging.opening import check_judge as check_judge, open_judge as open_judge
from .policies import (
    doubts as doubts,
    load_policy as load_policy,
    policy_names as policy_names,
    policy_text as policy_text,
    read_policy as read_policy,
)
from .policy import Operation as Operation, Policy as Policy
from .pool import (
    OFFLINE as OFFLINE,
    Pool as Pool,
    System as System,
    open_pool as open_pool,
    read_systems as read_systems,
    trained_adapters as trained_adapters,
)
from .simplification import Simplification as Simplification
from .simplifiers import (
    REQUEST as REQUEST,
    adapter_hash as adapter_hash,
    adapter_of as adapter_of,
    trained_adapter as trained_adapter,
)
from .simplifying import ANSWERS as ANSWERS, asimplify as asimplify, simplify as simplify
