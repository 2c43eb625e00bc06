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
)
