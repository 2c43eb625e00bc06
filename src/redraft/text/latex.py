"""What in a LaTeX text is not prose: one pass over its commands, with no grammar that broken input can break.

The preamble, figures, tables, listings and displayed maths are blocks. The text of a heading, of a list item
and of a command such as `\\emph{…}` stays open to editing. Inline maths, a citation, a cross-reference, a URL
and an own command without arguments (`\\ourmethod`) count as one word each; a footnote counts nothing and is
left as it is.
"""

from __future__ import annotations

import re
from typing import Final

from redraft.text.markup import Piece, Role, Scan, ordered
from redraft.text.word_lists import word_sets

_TOKEN: Final = re.compile(
    r"\\(?P<accent>['\"`^~=.](?=\{?\\?[A-Za-z])|(?:[cuvHkdbrt](?=\{\\?[A-Za-z]\}))|(?:ss|o|O|aa|AA|ae|AE|oe|OE|l|L|i|j)(?![A-Za-z@]))"
    r"|\\(?P<command>[A-Za-z@]+\*?)"
    r"|(?P<display>\\\[|\$\$)"
    r"|(?P<inline>\\\(|\$)"
    r"|\\(?P<escape>[^A-Za-z@]|\Z)"
    r"|(?P<comment>%[^\n]*+\n?+[ \t]*+)"
    r"|(?P<brace>[{}])"
    r"|(?P<tie>~)"
)
_BRACE: Final = re.compile(r"\\.|%[^\n]*+|([{}])", re.DOTALL)
_OPTION: Final = re.compile(r"[ \t]?\[[^\]\n]{0,500}+(?:\n[^\]\n]{1,500}+){0,5}+\]")
_ENVIRONMENT: Final = re.compile(r"\s?\{([^{}\s]{1,64}?)\*?\}")
_INLINE_MATHS: Final = re.compile(r"\$(?:[^$\\\n]|\\.|\n(?!\s*\n))*+\$", re.DOTALL)
_ACCENTED: Final = re.compile(r"\{\\?[A-Za-z]?\}|\\[ij](?![A-Za-z])|[A-Za-z]")
_LETTERS: Final = re.compile(r"[A-Za-z]*+")
_REFERENCE_NAME: Final = re.compile(
    r"(?i:c?cite|cref).*|.*(?:[Rr]efs?|[Cc]ites?)\Z|(?i:sect?|fig|tab|eqn?|chap|app|thm)s?\Z"
)
_SETTING_NAME: Final = re.compile(r"index.*|.*label\Z")
_KEY: Final = re.compile(r"\{[^\s{}\\$]{0,80}[:_][^\s{}\\$]{1,80}\}")
_VERB: Final = re.compile(r"(?:verb|lstinline|mintinline)\*?\Z")
_VERB_BODY: Final = re.compile(
    r"(?:\[[^\]\n]{0,200}\])?(?:\{[a-z]{1,20}\}(?=[{|]))?(?:\{[^{}\n]*+\}|([^\sA-Za-z{*])[^\n]{0,1000}?\1)"
)
_SPACED_ARGUMENT: Final = re.compile(r"[ \t]*+(?:\n[ \t]*+)?+(?=\{)")


_NAMES: Final = word_sets(__package__, "latex.txt")
"""Commands and environments, by how they are read."""


def latex_pieces(text: str) -> list[Piece]:
    """The mark-up of a LaTeX text, in order and apart from one another."""
    return ordered(_Latex(text).pieces)


