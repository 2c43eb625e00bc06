from .base import (
    SCORES as SCORES,
    Bounds as Bounds,
    Changes as Changes,
    Constraint as Constraint,
    Demand as Demand,
    Finding as Finding,
    Findings as Findings,
    Keeps as Keeps,
    Lacks as Lacks,
    Marks as Marks,
    Matches as Matches,
    NotOpening as NotOpening,
    Occurs as Occurs,
    all_kinds as all_kinds,
)
from .bounds import Interval as Interval, wording as wording
from .calls import (
    Call as Call,
    looks_like_call as looks_like_call,
    parse_call as parse_call,
    read_call as read_call,
)
from .checking import (
    check as check,
    constraints_of as constraints_of,
    infeasible as infeasible,
    read_conflicts as read_conflicts,
    read_findings as read_findings,
)
from .counting import CountingName as CountingName, Reading as Reading, read as read
from .drawing import GROUPS as GROUPS, KINDS as KINDS, Drawn as Drawn, draw as draw
from .exact import Exact as Exact, RightForm as RightForm, conform as conform
from .feasibility import Conflict as Conflict
from .house import house_constraints as house_constraints
from .instruction.nearest import nearest as nearest
from .instruction.parsing import Instruction as Instruction, parse as parse
from .instruction.part_shares import leaves_rest as leaves_rest
from .instruction.part_wishes import find_scope as find_scope
from .instruction.tokens import NUMBER_WORDS as NUMBER_WORDS, figure as figure, spelled as spelled
from .kinds.content import (
    FINDERS as FINDERS,
    Preserve as Preserve,
    matched as matched,
)
from .kinds.conventions import SerialComma as SerialComma, Spelling as Spelling
from .kinds.counts import (
    CharacterCount as CharacterCount,
    SentenceCount as SentenceCount,
    SentenceLength as SentenceLength,
    WordCount as WordCount,
)
from .kinds.keywords import (
    EndsWith as EndsWith,
    Keyword as Keyword,
    KeywordFrequency as KeywordFrequency,
    StartsWith as StartsWith,
)
from .kinds.lists import ListForm as ListForm
from .kinds.marks import Contractions as Contractions, Punctuation as Punctuation, is_form as is_form
from .kinds.paragraphs import ParagraphLength as ParagraphLength
from .kinds.part_edits import PartEdit as PartEdit
from .kinds.parts import PartLength as PartLength, Parts as Parts
from .kinds.readability import Readable as Readable
from .kinds.relative import RelativeLength as RelativeLength
from .kinds.replacement import Replacement as Replacement
from .kinds.sentence_edits import SentenceEdit as SentenceEdit
from .kinds.sentences import (
    Openings as Openings,
    SentenceModification as SentenceModification,
    SentenceStarts as SentenceStarts,
    UniqueSentences as UniqueSentences,
    name_asides as name_asides,
    sentence_key as sentence_key,
)
from .kinds.voice import (
    Commands as Commands,
    NarrativeTense as NarrativeTense,
    PassiveVoice as PassiveVoice,
    PersonUse as PersonUse,
)
from .kinds.wording import Wording as Wording
from .problems import Baseline as Baseline, Problem as Problem, list_problems as list_problems
from .punkt import english_punkt as english_punkt
from .reader import (
    LONGEST_READ as LONGEST_READ,
    READER as READER,
    is_borne_out as is_borne_out,
    read_both as read_both,
    read_reading as read_reading,
    reader_answer as reader_answer,
    reader_question as reader_question,
)
from .render import render as render, render_unchecked as render_unchecked
from .sparing import spared_by as spared_by
from .witness import CONVENTIONS as CONVENTIONS, Pair as Pair, terms as terms
