from .benchmark import (
    Benchmark as Benchmark,
    Contextual as Contextual,
    DataSet as DataSet,
    Detailed as Detailed,
    Item as Item,
    Plan as Plan,
    Sample as Sample,
    Writing as Writing,
    benchmarks as benchmarks,
    open_benchmark as open_benchmark,
    plan as plan,
)
from .c3e.building.build import (
    C3EBuild as C3EBuild,
    C3ERecipe as C3ERecipe,
)
from .c3e.building.sources import read_c3e_sources as read_c3e_sources
from .c3e.overlap import contamination as contamination
from .c3e.reading import (
    FILES as FILES,
    read_entries as read_entries,
    read_records as read_records,
)
from .c3e.statistics import (
    figures as figures,
    lengths_table as lengths_table,
    statistics as statistics,
)
from .changes import changes as changes
from .comparison import (
    compare as compare,
    comparison_terminal as comparison_terminal,
)
from .constrev.building.build import ConsTRevBuild as ConsTRevBuild
from .constrev.building.recipe import (
    ConsTRevRecipe as ConsTRevRecipe,
    read_levels as read_levels,
)
from .constrev.building.rendering import TEMPLATES as TEMPLATES
from .constrev.building.selection import (
    Excluded as Excluded,
    Source as Source,
    read_constrev_sources as read_constrev_sources,
    select as select,
)
from .constrev.reading import (
    BUILT as BUILT,
    read_samples as read_samples,
)
from .curves import (
    Place as Place,
    curve_table as curve_table,
    draw_curves as draw_curves,
    size_curves as size_curves,
)
from .editeval.facts import prompts as prompts
from .editeval.rows import rows as rows
from .editing import (
    editing_jobs as editing_jobs,
    open_editing as open_editing,
)
from .measures import (
    JUDGEMENTS as JUDGEMENTS,
    MEASURES as MEASURES,
    QUALITY as QUALITY,
    measuring as measuring,
    open_measurer as open_measurer,
)
from .planners import PLANNER as PLANNER
from .preferences.build import (
    Judging as Judging,
    PreferenceBuild as PreferenceBuild,
    PreferenceRecipe as PreferenceRecipe,
)
from .preferences.card import compare_verdicts as compare_verdicts
from .preferences.sources import (
    Filters as Filters,
    read_preference_sources as read_preference_sources,
)
from .report.formats import (
    markdown as markdown,
    rich_table as rich_table,
)
from .report.page import (
    read_results as read_results,
    write_report as write_report,
)
from .report.plots import (
    Curve as Curve,
    line_chart as line_chart,
)
from .scoring import score_run as score_run
from .simplifiers import (
    Vanilla as Vanilla,
    named_policy as named_policy,
)
from .systems import (
    Prompted as Prompted,
    answers_of as answers_of,
    asks_model as asks_model,
    check_system as check_system,
    covered as covered,
    parameters as parameters,
    uses_model as uses_model,
)
from .tables import (
    Column as Column,
    Table as Table,
    read_result as read_result,
)
from .writers import (
    COMPOSE as COMPOSE,
    WHOLE as WHOLE,
)
