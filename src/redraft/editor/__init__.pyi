from .choice import (
    NAMES as NAMES,
    WEIGHTS as WEIGHTS,
    Candidate as Candidate,
    Weights as Weights,
    best as best,
    choose as choose,
    features as features,
)
from .consensus import agreed_sari as agreed_sari, overlap as overlap
from .editor import (
    TEMPERATURE as TEMPERATURE,
    Edit as Edit,
    Editor as Editor,
    answers as answers,
    gathered as gathered,
)
from .kinds import KINDS as KINDS, Kind as Kind, kind_of as kind_of
from .phrasings import read_phrasings as read_phrasings
from .prompt import ADAPTER as ADAPTER, editor_messages as editor_messages, room as room
from .tidying import runs_away as runs_away, tidied as tidied, usable as usable
