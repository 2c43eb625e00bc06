"""The words and phrases that instructions are made of, each with a one-letter tag.

The rules match regular expressions against strings of tags, so a rule sees "do not alter the 3rd sentence"
as `v!AdR` and need not know which of forty verbs was used. A phrase wins over its first word.

    values      n number  r range of numbers  5 between  o ordinal  q quotation  p pattern
    units       w words  s sentences  g paragraphs  c characters  t times  f once, twice
    relations   < fewer than  > more than  { at most  } at least  = exactly  ~ about
                ] or fewer  [ or more
    verbs       K keep  A change  I improve  U use  Y say  D avoid, remove  C cut, shorten  G expand
                + add  H limit  M match  T start  J end  W write  O have, consist of  V another verb
    nouns       a changes  k count, length  l label of a keyword  z the text, it  P a part of the text
                N kinds of things to preserve
    state       u unchanged  y remain  8 off limits
    logic       ! not  0 no  - without  L only  X except  Z nothing  * everything  e each  S if, when
    glue        , : & and  | or  b but  d determiner  h with  2 to  i in  v auxiliary  m ensure  j adjective
                % in a sentence  ^ in some other part  9 last  # number sign  x anything else
    made by rules   R sentences named by number  Q keywords  B bound  F number of times  E preserved things
"""

from __future__ import annotations


def _forms(*verbs: str) -> str:
    """Regular verbs in every form; irregular ones are spelled out where they are listed."""
    found: list[str] = []
    for verb in verbs:
        stem = verb[:-1] if verb.endswith("e") else verb
        third = verb + ("es" if verb.endswith(("ch", "sh", "ss", "x")) else "s")
        if verb.endswith("y") and verb[-2] not in "aeiou":
            found += [verb, verb[:-1] + "ies", verb + "ing", verb[:-1] + "ied"]
        else:
            found += [verb, third, stem + "ing", stem + "ed"]
    return ";".join(found)


_TEXT_NOUNS = (
    "text output version revision result draft passage essay piece article response answer document letter email "
    "mail post memo message story blog abstract summary copy content write-up report paper reply statement note bio"
).split()

