"""The numbers of a revision that were chosen by trial, in one place.

No record says which texts they were tried on; `benchmarks/revise.py` measures a revision before and after one
is changed. Two tables stand with their subject, and were found by `benchmarks/polish.py`: the margins of
corrections (`corrections/suggestions.py`) and the weights of the choice among them (`editing/editor.py`). The
limits of the search are those of the paper (`search/search.py`).
"""

from __future__ import annotations

from typing import Final

# What a candidate is worth beside the passage it would replace, in nats of the embedded model (appraisal).
ERROR_COST: Final = 5.0
"""What an error costs."""
MEANING_CHANGE_COST: Final = 10.0
"""What a change of meaning costs: a number, a name, a negation."""
LOST_WORD_COST: Final = 0.9
"""What a word of the original costs that is gone, meaning and all."""
CUT_WORD_SHARE: Final = 0.7
"""The share of its meaning that a word takes along at least when it is cut from a passage."""
NAME_WEIGHT: Final = 4.0
"""The words that a name, a date or a number in a passage counts for when the passage is left out."""
RELIEF_SHARE: Final = 0.5
"""The share of what a passage is worth that its surprise can take off, at most, when it is left out."""
LENGTH_ALLOWANCE: Final = 0.95
"""How much of its usual surprise a token is granted: at 1 a text could gain by mere padding."""
LEAST_LIKENESS: Final = 0.8
"""How like the passage a rewriting must be that was asked for."""
IMPROVEMENT_LIKENESS: Final = 0.85
"""How like the passage an improvement of it must be."""
MOST_WORDS_GONE: Final = 0.25
"""The share of its words of content that an improvement may do without."""
NEW_WORD_COST: Final = 4.0
"""Nats that each new word of content has to bring, beside those that mend an error."""
CLEAR_GAIN: Final = 3.0
"""Nats that make an improvement clear where no error is mended."""
ANY_CHANGE_COST: Final = 0.5
"""What any change costs: a reader has to look at it."""

# What options count for before and while they are scored (selection).
PROPOSED: Final = 1e-6
"""The value of a proposal before it is scored: it has to be better than what it would replace."""
BOUND: Final = 4.0
"""That of one which helps to keep a bound: it is left to the judge, and a little before a rule's."""
GOAL: Final = 20.0
"""That of one which does what the instruction asks for: it has to be sound."""
TRUSTED: Final = 100.0
"""That of a passage as a trusted model wrote it: more than a rule can gain, less than any fault costs."""
TRUSTED_AGAIN: Final = 99.0
"""That of its answer where it was asked again."""
MOST_FLUENCY: Final = 8.0
"""Nats that the fluency of a rewriting that was asked for counts for, at most, one way or the other."""
REWRITTEN_WORD_COST: Final = 1.0
"""What each new word of content costs in such a rewriting."""
REWRITTEN_LOSS_COST: Final = 0.45
"""What a word costs, beside its usual cost, that such a rewriting does without."""
SOUNDNESS_WORTH: Final = 25.0
"""What it costs such a rewriting to be surely worse English than its source."""
OWN_WORDS: Final = 5.0
"""What it is worth that it does with the writer's own words, all of them."""
SAMENESS_WORTH: Final = 20.0
"""What it costs such a rewriting to say surely something else."""
CHAINED_COST: Final = 8.0
"""What each further "and" costs in a sentence of several, and each sentence beyond two that are one."""
LOOSE_JOIN_COST: Final = 4.0
"""What it costs to join two sentences by "and" that nothing else joins."""
RELATED_JOIN_WORTH: Final = 8.0
"""What it is worth to join them by what they have to do with each other."""
JOIN_COST: Final = 0.5
"""What joining costs at the least where a rule does it: one too many is joined for nothing."""
UNRELATED_COST: Final = 5.0
"""What it costs to make one of two sentences that speak of different things."""
SIBLINGS_SCORED: Final = 4
"""Options for the same place that are scored with one that is about to be chosen."""
GUESSED_VALUES: Final = {"split": -4.0, "merge": -4.0, "extension": -3.0, "keyword": -6.0, "restored": 0.0}
"""What the work of a tool is worth, as a rule, where it is not yet scored; by its name."""
RANK_COST: Final = 0.2
"""How much less each further candidate of a tool is worth: they come best first."""
GRADE_SLACK: Final = 0.05
"""How far inside the allowed reading grades the tangent aims."""
REPEATED_FILLER_COST: Final = 0.003
"""What using a filler phrase again counts for, beside a bound that is not kept."""
NOTHING_LEFT: Final = 1000.0
"""How many times worse than anything else it is to leave everything out, or all of a part."""
EMPTY_SECTION: Final = 0.05
"""What it counts for to leave nothing under a heading: as much as some claims."""

