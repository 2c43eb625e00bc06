from .benchmark import (
    Benchmark as Benchmark,
    ContextualBenchmark as ContextualBenchmark,
    DataSet as DataSet,
    DetailedBenchmark as DetailedBenchmark,
    Item as Item,
    Plan as Plan,
    Sample as Sample,
    WritingBenchmark as WritingBenchmark,
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
    Excluded as Excluded,
    Source as Source,
    read_constrev_sources as read_constrev_sources,
    read_levels as read_levels,
    select as select,
)
from .constrev.building.rendering import TEMPLATES as TEMPLATES
from .constrev.description import levels_table as levels_table
from .constrev.reading import (
    BUILT as BUILT,
    read_samples as read_samples,
)
from .constrev.tetra import (
    read_tetra as read_tetra,
    tetra_table as tetra_table,
)
from .correlations import correlate as correlate
from .curves import (
    CurveRun as CurveRun,
    curve_table as curve_table,
    draw_curves as draw_curves,
    size_curves as size_curves,
)
from .editeval.describe import (
    describe_datasets as describe_datasets,
    domains_table as domains_table,
    origins_table as origins_table,
    sizes_table as sizes_table,
)
from .editeval.exchange import (
    download as download,
    write_datasets as write_datasets,
    write_inputs as write_inputs,
    write_predictions as write_predictions,
)
from .editeval.facts import prompts as prompts
from .editeval.rows import rows as rows
from .measures import (
    JUDGEMENTS as JUDGEMENTS,
    MEASURES as MEASURES,
    QUALITY as QUALITY,
    measuring_jobs as measuring_jobs,
)
from .preferences.build import (
    Judging as Judging,
    PreferenceBuild as PreferenceBuild,
    PreferenceRecipe as PreferenceRecipe,
    compare_verdicts as compare_verdicts,
)
from .preferences.pairs import (
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
    Drawing as Drawing,
    line_chart as line_chart,
)
from .scoring import score_run as score_run
from .system_run import (
    RunSetup as RunSetup,
    SystemRun as SystemRun,
    check_judge as check_judge,
    check_languages as check_languages,
    choose_datasets as choose_datasets,
    estimate_run as estimate_run,
    folder_name as folder_name,
    judge_facts as judge_facts,
    read_swaps as read_swaps,
)
from .systems.composition import (
    COMPOSE as COMPOSE,
    WHOLE as WHOLE,
)
from .systems.registry import (
    SystemSpec as SystemSpec,
    editing_jobs as editing_jobs,
    open_editing as open_editing,
    read_system as read_system,
)
from .systems.simplification import Vanilla as Vanilla
from .tables import (
    Column as Column,
    Table as Table,
    read_result as read_result,
    summary_table as summary_table,
    table_by_dataset as table_by_dataset,
    without_datasets as without_datasets,
)
