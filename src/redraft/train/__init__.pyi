from .batches import pad as pad
from .chat import ChatFormat as ChatFormat, Example as Example
from .config import Config as Config, plan as plan
from .conversations import TrainingData as TrainingData, chat_data as chat_data
from .damage.profile import load_profile as load_profile
from .editor import (
    EditorData as EditorData,
    conversation as conversation,
    editor_data as editor_data,
    joined as joined,
)
from .export import export as export
from .guard import Gram as Gram, Guard as Guard, grams as grams, normalised_words as normalised_words
from .loop import Listener as Listener, Outcome as Outcome, Trainer as Trainer
from .losses import LOSSES as LOSSES
from .model import Lora as Lora, trainable as trainable
from .objective import CrossEntropy as CrossEntropy
from .planning.course import Course as Course, gather as gather
from .planning.generation import (
    Text as Text,
    fresh as fresh,
    generate as generate,
    read_texts as read_texts,
    taught as taught,
)
from .planning.selftraining import Alignment as Alignment
from .planning.trajectory import lines_of as lines_of
from .policy import (
    PAIRS as PAIRS,
    RATE as RATE,
    SFT_RATE as SFT_RATE,
    Objective as Objective,
    learn as learn,
    loss_of as loss_of,
    parallel_data as parallel_data,
    policy_data as policy_data,
)
from .recipe import (
    Hold as Hold,
    Recipe as Recipe,
    dev_samples as dev_samples,
    hold_out as hold_out,
    parse_mix as parse_mix,
    read_recipe as read_recipe,
)
from .rows import Row as Row, read_rows as read_rows
from .sft import Job as Job, fine_tune as fine_tune
from .synthesise import clean_texts as clean_texts, pairs as pairs
