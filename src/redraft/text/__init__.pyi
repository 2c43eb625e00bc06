from .align import (
    Kind as Kind,
    Link as Link,
    align as align,
    align_passages as align_passages,
    longest_common as longest_common,
    similarity as similarity,
)
from .borrowed import borrowed_spans as borrowed_spans, quoted_sentences as quoted_sentences
from .clauses import (
    Clauses as Clauses,
    MainClause as MainClause,
    as_sentence as as_sentence,
    read_clauses as read_clauses,
)
from .commands import (
    COMMAND_VERBS as COMMAND_VERBS,
    HANDLED_VERBS as HANDLED_VERBS,
    Told as Told,
    find_told as find_told,
    is_main as is_main,
    told_verbs as told_verbs,
)
from .dialogue import is_told_in_dialogue as is_told_in_dialogue
from .diff import (
    Edit as Edit,
    Op as Op,
    diff_terminal as diff_terminal,
    diff_words as diff_words,
)
from .divisions import (
    LONG as LONG,
    POINTS_BACK as POINTS_BACK,
    breaks_quotation as breaks_quotation,
    divided as divided,
    long_blocks as long_blocks,
    long_limit as long_limit,
    opens_in_quotation as opens_in_quotation,
    running_blocks as running_blocks,
    stiff_blocks as stiff_blocks,
)
from .document import (
    BLANK_LINE as BLANK_LINE,
    Document as Document,
    Sentence as Sentence,
    close_gap as close_gap,
    join_paragraphs as join_paragraphs,
)
from .docx.reading import DocxText as DocxText, read_docx as read_docx
from .docx.writing import write_docx as write_docx
from .entities import (
    FIRST_NAMES as FIRST_NAMES,
    LANDS as LANDS,
    NO_NAMES as NO_NAMES,
    PLACES as PLACES,
    TITLES as TITLES,
    Entity as Entity,
    EntityFinder as EntityFinder,
    EntityKind as EntityKind,
    Extract as Extract,
    RuleFinder as RuleFinder,
    citations as citations,
    links as links,
    numbers as numbers,
    quotations as quotations,
)
from .enumerations import Enumeration as Enumeration, enumerated as enumerated
from .escaping import (
    escape_formula as escape_formula,
    markdown_code as markdown_code,
    markdown_text as markdown_text,
    unescape_formula as unescape_formula,
)
from .files import (
    check_writable as check_writable,
    decode_text as decode_text,
    is_docx as is_docx,
    is_private as is_private,
    keep_copy as keep_copy,
    lock_folder as lock_folder,
    make_private as make_private,
    new_mode as new_mode,
    open_for_writing as open_for_writing,
    private_file as private_file,
    private_folder as private_folder,
    read_bytes as read_bytes,
    read_text as read_text,
    replace_surrogates as replace_surrogates,
    write_bytes as write_bytes,
    write_text as write_text,
)
from .formats import (
    TEXT_ENDINGS as TEXT_ENDINGS,
    Format as Format,
    find_markup as find_markup,
    guess_format as guess_format,
)
from .formulas import (
    FORMULAS as FORMULAS,
    Amount as Amount,
    Formula as Formula,
    FormulaName as FormulaName,
    count_amounts as count_amounts,
    reading_grade as reading_grade,
    reading_score as reading_score,
)
from .heading_case import HeadingStyle as HeadingStyle, recasings as recasings
from .inflection import (
    BY_FORM as BY_FORM,
    IRREGULAR as IRREGULAR,
    NOUNS as NOUNS,
    PLURALS as PLURALS,
    UNCOUNTED as UNCOUNTED,
    VERB_FORMS as VERB_FORMS,
    VERBS as VERBS,
    Forms as Forms,
    bases as bases,
    inflected as inflected,
    is_counted as is_counted,
    opens_with_vowel as opens_with_vowel,
    plural as plural,
    singular as singular,
    verb_forms as verb_forms,
    with_ed as with_ed,
    with_s as with_s,
)
from .jsonl import (
    Appender as Appender,
    complete_lines as complete_lines,
    json_lines as json_lines,
    json_strings as json_strings,
    parse_json_lines as parse_json_lines,
    to_json as to_json,
)
from .language import (
    is_english as is_english,
    is_english_request as is_english_request,
    language as language,
)
from .late import late_pattern as late_pattern
from .letters import is_letter_line as is_letter_line
from .levels import (
    LEVELS as LEVELS,
    Level as Level,
    common_words as common_words,
    difficulty as difficulty,
    difficulty_by_frequency as difficulty_by_frequency,
    is_in_dictionary as is_in_dictionary,
    kinds_of_word as kinds_of_word,
    level as level,
    zipf as zipf,
)
from .lines import Lines as Lines, Place as Place
from .marks import (
    FORMS as FORMS,
    MARKS as MARKS,
    WORDINGS as WORDINGS,
    Mark as Mark,
    find_marks as find_marks,
    free_marks as free_marks,
)
from .masking import Masked as Masked, mask as mask
from .numbering import renumbered as renumbered
from .numerals import (
    NumberStyle as NumberStyle,
    renumberings as renumberings,
    spell_number as spell_number,
)
from .openings import (
    Opening as Opening,
    banned_openings as banned_openings,
    opening_word as opening_word,
    opens_with as opens_with,
    repeated_openings as repeated_openings,
)
from .patterns import TagPatterns as TagPatterns
from .persons import Person as Person, find_person as find_person
from .readability import syllables as syllables
from .sentences import OPENERS as OPENERS, SILENT as SILENT, segment as segment
from .series import Series as Series, find_series as find_series
from .spelling import (
    MISSPELT as MISSPELT,
    Respelling as Respelling,
    Variant as Variant,
    respellings as respellings,
    spelling_pairs as spelling_pairs,
)
from .steps import (
    Item as Item,
    ListStyle as ListStyle,
    action_starts as action_starts,
    count_actions as count_actions,
    find_list as find_list,
    is_forbidding as is_forbidding,
)
from .structure import (
    Heading as Heading,
    find_code as find_code,
    find_equations as find_equations,
    find_greeting as find_greeting,
    find_headings as find_headings,
    find_items as find_items,
    find_quotations as find_quotations,
    find_section as find_section,
    find_signature as find_signature,
    find_title as find_title,
    list_mark as list_mark,
    prose_paragraphs as prose_paragraphs,
)
from .synonyms import antonyms as antonyms, thesaurus as thesaurus
from .syntax import (
    ADJECTIVE as ADJECTIVE,
    ADVERB as ADVERB,
    FINITE as FINITE,
    NOUN as NOUN,
    PHRASE_ENDS as PHRASE_ENDS,
    QUESTION_WORD as QUESTION_WORD,
    RELATIVES as RELATIVES,
    SUBORDINATORS as SUBORDINATORS,
    VERB as VERB,
    Syntax as Syntax,
    analyse_syntax as analyse_syntax,
)
from .tagging import PLACEHOLDER as PLACEHOLDER, Tagged as Tagged, tagged as tagged
from .tenses import Tense as Tense, find_tense as find_tense
from .treebank import CONTRACTED as CONTRACTED, NLTK_3_7 as NLTK_3_7, NLTK_3_10 as NLTK_3_10
from .voice import PassiveVerb as PassiveVerb, find_passives as find_passives, passive_verbs as passive_verbs
from .walking import list_texts as list_texts
from .word_align import align_words as align_words, word_likeness as word_likeness
from .word_lists import (
    CARDINALS as CARDINALS,
    ORDINALS as ORDINALS,
    WORDY as WORDY,
    list_lines as list_lines,
    word_sets as word_sets,
    wordings as wordings,
)
from .wording import WORDING_LISTS as WORDING_LISTS, Hit as Hit, find_wording as find_wording
from .wording_edits import reworded as reworded, rewordings as rewordings
from .words import (
    CJK as CJK,
    Span as Span,
    count_words as count_words,
    spellings as spellings,
    words as words,
)
