from .asking.answers import (
    PlanAnswer as PlanAnswer,
    key as key,
    read_plan as read_plan,
    whole_lines as whole_lines,
    whole_text as whole_text,
)
from .asking.baselines import run_baseline as run_baseline
from .asking.feedback import ASPECTS as ASPECTS
from .asking.learnt import planner_has_learnt as planner_has_learnt
from .asking.planner import (
    BRIEF_ROOM as BRIEF_ROOM,
    ModelPlanner as ModelPlanner,
    brief_answer as brief_answer,
    brief_messages as brief_messages,
    is_trained_planner as is_trained_planner,
)
from .asking.requests import (
    MeteredModel as MeteredModel,
    messages as messages,
    prompts_hash as prompts_hash,
    sections as sections,
    shown as shown,
)
from .asking.reviser import ModelReviser as ModelReviser
from .choosing.repair import Repair as Repair
from .corrections.suggestions import (
    MARGINS as MARGINS,
    USUAL_CAUTION as USUAL_CAUTION,
    confusions as confusions,
    corrected as corrected,
)
from .draft import WRITER as WRITER, Draft as Draft, Option as Option, Unit as Unit
from .editing.editor import (
    CAUTION as CAUTION,
    CORRECTING as CORRECTING,
    SAMPLES as SAMPLES,
    Polisher as Polisher,
)
from .judging.scoring import Appraiser as Appraiser, PassageScore as PassageScore
from .records import (
    Action as Action,
    Candidate as Candidate,
    Concern as Concern,
    Considered as Considered,
    Feedback as Feedback,
    Improvement as Improvement,
    Node as Node,
    Reason as Reason,
    Settled as Settled,
    explained as explained,
)
from .rephrasing import (
    Alternative as Alternative,
    alternatives as alternatives,
    find_alternatives as find_alternatives,
)
from .revising import LONGEST as LONGEST, arevise as arevise, revise as revise
from .revision import (
    EFFORTS as EFFORTS,
    STRATEGIES as STRATEGIES,
    Effort as Effort,
    EffortSettings as EffortSettings,
    ReviseOptions as ReviseOptions,
    Revision as Revision,
    Strategy as Strategy,
    exit_status as exit_status,
)
from .rewriting.cuts.compressions import cuts as cuts
from .rewriting.edits import (
    Edit as Edit,
    Replacement as Replacement,
    applied as applied,
    sound as sound,
)
from .rewriting.forms.tense import to_past as to_past, to_present as to_present
from .rewriting.splits.splits import lowered as lowered, splits as splits
from .rewriting.voice.voice import make_active as make_active, make_passive as make_passive
from .rewriting.wording.replacements import synonyms as synonyms
from .search.evaluation import Switches as Switches
from .search.latex import (
    ENGINES as ENGINES,
    compile_latex as compile_latex,
    keyword_preservation as keyword_preservation,
)
from .search.plans import (
    apply_advice as apply_advice,
    editor_request as editor_request,
    read_user_plan as read_user_plan,
    suggested_constraints as suggested_constraints,
)
from .showing.details import Detail as Detail
from .showing.explain import (
    ExplainedConstraint as ExplainedConstraint,
    Explanation as Explanation,
    Passage as Passage,
    explain as explain,
)
from .showing.fixes import find_fixes as find_fixes
from .showing.inspection import Inspection as Inspection, inspect_text as inspect_text
from .showing.trace import read_trace as read_trace
from .task import Task as Task, relax_constraints as relax_constraints
from .tuning import GOAL as GOAL
from .wishes.understanding import (
    SMALL as SMALL,
    NotUnderstood as NotUnderstood,
    Understanding as Understanding,
    read_instruction as read_instruction,
    understand as understand,
    understood_by as understood_by,
)
