"""What in a Markdown text is not prose: its blocks, found line by line, and the marks within its lines.

CommonMark with tables, footnotes, task lists and maths. Front matter, code, tables, rules and definitions of
links are blocks. Link text, headings and list items stay open to editing; link targets, images, HTML tags and
footnote marks do not. Inline code, inline maths, a URL and a citation count as one word each.

markdown-it-py would not do: masking needs offsets, and it gives the lines of blocks and no place within them,
leaves definitions of links out, and knows neither front matter nor maths.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from redraft.text.markup import Piece, Scan, ordered

_LINE: Final = re.compile(r"[^\n]*\n|[^\n]+")
# A rule may open a text too: what follows must look like settings.
_FRONT: Final = re.compile(
    r"\A\ufeff?(?:(---)[ \t]*\r?\n(?=[\"']?[\w.-]{1,80}(?:[ ][\w.-]{1,80}){0,2}[\"']?[ \t]*:\s|\#|-[ ])"
    r"|(\+\+\+)[ \t]*\r?\n(?=[\"\w][^=\n]{0,200}=|\#|\[))"
)
_FENCE: Final = re.compile(r"(?:[ \t]*>)*[ \t]*(`{3,}|~{3,})([^\n]*)")
_MARKERS: Final = re.compile(
    r"[ \t]*+(?:(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*+){1,12}(?:\[[ xX]\][ \t]++)?+"
)
_HEADING: Final = re.compile(r"[ ]{0,3}#{1,6}(?:[ \t]+|(?=\r?\n|\Z))")
_HEADING_TAIL: Final = re.compile(r"(?<![ \t])[ \t]++#++[ \t]*+(?=\r?\n|\Z)")
_RULE: Final = re.compile(
    r"[ ]{0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|=+[ \t]*|-+[ \t]*)\r?\n?\Z"
)
_DEFINITION: Final = re.compile(r"[ ]{0,3}\[(?!\^)[^\]\n]{1,200}\]:[ \t]*\S")
_FOOTNOTE: Final = re.compile(r"[ ]{0,3}\[\^[^\]\s]{1,100}\]:[ \t]*")
_TAGS: Final = re.compile(r"[ \t]*+(?:</?[A-Za-z][^<>\n]{0,2000}>[ \t]*+)++\r?\n?\Z")
_TABLE_RULE: Final = re.compile(
    r"[ \t>]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*+\|?[ \t]*+\r?\n?\Z"
)
_RAW: Final = re.compile(r"[ ]{0,3}<(?:pre|script|style|textarea)(?=[\s>]|\Z)", re.IGNORECASE)
_RAW_END: Final = re.compile(r"</(?:pre|script|style|textarea)>", re.IGNORECASE)
_CODE_INDENT: Final = 4
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
_LONGEST_TICKS: Final = 16  # a longer run is an ornament; bounding it keeps time linear
_OPEN_LINKS: Final = 64  # brackets remembered, innermost last: deeper nesting is no link


def markdown_pieces(text: str) -> list[Piece]:
    """The mark-up of a Markdown text, in order and apart from one another."""
    blocks = ordered(list(_blocks(text)))
    pieces = list(blocks)
    position = 0
    for block in blocks:
        if block.role == "block" and block.masked:
            pieces.extend(_Inline(text, position, block.start).pieces)
            position = block.end
    pieces.extend(_Inline(text, position, len(text)).pieces)
    return ordered(pieces)


def markdown_tables(text: str) -> Iterator[tuple[Piece, list[Piece]]]:
    """Each table, and the mark-up in its cells; their words are read, though no sentence has them."""
    for block in ordered(list(_blocks(text))):
        _, rule, *_ = [*text[block.start : block.end].splitlines(), "", ""]
        if block.masked and "|" in rule and _TABLE_RULE.match(rule):
            yield block, ordered(_Inline(text, block.start, block.end).pieces)


def _blocks(text: str) -> Iterator[Piece]:
    """The blocks, and the marks that open a line."""
    lines = [match.span() for match in _LINE.finditer(text)]
    index = 0
    front = _front_matter(text)
    if front:
        yield Piece(0, len(text[:front].rstrip("\r\n")), "block")
        while index < len(lines) and lines[index][0] < front:
            index += 1
    blank, quoted = True, False
    items: list[int] = []  # the columns where the text of the list items begins that a line may belong to
    while index < len(lines):
        start, end = lines[index]
        line = text[start:end]
        if not line.strip():
            blank, quoted = True, False
            index += 1
            continue
        last = _block_end(text, lines, index)
        indent = _width(line[: len(line) - len(line.lstrip(" \t"))])
        if blank or last >= 0 or line[0] == ">" or _HEADING.match(line):
            while items and items[-1] > indent:
                items.pop()
        if last < 0 and _alone(line, blank, indent - (items[-1] if items else 0) >= _CODE_INDENT):
            last = index
        if last >= 0:
            # The line end stays outside, so that a placeholder stands on a line of its own.
            yield Piece(start, start + len(text[start : lines[last][1]].rstrip("\r\n")), "block")
            index, blank, quoted = last + 1, True, False
            continue
        opened = _opening(line, start, quoted)
        quoted = opened is not None and ">" in text[opened.start : opened.end]
        if opened:
            _enter(items, text[opened.start : opened.end], indent)
            yield opened
            start = opened.end
        yield from _line_marks(text, start, end)
        blank = False
        index += 1


def _width(opening: str) -> int:
    return len(opening.expandtabs(4))


def _enter(items: list[int], marks: str, indent: int) -> None:
    """Notes where the text of a list item begins; a list in a quotation ends with it."""
    marks = marks.partition(">")[0].partition("[")[0]
    bare = marks.rstrip(" \t")
    if not bare:
        return
    while items and items[-1] > indent:
        items.pop()
    column = _width(marks)
    items.append(column if column <= _width(bare) + _CODE_INDENT else _width(bare) + 1)


def _front_matter(text: str) -> int:
    """Where the front matter ends; 0 where there is none."""
    front = _FRONT.match(text)
    if not front:
        return 0
    mark = re.escape(front[1] or front[2])
    closing = re.compile(rf"^{mark}[ \t]*\r?\n?", re.MULTILINE).search(text, front.end())
    return closing.end() if closing else 0


def _block_end(text: str, lines: list[tuple[int, int]], index: int) -> int:
    """The last line of the code or the table that begins at a line; -1 where none does."""
    line = text[slice(*lines[index])]
    fence = _FENCE.match(line)
    if fence and not (fence[1][0] == "`" and "`" in fence[2]):
        return _fence_end(text, lines, index, fence[1])
    if _RAW.match(line):
        return _raw_end(text, lines, index)
    if "|" in line and index + 1 < len(lines) and _is_table(text, lines, index):
        last = index + 1
        while last + 1 < len(lines) and "|" in text[slice(*lines[last + 1])]:
            last += 1
        return last
    return -1


def _alone(line: str, blank: bool, indented: bool) -> bool:
    """Whether a line is a block of its own: a rule, only tags, indented code, the definition of a link."""
    if _RULE.match(line) or _TAGS.match(line):
        return True
    return blank and (indented or bool(_DEFINITION.match(line)))


def _fence_end(text: str, lines: list[tuple[int, int]], index: int, fence: str) -> int:
    """The line that closes a fence; the last line where none does."""
    for last in range(index + 1, len(lines)):
        content = text[slice(*lines[last])].lstrip(" \t>").rstrip()
        if content.startswith(fence) and not content.strip(fence[0]):
            return last
    return len(lines) - 1


def _raw_end(text: str, lines: list[tuple[int, int]], index: int) -> int:
    """The line where HTML that is shown or run as it is written ends; the last line where none does."""
    for last in range(index, len(lines)):
        if _RAW_END.search(text, *lines[last]):
            return last
    return len(lines) - 1


def _is_table(text: str, lines: list[tuple[int, int]], index: int) -> bool:
    rule = text[slice(*lines[index + 1])]
    return "-" in rule and "|" in rule and bool(_TABLE_RULE.match(rule))


def _opening(line: str, start: int, quoted: bool) -> Piece | None:
    """The marks of a quotation or a list item at the start of a line."""
    match = _MARKERS.match(line)
    if not match:
        return None
    # A quotation's second line goes on with the sentence of its first.
    goes_on = quoted and not match[0].strip(" \t>")
    return Piece(start, start + match.end(), "space" if goes_on else "break", masked=False)


def _line_marks(text: str, start: int, end: int) -> Iterator[Piece]:
    """The mark of a heading, with the line end that closes it, or of a footnote's text."""
    heading = _HEADING.match(text, start, end)
    if heading:
        yield Piece(start, heading.end(), "block", masked=False)
        tail = _HEADING_TAIL.search(text, heading.end(), end)
        if tail:
            yield Piece(tail.start(), tail.end(), "block", masked=False)
        if text[end - 1] == "\n":
            yield Piece(end - 1, end, "block", masked=False)
        return
    footnote = _FOOTNOTE.match(text, start, end)
    if footnote:
        yield Piece(start, footnote.end(), "block")


