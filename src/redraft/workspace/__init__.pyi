from .checking import (
    check_text as check_text,
    find_conflicts as find_conflicts,
    list_kinds as list_kinds,
    list_sentences as list_sentences,
    parse_instruction as parse_instruction,
    score_texts as score_texts,
)
from .comparison import Passage as Passage, compare as compare
from .crew import Crew as Crew
from .documents import (
    MOST_STATE as MOST_STATE,
    Content as Content,
    Kept as Kept,
    add_document as add_document,
    add_file as add_file,
    change_document as change_document,
    delete_document as delete_document,
    document_state as document_state,
    get_document as get_document,
    get_file as get_file,
    get_version as get_version,
    list_documents as list_documents,
    list_versions as list_versions,
)
from .exporting import As as As, Exported as Exported, export as export, open_file as open_file
from .jobs import (
    Event as Event,
    Job as Job,
    Kind as Kind,
    Limits as Limits,
    add_job as add_job,
    count_jobs as count_jobs,
    delete_job as delete_job,
    events_after as events_after,
    get_job as get_job,
    list_jobs as list_jobs,
    stop_job as stop_job,
)
from .machine import (
    compare_runs as compare_runs,
    get_run as get_run,
    list_models as list_models,
    list_policies as list_policies,
    list_runs as list_runs,
    run_figure as run_figure,
    spent as spent,
)
from .problems import problem as problem, problem_of as problem_of, where_raised as where_raised
from .requests import (
    Alternatives as Alternatives,
    Check as Check,
    Compare as Compare,
    Compose as Compose,
    Conflicts as Conflicts,
    Id as Id,
    Parse as Parse,
    Pull as Pull,
    QualityOf as QualityOf,
    Revise as Revise,
    Score as Score,
    Sentences as Sentences,
    Simplify as Simplify,
    TestModel as TestModel,
    Timed as Timed,
)
from .store import Store as Store, open_store as open_store
from .work import start_job as start_job
from .worker import Worker as Worker
