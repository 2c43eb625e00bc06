from .choice import (
    KINDS as KINDS,
    NAMES as NAMES,
    WEIGHTS as WEIGHTS,
    EditorAnswer as EditorAnswer,
    Kind as Kind,
    Weights as Weights,
    agreed_sari as agreed_sari,
    best as best,
    choose as choose,
    features as features,
    kind_of as kind_of,
    overlap as overlap,
)
from .editor import (
    ADAPTER as ADAPTER,
    TEMPERATURE as TEMPERATURE,
    Edit as Edit,
    Editor as Editor,
    answers as answers,
    editor_messages as editor_messages,
    gathered as gathered,
    is_trained_editor as is_trained_editor,
    room as room,
    runs_away as runs_away,
    tidied as tidied,
    usable as usable,
)
from .phrasings import (
    Value as Value,
    control_instruction as control_instruction,
    fill_phrasing as fill_phrasing,
    places as places,
    read_phrasings as read_phrasings,
    wished_controls as wished_controls,
    without_what_stays as without_what_stays,
)
from .tags import (
    DELETE as DELETE,
    JOIN as JOIN,
    KEEP as KEEP,
    OTHER as OTHER,
    Tagged as Tagged,
    applied as applied,
    tags_of as tags_of,
    word_spans as word_spans,
    words_in as words_in,
)
from .verdicts import (
    NO as NO,
    VERDICTS as VERDICTS,
    YES as YES,
    verdict_input as verdict_input,
)