class _Inline(Scan):
    """The marks within a stretch of running text."""

    tokens = _INLINE

    def __init__(self, text: str, start: int, end: int) -> None:
        super().__init__(text, end)
        self.opened: list[tuple[int, bool]] = []  # brackets that may be links, and whether they are images
        self.scan(start)

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
        end = self._find(rf"(?<!`){ticks}(?!`)", match.end())
        return self._add(match.start(), end, "word") if end >= 0 else match.end()

    def _maths(self, match: re.Match[str]) -> int:
        if match[0] == "$":
            inline = _INLINE_MATHS.match(self.text, match.start(), self.end)
            return self._add(match.start(), inline.end(), "word") if inline else match.end()
        end = self._find(r"\$\$", match.end())
        return self._add(match.start(), end, "display") if end >= 0 else match.end()

    def _comment(self, match: re.Match[str]) -> int:
        end = self._find("-->", match.end())
        return self._add(match.start(), end, "space") if end >= 0 else match.end()

    def _url(self, match: re.Match[str]) -> int:
        address = match[0].rstrip(_URL_TAIL)
        if match[0].startswith(")", len(address)) and "(" in address:
            address += ")"
        return self._add(match.start(), match.start() + len(address), "word")

    def _cite(self, match: re.Match[str]) -> int:
        return self._add(*match.span(), "reference")

    def _auto(self, match: re.Match[str]) -> int:
        return self._add(*match.span(), "word")

    def _raw(self, match: re.Match[str]) -> int:
        ending = f"</{re.split(r'[^A-Za-z]', match[0][1:])[0].lower()}>"
        end = self._find(f"(?i:{ending})", match.end())
        if end < 0:
            return self._silent(match)
        return self._add(match.start(), end, "word" if ending == "</pre>" else "space")

    def _silent(self, match: re.Match[str]) -> int:
        return self._add(*match.span(), "silent")

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
        return self._add(*match.span(), "break", masked=False)

    def _emphasis(self, match: re.Match[str]) -> int:
        """A run of stars, underscores or tildes; `2 * 3` and `snake_case` have none that marks anything."""
        start, end = match.span()
        before = self.text[start - 1] if start else " "
        after = self.text[end] if end < len(self.text) else " "
        inside = match[0][0] == "_" and before.isalnum() and after.isalnum()
        if not inside and not (before.isspace() and after.isspace()):
            self._add(start, end, "silent", masked=False)
        return end
