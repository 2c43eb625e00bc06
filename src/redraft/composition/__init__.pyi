from .actions import Limits as Limits
from .brief import Brief as Brief, Length as Length, read_brief as read_brief
from .composition import Composition as Composition
from .dynamics import Average as Average, dynamics as dynamics, life_cycles as life_cycles
from .form import Genre as Genre
from .loop import Approve as Approve, acompose as acompose, compose as compose, read_journal as read_journal
from .paper import PaperPrompts as PaperPrompts
from .paragraphs import (
    ANGLES as ANGLES,
    WRITER as WRITER,
    paragraph_prompt as paragraph_prompt,
    room_for as room_for,
)
from .protocols import (
    PROTOCOLS as PROTOCOLS,
    ComposeOptions as ComposeOptions,
    Protocol as Protocol,
    limits_for as limits_for,
)
from .rendering import Markup as Markup
from .roles import ROLES as ROLES, check_language as check_language
from .small_reasoner import small_outline as small_outline
from .small_reviewer import (
    Memory as Memory,
    SentenceChecker as SentenceChecker,
    sentences_of as sentences_of,
)
from .state import (
    Outline as Outline,
    Review as Review,
    SectionText as SectionText,
    State as State,
    count_words as count_words,
    outline_text as outline_text,
    read_outline as read_outline,
)
from .trajectory import FACTS as FACTS, STEPS as STEPS, Step as Step
