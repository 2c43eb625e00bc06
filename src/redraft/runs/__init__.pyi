from .batch import (
    Batch as Batch,
    Doing as Doing,
    Simplifying as Simplifying,
    finished_inputs as finished_inputs,
    open_doing as open_doing,
    revised as revised,
    simplified as simplified,
    tally as tally,
)
from .builds import (
    plain as plain,
    table as table,
)
from .jobs import (
    NOTHING as NOTHING,
    Answer as Answer,
    Engine as Engine,
    Job as Job,
    LocalEngine as LocalEngine,
    Opening as Opening,
    TakesAll as TakesAll,
    Worker as Worker,
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
    begun as begun,
    execute as execute,
)