_PHRASES: dict[str, str] = {
    # units
    "w": "word;words;token;tokens;terms;term",
    "s": "sentence;sentences",
    "g": "paragraph;paragraphs;para;paras;para.",
    "c": "character;characters;char;chars;keystrokes;characters including spaces;characters with spaces",
    "t": "times;time;occurrences;occurrence;instances;instance;mentions of;occurrences of;instances of;appearances of;appearances;uses of;occasions",
    "f": "once;twice;thrice;one time;a single time",
    # relations
    "<": "fewer than;less than;under;below;beneath;shorter than;smaller than;lower than;<",
    ">": "more than;over;above;greater than;longer than;beyond;in excess of;upwards of;upward of;higher than;"
    "larger than;>;exceed;exceeds;exceeding;exceeded;surpass;surpasses;surpassing;go over;goes over;going over;"
    "go above;going above;go beyond;going beyond;go past;going past;run over;runs over;running over;run past;"
    "get over;get above;run longer than;runs longer than;north of;top;run beyond;longer",
    "{": "at most;no more than;not more than;no longer than;not longer than;no greater than;not greater than;"
    "up to;maximum of;max of;max;max.;maximum;at maximum;at max;within;<=;=<;≤;not over;not above;no higher than;"
    "no larger than;as many as;tops;at the most;maximum length;max length;maximum length of;not beyond;a max of;"
    "a maximum of;nothing over;nothing longer than;no over;not exceeding;maximal;at the very most;maxed at;"
    "capped at;cap of;ceiling of;limit of;an upper limit of;upper limit of;upper bound of;no bigger than",
    "}": "at least;no fewer than;no less than;not less than;not fewer than;minimum of;min of;min;min.;minimum;"
    "at minimum;at a minimum;>=;=>;≥;no shorter than;not shorter than;not below;not under;no lower than;"
    "at the least;at the very least;minimum length;min length;minimum length of;a minimum of;a min of;floor of;"
    "nothing under;nothing below;nothing shorter than;no smaller than;lower limit of;lower bound of",
    "=": "exactly;precisely;equal to;equals;equal;=;==;a total of;exact;total of;the exact",
    "~": "about;around;roughly;approximately;approx;approx.;circa;nearly;almost;close to;~;≈;"
    "in the region of;in the neighborhood of;in the neighbourhood of;give or take;or so;ish;somewhere around;"
    "give or take a few;average;on average;an average of;averaging;avg;in the vicinity of;±",
    "]": "or fewer;or less;or under;or below;or shorter;or lower;or smaller;or lesser",
    "[": "or more;or over;or above;or longer;or greater;or higher;and up;+;or larger",
    # nouns
    "a": "changes;edits;modifications;revisions;alterations;rewrites;corrections;adjustments;edit work;amendments;"
    "improvements;tweaks;intervention;interventions",
    "k": "count;counts;length;lengths;size;number of;tally",
    "l": "phrase;phrases;name;names of;keyword;keywords;key word;key words;expression;expressions;string;strings;"
    "acronym;label;labels;brand;buzzword;buzzwords;key term;key terms;key phrase;key phrases;abbreviation;"
    "verb;noun;adjective;adverb;cliché;cliche;jargon;filler;filler word;filler words;following words;spelling;"
    "technical term;technical terms;product name;pronoun;hashtag;heading;wording;cliches;clichés;adjectives;adverbs",
    "z": "it;this;whole thing;entire thing;overall;everything in total;"
    + ";".join(_TEXT_NOUNS)
    + ";"
    + ";".join(
        f"{adjective} {noun}"
        for adjective in ("revised", "edited", "rewritten", "updated", "final", "new", "following", "polished", "total")
        for noun in (*_TEXT_NOUNS, "one", "paragraph")
    ),
    "P": "title;titles;headline;headlines;headings;intro;introduction;conclusion;bullet;bullets;bullet point;"
    "bullet points;section;sections;subject line;caption;captions;line;lines;item;items;list;lists;footnote;"
    "footnotes;subheading;subheadings;chapter;chapters;page;pages;clause;clauses;half;part;parts;quote;word in;"
    "subject;preamble;greeting;opener;hook;slide;slides;tweet in;stanza;verse",
    "N": "numbers;figures;facts and figures;statistics;stats;numerical values;numeric values;numerical data;"
    "numerals;data points;numerical figures;numerical facts;"
    "quotations;quotes;direct quotes;direct quotations;quoted text;quoted material;quoted passages;"
    "names;named entities;named entity;entities;proper names;proper nouns;people's names;names of people;"
    "names and places;"
    "citations;in text citations;references;bibliographic references;"
    "links;urls;hyperlinks;web addresses;urls and links;hyperlink;url;"
    "number;quotation;citation;link;figure;entity",
    # state
    "u": "unchanged;unaltered;unmodified;untouched;unedited;intact;as is;as are;as it is;as they are;exactly as is;"
    "exactly as it is;exactly as they are;alone;verbatim;word for word;the same;exactly the same;identical;"
    "as written;exactly as written;in place;in its original form;in their original form;in original form;fixed;"
    "in its current form;in their current form;precisely as it is;precisely as they are;just as it is;"
    "just as they are;the way it is;the way they are;exactly the way it is;exactly the way they are;as it stands;"
    "as they stand;without alteration;without alterations;without change;without changes;without any change;"
    "without any changes;without modification;without modifications;without any modification;"
    "without any alterations;without any alteration;"
    "to the letter;letter for letter;in full;unrevised;frozen;locked;sacred;exactly like it is;completely alone;"
    "exactly as it appears;exactly as they appear;exactly as it was;exactly as they were;as it was;as they were;"
    "unaffected;entirely alone;well alone;in its present form;consistent;exactly as it stands;"
    "exactly as they stand;exactly as i wrote it;as i wrote it;as i wrote them;how it is;how they are;"
    "exactly as i wrote them;like it is;like they are;without modifying it;without altering it;without changing it",
    "y": "remain;remains;remaining;remained;stay unchanged;stays;staying put;stay put;be kept;is kept;are kept;"
    "be left;is left;are left;be preserved;is preserved;are preserved;be retained;is retained;are retained;"
    "be maintained;is maintained;are maintained;being kept;carry over;survive;survives;stand;stands;persist;"
    "stay;be protected",
    "8": "off limits;offlimits;out of bounds;taboo;hands off;untouchable;not to be touched",
    # logic
    "!": "not;never;neither;refrain from;refraining from;stop;quit;under no circumstances;by no means;not to;"
    "be careful not to;be sure not to;never ever;cease;hardly;resist",
    "0": "no;zero;none of;none",
    "-": "without;sans;minus;w/o",
    "L": "only;just;solely;exclusively;merely;simply;purely",
    "X": "except;except for;except in;except to;excepting;other than;apart from;aside from;besides;save;save for;"
    "with the exception of;outside;outside of;outside this range;barring;bar;except from;other than to;"
    "other than in;unless it is;excluding;apart from in;elsewhere than;not including",
    "Z": "nothing;nothing else;no other sentence;no other sentences;none of the other sentences;none of the others;"
    "none of the rest;no others;nothing at all;no other part;no other parts;no other line",
    "*": "everything;everything else;anything;anything else;the rest;all other sentences;all the other sentences;"
    "every other sentence;the other sentences;the remaining sentences;all the rest;all else;the others;"
    "any other sentence;any other sentences;all the others;all others;the rest of it;the rest of the text;"
    "all remaining sentences;other sentences;remaining sentences;the whole rest;any other part;other parts;"
    "rest of the text;rest;rest of it;any of the other sentences;any of the others;"
    "any of the sentences;anything in the text;any part;any part of the text;all of it;remainder;the remainder;"
    "the remaining text;the remaining ones;the other ones;everything in it;all other text;all text;the entire text",
    "e": "each;every;all;all of;each of;each and every;any;each one of;every one of;both;individual;every single;"
    "each single;any one;any single;each individual;either;all the",
    "S": "if;when;whenever;unless;because;since;although;once you;whether;where",
    # verbs
    "K": "keep;keeps;keeping;kept;leave;leaves;leaving;left;hold;hold on to;hang on to;hold onto;freeze;"
    "stick with;safeguard;" + _forms("preserve", "retain", "maintain", "conserve", "protect", "lock"),
    "A": _forms("change", "alter", "modify", "touch", "edit", "revise", "rephrase", "reword", "amend", "adjust")
    + ";"
    + _forms("tweak", "paraphrase", "update", "rework", "disturb", "redo", "redraft", "affect")
    + ";rewrite;rewrites;rewriting;rewritten;rewrote;re-write;re write;make changes to;make any changes to;"
    "make edits to;make any edits to;make modifications to;make any modifications to;making changes to;"
    "making any changes to;make alterations to;make any alterations to;make any change to;make a change to;"
    "tamper with;tampering with;mess with;messing with;fiddle with;play with;tampered with;messed with;"
    "make any edit to;apply any changes to;apply changes to;introduce changes to;introduce any changes to;"
    "make adjustments to;make any adjustments to;making edits to;making any edits to;make any revisions to",
    "I": _forms("improve", "polish", "refine", "enhance", "fix", "correct", "simplify", "proofread", "clarify"),
    "U": _forms("use", "mention", "contain", "include", "feature", "appear", "occur", "employ", "utilise", "utilize")
    + ";"
    + _forms("incorporate", "insert", "repeat", "reference")
    + ";make use of;making use of;show up;shows up;be present;is present;are present;turn up;come up;comes up;"
    "work in;refer to;have the word;crop up;be found;be there",
    "Y": "say;says;saying;said;utter;uttering;type;call it;calling it",
    "D": "drop;drops;dropping;dropped;omit;omits;omitting;omitted;ban;bans;banning;banned;forbid;forbids;forbidden;"
    "forbidding;strike;striking;take out;taking out;leave out;leaving out;left out;get rid of;getting rid of;"
    "steer clear of;steering clear of;stay away from;stay clear of;keep clear of;keep away from;strip;strip out;"
    "lose;free of;free from;devoid of;do away with;abstain from;weed out;cut out;edit out;take away;clear of;"
    "not allowed;not permitted;disallowed;rid of;do without;instead of;rather than;keep out;kept out;no use of;"
    "be gone;go away;disallow;remove any mention of;nix;removal of;"
    + _forms("avoid", "exclude", "remove", "delete", "eliminate", "prohibit", "scrap", "ditch", "skip", "purge")
    + ";"
    + _forms("erase"),
    "C": "cut;cuts;cutting;cut down;cut back;trim;trims;trimming;trimmed;trim down;bring;bringing;get;getting;slim;"
    "slim down;boil;boil down;squeeze;whittle;bring down;get down;shrink;shrinking;pare;pare down;tighten;distil;"
    "distill;come in;comes in;stay;stays;staying;fit;fits;fitting;fit it;whittle down;"
    + _forms("shorten", "reduce", "condense", "compress"),
    "G": "grow;growing;bring up;flesh out;pad;pad out;beef up;build out;bulk up;"
    + _forms("expand", "extend", "lengthen", "stretch"),
    "+": "add;adds;adding;added;append;appending",
    "H": "limit;limits;limiting;limited;restrict;restricts;restricting;restricted;confine;confines;confining;"
    "confined;cap;caps;capping;capped;ceiling;budget;quota",
    "M": "match;matches;matching;matched;a match of;match of;match for;matches of;matches for;satisfy;fit the pattern",
    "T": "start;starts;starting;begin;begins;beginning;open;opens;opening with;kick off;kicks off;lead;lead off",
    "J": "end;ends;ending;close;closes;finish;finishes;finishing;conclude;concludes;concluding;"
    "sign off;wrap up;wraps up",
    "W": "write;writes;writing;make;makes;making;produce;compose;give me;give;craft;create;turn;turning;summarise;summarize;aim;aim for;"
    "target;aiming for;shoot for;go for;deliver;generate;draft;provide;return;do it",
    "O": "have;has;had;consist of;consists of;consisting of;comprise;comprises;comprising;be made up of;"
    "run to;runs to;span;spans;come to;comes to;amount to;total;totals;totalling;totaling;"
    "be comprised of;be composed of;made up of;composed of;run;runs",
    "V": "merge;merging;combine;combining;split;splitting;join;joining;swap;move;moving;reorder;translate;"
    "highlight;check;replace;replacing;substitute;elaborate;convert;explain;punch up;break up;break;address;"
    "mind;respect;know",
    # glue
    "&": "and;plus;as well as;&;and also;along with;together with;and then;and please;also",
    "|": "or;nor;and/or;or even",
    "b": "but;while;whilst;yet;however;though;but also;then;so;whereas;thus",
    "d": "the;a;an;of;my;your;its;their;our;that;these;those;existing;current;from;on;for;"
    "use of;usage of;wording of;phrasing of;text of;content of;contents of;the use of;the usage of;form of;the term of;"
    "following;own;such;specific;single word;by;at;both the;any of;any use of;any mention of;any mentions of;all mentions of;"
    "all uses of;all instances of;every instance of;every mention of;any instance of;any instances of;every use of;"
    "any occurrence of;any occurrences of;all occurrences of;every occurrence of;"
    "references to;any reference to;any references to;all references to;anything like;at all;"
    "in any way;even;ever;still;always;completely;entirely;absolutely;exact wording of;exact phrasing of;"
    "original wording of;original phrasing of;original text of;structure of;meaning of;both of;their;his;her;"
    "either of;original;exact same;very;wording in;wording and structure of;phrasing in;the content in;either the;anywhere;"
    "alike;respectively;original version of;neither the;same",
    "h": "with;having;that has;that have;which has;which have;that is;that are;which are",
    "2": "to;down to;through;thru;until;till",
    "i": "in;into;as;inside;throughout;across",
    "v": "should;must;shall;will;would;may;can;could;might;do;does;did;is;are;be;been;being;was;were;has to;have to;"
    "needs to;need to;ought to;am;to be;let;us;allowed to;permitted to;supposed to;you;we;i;they;there;us;them;get to;"
    "is to;are to;itself;themselves;free to;to remain;be allowed to",
    "m": "ensure;ensures;ensuring;ensured;make sure;making sure;be sure;see to it;i need;i want;i'd like;need;want;"
    "require;requires;requiring;remember;please;be certain;being sure;guarantee;see that;make certain;required;"
    "needed;desired;demand;demands;needs;wants;allowed;acceptable;kindly;strictly;verify",
    "j": "short;long;concise;brief;complete;full;separate;distinct;crisp;clear;simple;plain;coherent;english;"
    "succinct;well written;in length;punchy;small;hard;strict;absolute;tight;tightly written;"
    "clean;readable;new style;snappy;well structured;real;written;actual;longish;shortish",
    "#": "#;no.;nos.;nr;nr.",
    # phrases that would otherwise be misread
    "%": "per sentence;a sentence;in each sentence;in every sentence;in any sentence;in a sentence;for each sentence;"
    "in any one sentence;in a single sentence;to a sentence;for every sentence;apiece;for any sentence;"
    "within each sentence;in all sentences;per each sentence;for all sentences;an sentence",
    "^": "per paragraph;in each paragraph;in every paragraph;per line;per bullet;per section;per page;per item;"
    "per bullet point;a paragraph;for each paragraph;in each section;in any paragraph;per chapter;per slide;"
    "per heading;in each bullet;per minute;per day;a day;per hour;per week;a week;per second",
    "5": "between;anywhere between;somewhere between;in between;anywhere from;somewhere from;in the range of;in the range",
    "9": "last;final;closing;penultimate;concluding;second to last;next to last;second last;third to last;last but one",
    "x": "keep in mind;keeping in mind;bear in mind;in terms of;terms of;on time;at a time;each other;just in time;"
    "no longer;no matter;no doubt;not only;not just;over time;over and over;all over;once and for all;at once;"
    "under way;word choice;word order;word choices;sentence structure;sentence structures;sentence flow;"
    "sentence variety;sentence rhythm;sentence openings;sentence fragments;in other words;in a word;above all;"
    "for the first time;second person;first person;third person;third parties;third party;the above;the below;"
    "at the same time;over to you;such as;as well;character development;main character;"
    "main characters;the characters;characters in;characters are;character names;left to;keep up;keep going;"
    "run on;run ons;term paper;short term;long term;last minute;more or less;none the less;over all",
}

# Where a word is listed twice ("changes", "stays"), the first listing counts: the verbs stand last.
_TAGS: dict[tuple[str, ...], str] = {}
for _tag, _listed in _PHRASES.items():
    for _phrase in _listed.split(";"):
        _TAGS.setdefault(tuple(_phrase.replace("-", " ").split()) or ("-",), _tag)

_LENGTHS: dict[str, list[int]] = {}
for _words in _TAGS:
    _LENGTHS[_words[0]] = sorted({*_LENGTHS.get(_words[0], ()), len(_words)}, reverse=True)


def longest(words: list[str], at: int) -> tuple[int, str]:
    """How many words the longest phrase at a place takes, and its tag."""
    for length in _LENGTHS.get(words[at], ()):
        phrase = tuple(words[at : at + length])
        if phrase in _TAGS:
            return len(phrase), _TAGS[phrase]
    return 1, "x"
