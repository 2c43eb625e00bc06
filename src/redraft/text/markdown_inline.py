"""What in a Markdown text is not prose: the marks within its lines."""

from __future__ import annotations

import re
from typing import Final

from redraft.text.markup import Piece, Role

_INLINE: Final = re.compile(
    r"(?P<latex>\\[(\[])"
    r"|(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<code>`+)"
    r"|(?P<maths>\${1,2})"
    r"|(?P<comment><!--)"
    r"|(?P<auto><(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]{0,2000}|[\w.+-]{1,64}@[\w.-]{1,255})>)"
    r"|(?P<url>(?:https?://|www\.)[^\s<>\"“”。，、）]+)"
    r"|(?P<raw><(?:pre|script|style)\b[^<>]{0,2000}>)"
    r"|(?P<silent></?[A-Za-z][A-Za-z0-9-]{0,31}(?:\s[^<>]{0,2000})?/?>"
    r"|\[\^[^\]\s]{1,100}\]|&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
    r"|(?P<cite>\[[^\]\[\n]{0,80}?-?@[^\]\[\n]{1,300}\])"
    r"|(?P<open>!?\[)"
    r"|(?P<close>\])"
    r"|(?P<emphasis>\*+|_+|~~)"
    r"|(?P<turn>(?<![ ])[ ]{2,}+(?=\r?\n[ \t]*+[A-Z]))"
)
_TARGET: Final = re.compile(
    r"\([ \t]*+(?:<[^<>\n]{0,2000}>|[^\s()]{0,2000}(?:\([^\s()]{0,500}\)[^\s()]{0,500}){0,4})"
    r"(?:(?:\s++|(?<=[ \t]))(?:\"[^\"\n]{0,500}\"|'[^'\n]{0,500}'))?[ \t]*+\)(?:\{[^{}\n]{0,200}\})?"
    r"|\[[^\]\[\n]{0,200}\]"
)
_URL_TAIL: Final = ".,;:!?'\"*_~)]"
_INLINE_MATHS: Final = re.compile(r"\$(?![\s$])(?:[^$\\\n]|\\[^\n]|\n(?!\s*\n))++(?<!\s)\$(?!\d)")
_LATEX_MATHS: Final = re.compile(
    r"\\(?:\((?:[^\\\n]|\\[^()\n]|\n(?!\s*\n)){1,1000}+\\\)|\[(?:[^\\]|\\[^\[\]]){1,4000}+\\\])"
)
_MATHS_SIGN: Final = re.compile(r"[\\^_={}<>+|]")
_PROSE: Final = re.compile(r"[^\W\d_]{3}")  # \[sic\]: brackets that are no link's
_DISPLAY_END: Final = re.compile(r"\$\$")
_COMMENT_END: Final = re.compile(r"-->")
_LONGEST_TICKS: Final = 16  # a longer run is an ornament; bounding it keeps time linear
_OPEN_LINKS: Final = 64  # brackets remembered, innermost last: deeper nesting is no link


def inline_pieces(text: str, start: int, end: int) -> list[Piece]:
    """The marks within a stretch of running text."""
    return _Scan(text, start, end).pieces


class _Scan:
    """One pass over a stretch; each step returns where the next begins."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.end = end
        self.pieces: list[Piece] = []
        self.opened: list[tuple[int, bool]] = []  # brackets that may be links, and whether they are images
        self.hopeless: set[str] = (
            set()
        )  # endings known not to come again: looked for once, so time stays linear
        position = start
        while match := _INLINE.search(text, position, end):
            position = getattr(self, f"_{match.lastgroup}")(match)

    def _add(self, start: int, end: int, role: Role, *, masked: bool = True) -> int:
        self.pieces.append(Piece(start, end, role, masked))
        return end

    def _find(self, ending: str, pattern: re.Pattern[str], position: int) -> int:
        """Where an ending is complete; -1 where it does not come."""
        if ending in self.hopeless:
            return -1
        found = pattern.search(self.text, position, self.end)
        if not found:
            self.hopeless.add(ending)
            return -1
        return found.end()

    def _latex(self, match: re.Match[str]) -> int:
        maths = _LATEX_MATHS.match(self.text, match.start(), self.end)
        body = maths[0][2:-2] if maths else ""
        if not maths or (_PROSE.search(body) and not _MATHS_SIGN.search(body)):
            return self._escape(match)
        return self._add(match.start(), maths.end(), "display" if match[0] == r"\[" else "word")

    def _escape(self, match: re.Match[str]) -> int:
        self._add(match.start(), match.start() + 1, "silent", masked=False)
        return match.end()

    def _code(self, match: re.Match[str]) -> int:
        ticks = match[0]
        if len(ticks) > _LONGEST_TICKS:
            return match.end()
        end = self._find(ticks, re.compile(rf"(?<!`){ticks}(?!`)"), match.end())
        return self._add(match.start(), end, "word") if end >= 0 else match.end()

    def _maths(self, match: re.Match[str]) -> int:
        if match[0] == "$":
            inline = _INLINE_MATHS.match(self.text, match.start(), self.end)
            return self._add(match.start(), inline.end(), "word") if inline else match.end()
        end = self._find("$$", _DISPLAY_END, match.end())
        return self._add(match.start(), end, "display") if end >= 0 else match.end()

    def _comment(self, match: re.Match[str]) -> int:
        end = self._find("-->", _COMMENT_END, match.end())
        return self._add(match.start(), end, "space") if end >= 0 else match.end()

    def _url(self, match: re.Match[str]) -> int:
        address = match[0].rstrip(_URL_TAIL)
        if match[0].startswith(")", len(address)) and "(" in address:
            address += ")"
        return self._add(match.start(), match.start() + len(address), "word")

    def _cite(self, match: re.Match[str]) -> int:
        return self._add(match.start(), match.end(), "reference")

    def _auto(self, match: re.Match[str]) -> int:
        return self._add(match.start(), match.end(), "word")

    def _raw(self, match: re.Match[str]) -> int:
        ending = f"</{re.split(r'[^A-Za-z]', match[0][1:])[0].lower()}>"
        end = self._find(ending, re.compile(ending, re.IGNORECASE), match.end())
        if end < 0:
            return self._silent(match)
        return self._add(match.start(), end, "word" if ending == "</pre>" else "space")

    def _silent(self, match: re.Match[str]) -> int:
        return self._add(match.start(), match.end(), "silent")

    def _open(self, match: re.Match[str]) -> int:
        self.opened.append((match.start(), match[0] == "!["))
        del self.opened[:-_OPEN_LINKS]
        return match.end()

    def _close(self, match: re.Match[str]) -> int:
        """The end of a link's text, if a target follows: its text stays open to editing."""
        if not self.opened:
            return match.end()
        bracket, image = self.opened.pop()
        target = _TARGET.match(self.text, match.end(), self.end)
        if not target:
            return match.end()
        if image:
            return self._add(bracket, target.end(), "silent")
        self._add(bracket, bracket + 1, "silent")
        return self._add(match.start(), target.end(), "silent")

    def _turn(self, match: re.Match[str]) -> int:
        return self._add(match.start(), match.end(), "break", masked=False)

    def _emphasis(self, match: re.Match[str]) -> int:
        """A run of stars, underscores or tildes; `2 * 3` and `snake_case` have none that marks anything."""
        start, end = match.span()
        before = self.text[start - 1] if start else " "
        after = self.text[end] if end < len(self.text) else " "
        inside = match[0][0] == "_" and before.isalnum() and after.isalnum()
        if not inside and not (before.isspace() and after.isspace()):
            self._add(start, end, "silent", masked=False)
        return end