# What speaks for one edit of a correction (sifting). Found by a logistic regression on 480 edits that the
# editor makes in 118 passages, with errors (pairs that it did not learn from) and without (prose), each edit
# read by a language model: does it mend something, whatever the reference does?
EVIDENCE_BASE: Final = 0.7
CERTAINTY_WORTH: Final = 1.38
"""What it counts for how sure the editor is of its words, for each nat."""
GAIN_WORTH: Final = 0.17
"""What each nat counts for by which the sentence is likelier, up to MOST_GAIN of them."""
MOST_GAIN: Final = 10.0
DOUBT_WORTH: Final = 0.16
"""What the tagger's log-odds count for that something is wrong there."""
CARE_COST: Final = 0.44
"""What the log-odds that the other sentences are good English count for against it, up to MOST_ODDS: who
writes good English has not made an error here."""
MOST_ODDS: Final = 3.0
MENDED_WORTH: Final = 0.32
"""What it counts for that rules have mended something in the sentence."""
OTHER_COUNT_COST: Final = 0.51
"""What it counts for against an edit that there are more words after it, or fewer."""
DOUBTFUL_EVIDENCE: Final = -0.45
"""From this on an edit is made that the editor makes in the whole paragraph too."""
TAGGED_BASE: Final = -0.5
TAGGED_CERTAINTY_WORTH: Final = 0.2
TAGGED_GAIN_WORTH: Final = 0.16
SUPPORT_WORTH: Final = 0.34
"""The same for edits of the tagger, and what its own log-odds count for, up to MOST_SUPPORT: of 82 such
edits 15 of 22 that mend something are made, and four of 40 that do harm."""
MOST_SUPPORT: Final = 6.0
LEAST_TAGGED_CERTAINTY: Final = 8.0
"""The editor, asked about other words than its own, is never less sure than this."""
NEEDLESS: Final = -3.0
"""Of a larger model's correction an edit goes whose gain (nats) and doubt (the tagger's log-odds) come to no
more: of 492 edits in texts written for this, 18 of 106 that no reference has, and 4 of 386 others."""
FAR_LIKELIER: Final = 6.0
SURELY_WRONG: Final = 8.0
"""The gain and the doubt from which on another word is put that the tagger would not put itself."""
BEYOND_DOUBT: Final = 15.0
"""The gain from which on it is put whatever the tagger says: "who had cost less expensive"."""
MANY_ERRORS: Final = 2.5
"""Errors for 100 words that the tagger sees in a text that is corrected first, though nobody asked for it."""
PASSAGE_WORDS: Final = 110
"""Words of the longest passage that an editor is asked about at once."""
SURE_REWORDING: Final = -0.45
"""How sure the editor has to be of other words, which it also puts when it is asked about the paragraph."""
RESPELLING_COST: Final = 3.0
"""What a letter counts for (a logarithm) by which a word is off from the one that is meant."""
RESPELLING_GAIN: Final = 5.0
"""By how much likelier a sentence must be with the word that is meant, where several may be."""
FAR_TOO_LONG: Final = 3.0
"""A sentence of so many times the words allowed is split as far as it goes, and not cut down to its head."""
CORRECTED: Final = 30.25
"""The value of a correction of which each edit was decided by itself, and of nothing else (words count for
whole numbers): only the judge may refuse it."""
MENDED: Final = 15.25
"""That of a passage in which rules alone mended what they are sure of, where it refuses the former."""

