from .actions import Limits as Limits
from .brief import Brief as Brief, Length as Length, read_brief as read_brief
from .composition import Composition as Composition
from .dynamics import Average as Average, dynamics as dynamics, life_cycles as life_cycles
from .loop import Approve as Approve, acompose as acompose, compose as compose, resumed as resumed
from .protocols import PROTOCOLS as PROTOCOLS, Protocol as Protocol, Way as Way, limits_of as limits_of
from .rendering import Markup as Markup
from .roles import ROLES as ROLES, check_language as check_language
from .state import (
    Outline as Outline,
    Review as Review,
    State as State,
    Written as Written,
    measured as measured,
    outline_text as outline_text,
    read_outline as read_outline,
)
from .trajectory import FACTS as FACTS, STEPS as STEPS, Step as Step
