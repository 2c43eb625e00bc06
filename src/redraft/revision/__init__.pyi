from .advice import edit_of as edit_of, versions as versions
from .appraisal import Appraiser as Appraiser, Worth as Worth
from .asking.baselines import run_baseline as run_baseline
from .asking.brief import (
    BRIEF_ROOM as BRIEF_ROOM,
    brief_answer as brief_answer,
    brief_messages as brief_messages,
)
from .asking.metered import Metered as Metered
from .asking.plan_reading import PlanAnswer as PlanAnswer, read_plan as read_plan
from .asking.planner import ModelPlanner as ModelPlanner, has_learnt as has_learnt
from .asking.prompting import messages as messages, shown as shown
from .asking.reading import key as key, whole_lines as whole_lines, whole_text as whole_text
from .asking.reviser import ModelReviser as ModelReviser
from .asking.sections import sections as sections
from .base import (
    Action as Action,
    Candidate as Candidate,
    Feedback as Feedback,
    Improvement as Improvement,
    Node as Node,
)
from .board import GOAL as GOAL
from .compiling import (
    ENGINES as ENGINES,
    compile_latex as compile_latex,
    keyword_preservation as keyword_preservation,
)
from .draft import WRITER as WRITER, Draft as Draft, Option as Option, Unit as Unit
from .evaluation import Switches as Switches
from .explain import Explanation as Explanation, Passage as Passage, Told as Told, explain as explain
from .person import read_person_plan as read_person_plan
from .polish import CAUTION as CAUTION, CORRECTING as CORRECTING, SAMPLES as SAMPLES, Polisher as Polisher
from .repair import Repair as Repair
from .revising import LONGEST as LONGEST, arevise as arevise, revise as revise
from .revision import (
    EFFORTS as EFFORTS,
    PACES as PACES,
    STRATEGIES as STRATEGIES,
    Effort as Effort,
    How as How,
    Revision as Revision,
    Strategy as Strategy,
    exit_status as exit_status,
)
from .rewriting.compressions import cuts as cuts
from .rewriting.confusions import swaps as swaps
from .rewriting.corrections import MARGINS as MARGINS, USUAL_CAUTION as USUAL_CAUTION, corrected as corrected
from .rewriting.edits import Edit as Edit, applied as applied, sound as sound
from .rewriting.merges import lowered as lowered
from .rewriting.splits import splits as splits
from .rewriting.synonyms import synonyms as synonyms
from .softening import softened as softened
from .steps import SMALL as SMALL
from .task import Task as Task
from .trajectory import read_trace as read_trace
from .unread import also_meant as also_meant