class _Latex(Scan):
    """The marks of a whole text."""

    tokens = _TOKEN

    def __init__(self, text: str) -> None:
        super().__init__(text, len(text))
        self.closing = _matching_braces(text)
        self.closers: dict[int, Role] = {}  # a closing brace that belongs to a command, and how it reads
        position = 0
        opening = re.search(r"\\begin\s?\{document\}", text)
        if opening:
            position = self._add(0, opening.end(), "block")
            ending = text.find(r"\end{document}", position)
            if ending >= 0:
                self.end = ending
                self._add(ending, len(text), "block")
        self.scan(position)

    def _accent(self, match: re.Match[str]) -> int:
        """A letter with an accent, with the word that it stands in: one word, and safest left whole."""
        start = match.start()
        floor = self.pieces[-1].end if self.pieces else 0
        while start > floor and self.text[start - 1].isalpha():
            start -= 1
        end = match.end()
        accented = _ACCENTED.match(self.text, end, self.end)
        if accented and (not match["accent"].isalpha() or accented[0].startswith("{")):
            end = accented.end()
        letters = _LETTERS.match(self.text, end, self.end)
        end = letters.end() if letters else end
        if self.pieces and self.pieces[-1].end == start and self.pieces[-1].role == "word":
            start = self.pieces.pop().start
        return self._add(start, end, "word")

    def _display(self, match: re.Match[str]) -> int:
        end = self._find(r"\\\]" if match[0] == r"\[" else r"\$\$", match.end())
        if end < 0:
            return self._add(*match.span(), "silent")
        return self._displayed(match.start(), end)

    def _displayed(self, start: int, end: int) -> int:
        """Displayed maths is part of its sentence, unless blank lines set it apart."""
        before = self.text[max(0, start - 40) : start].rstrip(" \t")
        after = self.text[end : end + 40].lstrip(" \t\r")
        apart = (not before or before.endswith(("\n\n", "\r\n\r\n"))) and (
            not after or after.startswith("\n")
        )
        return self._add(start, end, "block" if apart else "display")

    def _inline(self, match: re.Match[str]) -> int:
        if match[0] == "$":
            maths = _INLINE_MATHS.match(self.text, match.start(), self.end)
            end = maths.end() if maths else -1
        else:
            end = self._find(r"\\\)", match.end())
        if end < 0:
            return self._add(*match.span(), "silent")
        return self._add(match.start(), end, "word")

    def _escape(self, match: re.Match[str]) -> int:
        spaced = match["escape"] in ("\\", " ", ",", "/", "", "\n", ";", ":", "!")
        return self._add(*match.span(), "space" if spaced else "silent")

    def _comment(self, match: re.Match[str]) -> int:
        return self._add(*match.span(), "space")

    def _tie(self, match: re.Match[str]) -> int:
        return self._add(*match.span(), "space", masked=False)

    def _brace(self, match: re.Match[str]) -> int:
        return self._add(*match.span(), self.closers.get(match.start(), "silent"))

    def _command(self, match: re.Match[str]) -> int:
        start, end = match.span()
        name = match["command"].rstrip("*")
        if name in ("begin", "end"):
            return self._environment(start, end, name)
        if _VERB.match(name):
            body = _VERB_BODY.match(self.text, end, self.end)
            return self._add(start, body.end() if body else end, "word")
        if name == "item":
            return self._add(start, self._options(end), "break")
        if name in _NAMES["headings"]:
            return self._open(start, self._options(end), "block")
        if role := _role(name):
            return self._add(start, self._arguments(end), role)
        after = self._options(end)
        if name in _NAMES["first_argument"]:
            after = self._group(after)
        if self.text.startswith("{}", after):
            return self._add(start, after + 2, "silent" if name in _NAMES["bare"] else "word")
        closed = self._group(after)
        if closed > after:
            if _KEY.fullmatch(self.text, after, closed):
                return self._add(start, closed, "reference")  # an own command for references: \\fig{fig:map}
            return self._open(start, after, "silent")
        return self._add(start, end, "silent" if name in _NAMES["bare"] else "word")

    def _open(self, start: int, position: int, role: Role) -> int:
        """A command up to the brace of its text; the brace that closes it reads the same way."""
        spaced = _SPACED_ARGUMENT.match(self.text, position, self.end)
        brace = spaced.end() if spaced else position
        if brace in self.closing and self.closing[brace] < self.end:
            self.closers[self.closing[brace]] = role
            return self._add(start, brace + 1, role)
        return self._add(start, position, role)

    def _environment(self, start: int, end: int, command: str) -> int:
        named = _ENVIRONMENT.match(self.text, end, self.end)
        if not named:
            return self._add(start, end, "silent")
        name = named[1]
        if command == "begin" and (name in _NAMES["displays"] or name in _NAMES["blocks"]):
            ending = "\\end" + self.text[end : named.end()].lstrip()
            closed = self._find(re.escape(ending), named.end())
            if closed >= 0:
                return (
                    self._displayed(start, closed)
                    if name in _NAMES["displays"]
                    else self._add(start, closed, "block")
                )
        return self._add(start, self._arguments(named.end()) if command == "begin" else named.end(), "break")

    def _options(self, position: int) -> int:
        """Past the optional arguments in brackets."""
        while option := _OPTION.match(self.text, position, self.end):
            position = option.end()
        return position

    def _group(self, position: int) -> int:
        """Past one argument in braces, where one stands here."""
        closing = self.closing.get(position, -1)
        return closing + 1 if 0 <= closing < self.end else position

    def _arguments(self, position: int) -> int:
        """Past every argument that follows."""
        while True:
            after = self._group(self._options(position))
            if after == position:
                return position
            position = after


def _role(name: str) -> Role | None:
    """How a command is read together with all its arguments; None where some of them are text."""
    if name in _NAMES["references"] or _REFERENCE_NAME.match(name):
        return "reference"
    if name in _NAMES["words"]:
        return "word"
    if name in _NAMES["notes"]:
        return "silent"
    return "space" if name in _NAMES["settings"] or _SETTING_NAME.match(name) else None


def _matching_braces(text: str) -> dict[int, int]:
    """For each opening brace that is closed, where."""
    closing: dict[int, int] = {}
    opened: list[int] = []
    for match in _BRACE.finditer(text):
        if match[1] == "{":
            opened.append(match.start())
        elif match[1] == "}" and opened:
            closing[opened.pop()] = match.start()
    return closing
