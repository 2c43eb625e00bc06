"""The tuned numbers of simplification, and what they were tuned on.

The engine's were settled on 400 development sentences, whose references are Turk's tune set and ASSET's
validation set. The rubric judge's were settled on human simplifications beside copies, halves and answers
with made-up content, and the notes say where one was fitted; whoever changes one raises `RUBRIC_VERSION`.
What both do on sentences that they were not tuned on is in `docs/simplify.md`. Levels are CEFR levels (one is
the step from B1 to B2), nats are natural logarithms of probabilities, likeness is a cosine.
"""

from __future__ import annotations

from typing import Final

# Versions of a sentence, and what tells that words were moved (simplifying.py, policy.py).

VERSION_STEP: Final = 5.0
"""How much more the best version of a sentence is wished for than the next one."""
COMMONEST: Final = 5.5
"""The Zipf frequency from which words are so common that their moving says nothing."""

# The engine: which changes are proposed (changes.py).

LIST_PHRASE_WORDS: Final = 5
"""Words of a phrase in the list, at most."""
THESAURUS_EASIER: Final = 0.7
"""Levels that a word of the thesaurus must be easier by: it knows nothing of the sense that is meant."""
THESAURUS_WORDS: Final = 5
"""Words that the thesaurus proposes for one, at most."""
EDITOR_STRETCH_WORDS: Final = 5
"""Words of the editor's answer that may be one change; a longer stretch is another sentence."""
EDITOR_STEM: Final = 4
"""Letters at the beginning by which two words are taken for forms of one."""
CUT_CHEAP: Final = 1.0
"""What a cut may cost that few answers make: wordy phrases, adverbs that only stress."""
CUT_DEAR: Final = 3.0
"""What a cut may cost at most, however many answers make it."""
CUT_VOTES: Final = 0.25
"""The share of the editor's answers that must lack a phrase for a dear cut."""
CUT_GONE: Final = 0.7
"""The share of a phrase's words that an answer lacks which has left it out."""
SPLIT_WORDS: Final = 13
"""Words of a sentence that a reader would rather have as two."""
SPLIT_PIECES: Final = 3
"""Sentences that may come of one: more read like a list."""

# The engine: which changes are made (scoring.py, engine.py).

EASIER_FOR_SURE: Final = 0.15
"""Levels that make words easier, beyond doubt."""
LIST_DOUBT: Final = 0.6
"""Levels by which a word of the list may seem harder than what it stands for: levels are no more exact."""
FLUENCY_MOST: Final = 6.0
"""A gain of more nats says that the model knows the new words better, not that they fit better."""
CHANGE_LIKENESS: Final = 0.9
"""How like the sentence must stay with the change alone."""
DELETION_LIKENESS: Final = 0.97
"""The same for words that are left out though no answer of the editor does without them."""
SENTENCE_LIKENESS: Final = 0.85
"""How like a sentence must be to what it was, with all its changes."""
TRUST: Final = {"list": 1.2, "thesaurus": 0.0, "editor": 0.4, "rules": 0.0}
"""What speaks for a change by who proposes it: the list of simpler words was made for this."""
FLUENCY_LEAST: Final = {"list": -9.0, "thesaurus": -3.0, "editor": -4.0, "rules": -4.0}
"""Nats that a change may cost in fluency, by who proposes it."""
NEARNESS_LEAST: Final = {"list": 0.0, "thesaurus": 0.4, "editor": 0.3, "rules": 0.0}
"""How near the new words must be to the old ones by themselves, by who proposes them."""
VOTES_ENOUGH: Final = 0.25
"""The share of the editor's answers that carries a change, whatever its words are by themselves."""
SCORED_WORDS: Final = 50
"""Words among which a change is scored, at most: what stands further off says little of it."""
SPLIT_NATS: Final = 0.6
"""Nats a token that two sentences may be less likely than one."""

# The engine: whole answers of the editor (scoring.py).

ANSWER_LIKENESS: Final = 0.92
ANSWER_GONE: Final = 0.25
"""The share of the words of content that a rewritten sentence may do without."""
ANSWER_LONGER: Final = 1.15
"""How much longer it may be: sentences take their subject up again."""
ANSWER_VOTES: Final = 2
"""Votes for an answer that may have a word of content more than the sentence."""

# The alignment of words (judging/alignment.py).

TAU: Final = 0.88
THRESHOLD: Final = 0.40
REGULARISATION: Final = 0.05
SAME_BASE: Final = 0.1
"""What is added to the similarity of words of one base form."""
DISTORTION: Final = 0.2
"""The share of the similarity that is lost from one end of the text to the other."""

# The rubric judge: words (judging/counting.py).

