from .batch import (
    Batch as Batch,
    BatchKind as BatchKind,
    SimplifyOptions as SimplifyOptions,
    TextFunction as TextFunction,
    count_statuses as count_statuses,
    finished_inputs as finished_inputs,
    open_batch_worker as open_batch_worker,
    revise_text as revise_text,
    simplify_text as simplify_text,
)
from .builds import (
    Build as Build,
)
from .jobs import (
    NO_USAGE as NO_USAGE,
    Answer as Answer,
    Engine as Engine,
    Job as Job,
    LocalEngine as LocalEngine,
    ModelJob as ModelJob,
    ModelJobWorker as ModelJobWorker,
    ModelsWorker as ModelsWorker,
    OpenWorker as OpenWorker,
    TakesAll as TakesAll,
    Worker as Worker,
    open_model_worker as open_model_worker,
)
from .ray_engine import RayEngine as RayEngine
from .results import (
    Record as Record,
    Results as Results,
    RunDir as RunDir,
    RunFile as RunFile,
)
from .runner import (
    Progress as Progress,
    execute as execute,
    open_run as open_run,
)