# What a judge's verdict counts for (verdicts, selection, concerns). The judge gives probabilities; the costs
# are an order: all are below what a word too many counts for, and above what a sound option can gain. Tried
# on three texts of our own, a contract clause, an abstract and a complaint, of which the outputs were read.
SOUND: Final = 0.5
"""A sentence below this is broken, unless its source is no better."""
SURELY_SOUND: Final = 0.6
"""A sentence from this on has nothing wrong in it, if no error is found either."""
TIGHT_SOUND: Final = 0.15
"""A sentence without what says nothing is broken only below this: the rule errs less than the judge does."""
LISTED_SOUND: Final = 0.2
"""A sentence in which a listed phrase gave way to another is kept as it was below this, and if it is by
LISTED_WORSE below its source: a list errs less than the judge does of unusual words."""
LISTED_WORSE: Final = 0.3
LISTED_RANK: Final = 0.08
"""By how much better a sentence has to be for each step that its words stand later in the list."""
CLEARLY_WORSE: Final = 0.2
"""By how much it is below its source then."""
LEAST_SAMENESS: Final = 0.05
"""A passage below this says something else."""
CUT_LENGTH: Final = 0.9
"""The share of its source's words that a cut has at the most: it says less, which is not something else."""
DOUBTFUL_SAMENESS: Final = 0.5
"""A passage below this is named in the result as one that may say something else."""
CLEAR_IMPROVEMENT: Final = 0.8
"""What the judge has to say of an edit of a sentence with nothing wrong in it."""
BROKEN_COST: Final = 150.0
"""What a broken sentence costs: it is chosen where nothing else obeys."""
WORSE_COST: Final = 20.0
"""What each broken sentence of a passage costs besides: one is better than three."""
REVERSED_COST: Final = 400.0
"""What a statement costs that is turned round: worse than one that is gone."""
GUTTED_SHARE: Final = 0.4
"""The share of a passage's words that no reading grade is worth if it is not reached."""
LOST_FACT_COST: Final = 50.0
"""What a day or a number costs that a cut takes along."""
LOST_LIMIT_COST: Final = 60.0
"""What a condition or a denial costs that a cut takes along: about as much as a sentence."""
LOST_STATEMENT_COST: Final = 30.0
"""What it costs besides that a cut takes along a clause, which says something by itself."""
LOST_SCOPE_COST: Final = 15.0
"""What it costs besides that a denial holds of more than it did."""
LOST_LINK_COST: Final = 8.0
"""What a word for a cause or a contrast costs that a cut takes along."""
WHOLE_TIMES: Final = 3.0
"""How many times as dear it is that a passage says less where nobody asked for fewer words."""
PIECE_COST: Final = 0.5
"""What each sentence costs that a split makes: two that will do are better than three."""
TIE_COST: Final = 0.1
"""What each place further down the list of the rules' candidates costs a split."""
LAST_RESORT_COST: Final = 6.0
"""What it costs besides to split where no writer would."""
ASKED_TIMES: Final = 2.0
"""How many times as dear a fact is in a sentence of a kind that somebody asked to keep."""
OMITTED_SHARE: Final = 0.4
"""The share of what a cut would cost that leaving out the whole sentence costs besides."""
POINTED_AT_COST: Final = 40.0
"""What it costs besides where the next sentence speaks of it: who is "he" then?"""
OPENING_COST: Final = 100.0
"""What it costs besides to leave out the sentence that says what a text is about."""
LOSSY: Final = 14.0
"""What a cut loses from which on no reading grade is worth it."""
POOR: Final = 10.0
"""What the best that is found for a sentence costs from which on other splits of it are asked for."""
LOST_CONTENT_COST: Final = 4.0
"""What a word costs that a cut takes along and that says something (losses)."""
KEPT_WORD_COST: Final = 0.15
"""What any word costs that is cut: what may stay as it was stays."""
OTHERS_LOSS: Final = 2.0
"""How many times as dear it is where the editor leaves it out: it chooses what it pleases."""
NOTHING_LOST: Final = 2.0
"""What a rule's cut costs at the most that says the same: it leaves out what says nothing."""
ASIDE_SHARE: Final = 0.3
"""The share of it that is not counted for what the writer set apart: an aside, an example."""
ASIDE_FACTS: Final = 0.6
"""The share of what a day or a number costs that is not counted there."""
SAID_ELSEWHERE: Final = 0.6
"""The share of it for what is spoken of elsewhere too."""
NEW_FOR_OLD: Final = 0.5
"""The share of it where a new word may say the same."""
MOST_CUT_FLUENCY: Final = 2.0
"""Nats that the fluency of a cut counts for, at most: filler is predictable, and would be dear to cut."""
OMISSION_COSTS: Final = {
    "repetition": 0.0,
    "ceremony": 3.0,
    "example": 5.0,
    "attribution": 15.0,
    "other": 60.0,
    "claim": 120.0,
    "step": 200.0,
    "rule": 300.0,
}
"""What leaving a sentence out costs beside its words, by its kind (omission).

What is said elsewhere, an example or who said it may go before a cut is tried; another sentence goes where no
sound cut will do; a claim rather than be broken; a rule or a promise is broken, and named, before it goes.
"""

