from .comparison import Passage as Passage, compare as compare
