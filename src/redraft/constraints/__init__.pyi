from .base import Constraint as Constraint, Finding as Finding, Findings as Findings
from .bounds import Interval as Interval, wording as wording
from .calls import (
    Call as Call,
    looks_like_call as looks_like_call,
    parse_call as parse_call,
    read_call as read_call,
)
from .checking import check as check, constraints_of as constraints_of, infeasible as infeasible
from .counting import CountingName as CountingName, Reading as Reading, read as read
from .demands import (
    Bounds as Bounds,
    Changes as Changes,
    Demand as Demand,
    Keeps as Keeps,
    Lacks as Lacks,
    Matches as Matches,
    Occurs as Occurs,
)
from .drawing.drawing import Drawn as Drawn, draw as draw
from .drawing.keywords import terms as terms
from .drawing.kinds import GROUPS as GROUPS, KINDS as KINDS
from .drawing.witness import CONVENTIONS as CONVENTIONS, Pair as Pair
from .feasibility import Conflict as Conflict
from .instruction.numbers import NUMBER_WORDS as NUMBER_WORDS, figure as figure, spelled as spelled
from .instruction.parsing import Instruction as Instruction, parse as parse
from .kinds.affix import EndsWith as EndsWith, StartsWith as StartsWith
from .kinds.keyword import Keyword as Keyword
from .kinds.keyword_frequency import KeywordFrequency as KeywordFrequency
from .kinds.pattern import matched as matched
from .kinds.preserve import FINDERS as FINDERS, Preserve as Preserve
from .kinds.reading_grade import ReadingGrade as ReadingGrade
from .kinds.sentence_count import SentenceCount as SentenceCount
from .kinds.sentence_length import SentenceLength as SentenceLength
from .kinds.sentence_modification import SentenceModification as SentenceModification
from .kinds.unique_sentences import UniqueSentences as UniqueSentences, said as said
from .kinds.word_count import WordCount as WordCount
from .punkt import english as english
from .registry import all_kinds as all_kinds
from .render import render as render, worded as worded