RUBRIC_VERSION: Final = 3
"""Raised whenever the same candidates may get other points."""
EASIER: Final = 0.3
"""A third of a level: less than that is no difference between two words."""
HARDER: Final = 0.7
LEVELS_FULL: Final = 1.5
"""Levels that a word must fall or rise by to count in full."""
HARDER_FROM: Final = 3.2
"""No word below this level is hard for anyone, whatever it stands for."""
FITTING: Final = 5.0
DOUBTFUL: Final = 12.0
STRANGE: Final = 16.0
"""How doubtful a new word is after the source: half of those that people put are below the first, nine of ten
below the second; most of those put at random are above it."""
STANDS_FOR: Final = 3
"""Words that may stand for one; more of them are an insertion."""
EASED: Final = 0.1
HARDENED: Final = 0.3
"""Levels by which words must be easier or harder on the whole."""
FEW_WORDS: Final = 3
USUAL_LEVEL: Final = 2.5
"""Few words say little of how difficult a text is: so many more of that level are taken to be there."""
NONE_EASIER: Final = 0.5
"""What it counts that no word was touched."""
MAY_GO: Final = 0.1
TOO_MUCH_GONE: Final = 0.2
"""The share of a sentence that may go, beside one word, before what goes is important; and what more is one
full loss."""
SURPLUS_FREE: Final = 1
"""Words that may be new, and that may be said again: nearly all human simplifications have no more."""
SURPLUS_FULL: Final = 2.0
"""New words that make one full change of meaning."""
SURPLUS_STEM: Final = 5
"""Letters at the beginning by which a new word is taken for a form of one in the source."""
SURPLUS_IDLE: Final = 0.6
"""The share of a sentence that is new or said before from which it tells nothing of the source."""
MEANING_MOST: Final = 4.0
"""The most that one count of changed meaning, or of words said again, amounts to."""

# The rubric judge: structure (judging/structure.py).

LOAD_WORD: Final = 0.12
LOAD_CLAUSE: Final = 1.0
LOAD_PREPOSITION: Final = 0.5
LOAD_DEPTH: Final = 0.1
LOAD_BEFORE_VERB: Final = 0.1
"""How hard a sentence is to take in, by its words, its subordinate clauses, its prepositional phrases inside
one another, the depth of its tree, and the words before its verb."""
LOAD_WITHOUT_TREE: Final = 1.8
"""How many times its words count where there is no tree."""
LOAD_HARD: Final = 3.5
"""A sentence that is as hard to take in as one of 16 words with a clause inside another."""
LOAD_CHANGED: Final = 0.25
LOAD_FULL: Final = 2.0
"""By how much a text must get lighter or heavier to be another, and to count in full."""
LOAD_MOST: Final = 1.25
WORTH_SPLITTING: Final = 14
"""Words from which a sentence is worth splitting."""
REORDERED: Final = 0.15
"""The share of word pairs that stand the other way round, from which a text is reordered."""
READS_WORSE: Final = 0.7
READS_WORST: Final = 5.0
"""By how much the logarithm of the perplexity may grow before a text reads worse, and what counts at most."""
SHORTER_SURPRISE: Final = 0.5
"""How much of the logarithm of its being shorter is taken off: a short text is surprising for being short."""

# The rubric judge: what the source says, and points (judging/rubric.py).

NEAR_WORTH: Final = 15.0
HALF_WAY: Final = 0.5
"""A word that is nearer than half way to a word of the source is worth so many nats less surprise: both
together tell words that people put from words put at random better than either."""
UNLIKELY: Final = 0.6
UNLIKELY_NEW: Final = 3.6
UNLIKELY_SHORTER: Final = 1.3
UNLIKELY_FULL: Final = 0.6
"""After its source, a token of a human simplification is less likely than one of the source itself by
`UNLIKELY`, by `UNLIKELY_NEW` for the share of its words that are new, and by `UNLIKELY_SHORTER` for the share
by which it is shorter (in nats; fitted to 240 of them, r = 0.66, so that four in five are below). One that is
less likely by `UNLIKELY_FULL` more says something else."""
LIKE_SOURCE: Final = 0.85
UNLIKE_FULL: Final = 0.2
"""Human simplifications are seldom less like their source than 0.85; halves of them nearly always are."""
UNMISSED: Final = 0.4
"""What a loss counts at least, where a text is still like its source: much is said in passing."""
STRUCTURE_WORTH: Final = 0.8
"""What a point for structure is worth overall beside one for words, where meaning is counted."""
NUMBER_LOST: Final = 0.4
"""What a number is worth that is left out: most often it stands in brackets, with what it is about."""
NOT_ALLOWED: Final = -2.0
"""What a candidate is given that does what the policy does not allow, where that decides."""