# How long a repair goes on (repair).
REPAIR_ROUNDS: Final = 6
"""Choices that are tried, each after learning what the whole text counts for beyond its parts."""
SCORING_ROUNDS: Final = 3
"""How often the options of the latest choice are scored before the last choice."""
JUDGED_ROUNDS: Final = 10
"""The same where the judge found broken ones among them: what is not judged yet looks better than it is."""

# How far a faulty sentence is mended (candidates).
MENDING_BEAM: Final = 6
"""Versions of a sentence that are worked on further at each step."""
MENDING_STEPS: Final = 4
"""Rewritings in a row, at most."""

# What the editor is asked for a bound or a wish (controls).
CUT_SHARES: Final = (0.85, 0.7, 0.5)
"""The shares of its words that a sentence is to be cut to: a choice for what the whole text may have."""
CONCISE_SHARES: Final = (0.75,)
"""The same where no number of words is asked for."""
SPARE_WORDS: Final = 1.5
"""How many times the words that are too many could go, if all that is asked for came back."""
SHORTENED_FROM: Final = 1.8
"""How many times too long a sentence may be to be cut down; beyond that it is only split."""
LEAST_SPLIT: Final = 12
"""Words from which on a sentence is split for a reading grade, and to which at the least."""
SPLIT_ROUNDS: Final = 2
"""How often the sentences of a split that are still too long are split in turn."""
SPLITS_FOLLOWED: Final = 2
"""Splits of a sentence that are gone on with, and ways in which each is."""
NEARLY_SPLIT: Final = 6
"""Words that a sentence of a split may be too long by to be shortened, rather than split once more."""
GOOD_SPLIT: Final = 0.6
"""How likely a split has to be a good one for no other to be asked for: of such 68 % are."""
LIKELY_SPLIT: Final = 0.25
"""From here on it is offered, whatever the rules doubt: of the likeliest of a sentence 47 % are good then."""
SPLITS_OFFERED: Final = 2
SPLIT_WAYS: Final = (
    ((0, 0.85), (0, 0.75), (0, 0.62), (1, 1.0), (1, 0.75)),
    ((2, 1.0), (2, 0.75), (3, 1.0), (3, 0.75)),
)
"""By which wording, and with which share of the bound, the editor is asked for other splits, and for more
where none of these is good: asked for shorter ones than it need be, it makes some that are short enough."""
CONCISE_WORD: Final = 2.0
"""What a word that goes is worth, where a shorter text is wished for: more than a word of the original."""

# What is tried in one expansion of the search (expansion).
WISHED_ANSWERS: Final = 4
"""Answers of the editor for each sentence, at any effort, where it does what the instruction asks for."""
TRIMS_TRIED: Final = 3
"""Versions without wordy phrases, of each sentence that the plan speaks of."""
SPELLING_LIKENESS: Final = 0.8
"""How like a misspelt word its correction must be."""

# How much of a text is read that nobody asked to change (revising).
READ_FOR_ALL: Final = 12
"""Sentences that are read for all that stay as they are, where only those that need it are worked on."""

# What the rules take for a weakness (plans).
AWKWARD: Final = 1.15
"""A passage is awkward from so many times the usual surprise on."""
LONG_SENTENCE: Final = 35
"""Words from which on a sentence is called long."""
SHORT_STYLE: Final = 12
"""Words of a style that the editor is told as it is."""
REPEATED_WORD: Final = 3
"""Times that a word stands in one passage before it is called repeated."""

SHORTER_PART: Final = 75
"""How much is left, in percent, of a part that is to be shorter, where nobody says how much."""
