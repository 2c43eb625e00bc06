from .batches import pad_batch as pad_batch
from .chat import ChatFormat as ChatFormat, Example as Example, chat_format as chat_format
from .composing import (
    Passage as Passage,
    is_kept_aside as is_kept_aside,
    read_passages as read_passages,
    read_taught as read_taught,
    writer_rows as writer_rows,
)
from .config import (
    ALIGN_PAIRS as ALIGN_PAIRS,
    EDITOR_LONGEST as EDITOR_LONGEST,
    EMPHASIS as EMPHASIS,
    LOSSES as LOSSES,
    PAIRS as PAIRS,
    PLANNER_LONGEST as PLANNER_LONGEST,
    PLANNER_TOKENS as PLANNER_TOKENS,
    RATE as RATE,
    SFT_RATE as SFT_RATE,
    SIMPLIFIER_RANK as SIMPLIFIER_RANK,
    SIMPLIFIER_TOKENS as SIMPLIFIER_TOKENS,
    WHOLE_MODEL_RATE as WHOLE_MODEL_RATE,
    Alignment as Alignment,
    Config as Config,
    plan_batches as plan_batches,
)
from .conversations import TrainingData as TrainingData, read_chat_data as read_chat_data
from .damage.profile import load_profile as load_profile
from .editor import (
    EditorData as EditorData,
    dev_samples as dev_samples,
    editing_conversation as editing_conversation,
    merge_instructions as merge_instructions,
    parse_mix as parse_mix,
    read_editor_data as read_editor_data,
    split_held_out as split_held_out,
)
from .export import export as export
from .guard import Gram as Gram, Guard as Guard, grams as grams, normalised_words as normalised_words
from .judging import (
    JudgeRow as JudgeRow,
    judge_conversations as judge_conversations,
    judge_rows as judge_rows,
    read_judge_rows as read_judge_rows,
    read_kept as read_kept,
    rewrite_rows as rewrite_rows,
    without as without,
)
from .loop import Listener as Listener, Outcome as Outcome, Trainer as Trainer
from .model import CrossEntropy as CrossEntropy, Lora as Lora, trainable as trainable
from .pairs.making import PAIR_MAKERS as PAIR_MAKERS, make_pairs as make_pairs, write_pairs as write_pairs
from .planning.batch_writer import BatchWriter as BatchWriter, can_batch as can_batch
from .planning.curves import CurvePoint as CurvePoint, planner_curves as planner_curves
from .planning.generation import (
    SourceText as SourceText,
    fresh_requests as fresh_requests,
    generate_trajectories as generate_trajectories,
    read_texts as read_texts,
    teacher_trajectories as teacher_trajectories,
)
from .planning.training import PlannerTraining as PlannerTraining, gather_material as gather_material
from .planning.trajectory import trajectory_lines as trajectory_lines
from .policy import (
    DEFAULT_OBJECTIVE as DEFAULT_OBJECTIVE,
    Objective as Objective,
    loss_for as loss_for,
    read_parallel_data as read_parallel_data,
    read_policy_data as read_policy_data,
    train_simplifier as train_simplifier,
)
from .reading import Asked as Asked, read_asked as read_asked, reader_rows as reader_rows
from .recipe.reading import (
    HeldOut as HeldOut,
    Recipe as Recipe,
    Stage as Stage,
    read_recipe as read_recipe,
    recipe_names as recipe_names,
)
from .recipe.stages import RecipeRun as RecipeRun
from .rows import TrainingRow as TrainingRow, read_rows as read_rows, read_some as read_some
from .sft import TrainingJob as TrainingJob, fine_tune as fine_tune
from .synthesise import clean_texts as clean_texts, damage_texts as damage_texts
from .taught import Taught as Taught, sections_to_teach as sections_to_teach, teach as teach
from .teaching.answers import kept_rows as kept_rows, read_answers as read_answers
from .teaching.drawing import CONTROLS as CONTROLS
from .teaching.requests import draw_requests as draw_requests, read_requests as read_requests
