"""A piece as its readers get it: title and headings by genre, in Markdown, plain text, LaTeX or HTML.

What a model wrote is data: it is cleaned of traces of its prompt, and escaped.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, Literal

from redraft.composition.brief import Language
from redraft.composition.form import Genre

Markup = Literal["markdown", "text", "latex", "html"]

BREAK: Final = "* * *"
RULE: Final = re.compile(r"\s*(?:[-*_=]\s*){3,}")
HEADING: Final = re.compile(r"\s{0,3}(#{1,6})\s+(.*[^\s#]|)[\s#]*")
LISTED: Final = re.compile(r"\s*(?:([-*•])|(\d{1,3})[.)])\s+(.*)")
QUOTED: Final = re.compile(r"\s*>\s?(.*)")
_INLINE: Final = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<less>&lt;)"
    r"|`(?P<code>[^`\n]{1,300})`"
    r"|!\[(?P<alt>[^\]\n]{0,300})\]\([^()\s]{0,500}\)"
    r"|\[(?P<link>[^\]\n]{1,300})\]\((?P<url>(?:https?://|mailto:)[^()\s]{1,500})\)"
    r"|\*\*(?=\S)(?P<strong>[^*\n]{1,500})(?<=\S)\*\*"
    r"|(?<![\w*])[*](?=\S)(?P<emphasis>[^*\n]{1,500})(?<=\S)[*](?![\w*])"
    r"|(?<!\w)_(?=\S)(?P<underscored>[^_\n]{1,500})(?<=\S)_(?!\w)"
)
_AWKWARD: Final = re.compile(r"[{}%#\\^~]")
_LATEX: Final = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{char: f"\\{char}" for char in "{}$&#%_"},
}
_PAGE: Final = """\
<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ max-width: 40rem; margin: 3rem auto; padding: 0 1rem; font: 1.1rem/1.6 Georgia, serif; }}
h1, h2, h3 {{ line-height: 1.25; }}
.break {{ text-align: center; }}
</style>
</head>
<body>
{body}
</body>
</html>
"""


def converted(markdown: str, markup: Markup, language: Language) -> str:
    """A piece in Markdown, in another mark-up."""
    if markup == "markdown":
        return markdown
    blocks = _blocks(markdown)
    if markup == "text":
        return "\n\n".join(_text_block(block) for block in blocks) + "\n"
    title = next((block.lines[0] for block in blocks if block.kind == "title"), "")
    if markup == "html":
        return _PAGE.format(
            language="zh-Hans" if language == "zh" else "en",
            title=html.escape(_inline(title, _PLAIN)),
            body="\n".join(_html_block(block) for block in blocks),
        )
    return _latex(title, blocks, language)


Kind = Literal["title", "heading", "subheading", "break", "list", "numbers", "quote", "paragraph"]


@dataclass(frozen=True, slots=True)
class _Block:
    kind: Kind
    lines: tuple[str, ...]


def _blocks(markdown: str) -> list[_Block]:
    found: list[_Block] = []
    for paragraph in re.split(r"\n[ \t]*\n", markdown):
        lines = [line for line in paragraph.split("\n") if line.strip()]
        for kind, group in groupby(lines, _kind):
            block = _Block(kind, tuple(_content(line, kind) for line in group))
            if found and kind in ("list", "numbers") and found[-1].kind == kind:
                block = _Block(kind, found.pop().lines + block.lines)  # items with room between them
            found.append(block)
    return found


def _kind(line: str) -> Kind:
    if RULE.fullmatch(line):
        return "break"
    if heading := HEADING.fullmatch(line):
        kinds: tuple[Kind, ...] = ("title", "heading", "subheading")
        return kinds[min(len(heading[1]), 3) - 1]
    if listed := LISTED.fullmatch(line):
        return "list" if listed[1] else "numbers"
    return "quote" if QUOTED.fullmatch(line) else "paragraph"


def _content(line: str, kind: Kind) -> str:
    pattern = {"list": LISTED, "numbers": LISTED, "quote": QUOTED}.get(
        kind, HEADING if kind in ("title", "heading", "subheading") else None
    )
    found = pattern.fullmatch(line) if pattern is not None else None
    return line if found is None else found[found.re.groups]


@dataclass(frozen=True, slots=True)
class _Marks:
    """How one mark-up writes what stands inside a line."""

    plain: Callable[[str], str]
    strong: str
    emphasis: str
    code: str
    link: Callable[[str, str], str]


def _latex_escaped(text: str) -> str:
    escaped = "".join(_LATEX.get(char, char) for char in text)
    return re.sub(r'(?<![\w.,;:!?)\]}])"(?=\S)', "``", escaped).replace('"', "''")


_PLAIN: Final = _Marks(str, "{}", "{}", "{}", lambda text, url: f"{text} ({url})")
_HTML: Final = _Marks(
    html.escape,
    "<strong>{}</strong>",
    "<em>{}</em>",
    "<code>{}</code>",
    lambda text, url: f'<a href="{html.escape(url)}">{text}</a>',
)
_TEX: Final = _Marks(
    _latex_escaped,
    r"\textbf{{{}}}",
    r"\emph{{{}}}",
    r"\texttt{{{}}}",
    lambda text, url: f"\\href{{{_AWKWARD.sub(_percent, url)}}}{{{text}}}",
)


def _percent(found: re.Match[str]) -> str:
    # hyperref reads "\%" and "\#" as themselves; the rest is as the address encodes it.
    return f"\\{found[0]}" if found[0] in "%#" else f"\\%{ord(found[0]):02X}"


def _inline(text: str, marks: _Marks) -> str:
    found: list[str] = []
    last = 0
    for match in _INLINE.finditer(text):
        found.append(marks.plain(text[last : match.start()]))
        last = match.end()
        kind, inner = match.lastgroup, match[match.lastgroup or 0]
        if kind == "less":
            found.append(marks.plain("<"))
        elif kind == "url":
            found.append(marks.link(_inline(match["link"], marks), inner))
        elif kind == "strong":
            found.append(marks.strong.format(_inline(inner, marks)))
        elif kind in ("emphasis", "underscored"):
            found.append(marks.emphasis.format(_inline(inner, marks)))
        else:
            found.append((marks.code if kind == "code" else "{}").format(marks.plain(inner)))
    return "".join(found) + marks.plain(text[last:])


def _flowed(lines: Sequence[str], marks: _Marks, hard: str, soft: str) -> str:
    """Lines of a paragraph; two spaces at the end of one keep its end."""
    shown = [_inline(line.strip(), marks) for line in lines]
    ends = [hard if line.endswith("  ") else soft for line in lines[:-1]]
    return "".join(line + end for line, end in zip(shown, [*ends, ""], strict=True))


def _text_block(block: _Block) -> str:
    if block.kind == "break":
        return " " * 30 + BREAK
    if block.kind in ("list", "numbers"):
        marks = [f"{place}." if block.kind == "numbers" else "-" for place in range(1, len(block.lines) + 1)]
        return "\n".join(
            f"{mark} {_inline(line, _PLAIN)}" for mark, line in zip(marks, block.lines, strict=True)
        )
    return _flowed(block.lines, _PLAIN, "\n", " ")


def _html_block(block: _Block) -> str:
    if block.kind == "break":
        return f'<p class="break">{BREAK}</p>'
    if block.kind in ("list", "numbers"):
        tag = "ul" if block.kind == "list" else "ol"
        items = "\n".join(f"<li>{_inline(line, _HTML)}</li>" for line in block.lines)
        return f"<{tag}>\n{items}\n</{tag}>"
    tags = {"title": "h1", "heading": "h2", "subheading": "h3", "quote": "blockquote"}
    tag = tags.get(block.kind, "p")
    return f"<{tag}>{_flowed(block.lines, _HTML, '<br>' + chr(10), chr(10))}</{tag}>"


def _latex(title: str, blocks: Sequence[_Block], language: Language) -> str:
    if language == "zh":
        head = (
            "% Chinese: needs the ctex classes; compile with xelatex or lualatex.\n\\documentclass{ctexart}"
        )
    else:
        head = (
            "% Where the text has letters that are not Latin, compile with xelatex or lualatex.\n"
            "\\documentclass{article}\n\\usepackage{iftex}\n"
            "\\ifpdftex\\usepackage[T1]{fontenc}\\usepackage[utf8]{inputenc}\\fi"
        )
    made = f"\\title{{{_inline(title, _TEX)}}}\n\\author{{}}\n\\date{{}}\n" if title else ""
    body = [_latex_block(block) for block in blocks if block.kind != "title"]
    if title:
        body.insert(0, "\\maketitle")
    return (
        f"{head}\n\\usepackage[hidelinks]{{hyperref}}\n{made}\\begin{{document}}\n\n"
        + "\n\n".join(body)
        + "\n\n\\end{document}\n"
    )


def _latex_block(block: _Block) -> str:
    if block.kind == "break":
        return "\\begin{center}\n* * *\n\\end{center}"
    if block.kind in ("list", "numbers"):
        name = "itemize" if block.kind == "list" else "enumerate"
        items = "\n".join(f"\\item{{}} {_inline(line, _TEX)}" for line in block.lines)
        return f"\\begin{{{name}}}\n{items}\n\\end{{{name}}}"
    text = _flowed(block.lines, _TEX, "\\\\{}\n", "\n")
    if block.kind == "quote":
        return f"\\begin{{quote}}\n{text}\n\\end{{quote}}"
    commands = {"heading": "section*", "subheading": "subsection*"}
    return f"\\{commands[block.kind]}{{{text}}}" if block.kind in commands else text


_HEADED: Final = ("essay", "academic", "report", "article", "guide")
_BOLD_LINE: Final = re.compile(r"\s*(?:\*\*|__)(.+?)(?:\*\*|__):?\s*")
_ENDS: Final = re.compile(r"[.!?:;。！？：；…][\"'”’»」』）)]*\s*$|[”」』]\s*$")
_UNSEEN: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
_LINK: Final = re.compile(r"\]\((?!https?://|mailto:)", re.IGNORECASE)
_DEFINED: Final = re.compile(r"(?<!\\)\\*\](?=:)")
_TAG: Final = re.compile(r"(?<!\\)\\*<(?=[A-Za-z/!?])")


def render(
    title: str,
    sections: Sequence[tuple[str, str]],
    genre: Genre,
    markup: Markup,
    language: Language,
) -> str:
    """A piece of sections, each a heading and what was written for it."""
    name = _line(title)
    parts = [f"# {name}"] if name else []
    for place, (heading, content) in enumerate(sections):
        if genre in _HEADED and _line(heading):
            parts.append(f"## {_line(heading)}")
        elif genre == "story" and place:
            parts.append(BREAK)
        parts += _paragraphs(content, (title, heading), genre)
    return converted("\n\n".join(parts) + "\n", markup, language)


def harmless(markdown: str) -> str:
    """A piece that was changed by somebody else since, as clean as it was made."""
    return "\n".join(_harmless(_UNSEEN.sub("", line)) for line in markdown.split("\n"))


def _line(text: str) -> str:
    return _harmless(" ".join(_UNSEEN.sub(" ", text).split())).lstrip("# ")


def _harmless(line: str) -> str:
    """A line of which no reader of Markdown makes HTML, an image, or a link to anything but a page."""
    line = _LINK.sub("] (", line.replace("![", "["))
    return _DEFINED.sub(r"\\]", _TAG.sub("&lt;", line))


def _paragraphs(content: str, titles: Sequence[str], genre: Genre) -> list[str]:
    """What was written, as paragraphs of Markdown without a title of its own."""
    lines = _UNSEEN.sub("", content.expandtabs(4)).split("\n")
    lines = [_harmless(line.rstrip()) for line in lines if not line.lstrip().startswith("```")]
    repeated = {_bare(title) for title in titles}
    while lines and (not lines[0].strip() or _bare(lines[0]) in repeated):
        del lines[0]
    found: list[str] = []
    before = ""
    for line in lines:
        text = _block_line(line, genre)
        if not text or _is_apart(before, text, genre):
            found.append(text)
        elif found and before:
            found[-1] += ("  \n" if genre in ("poetry", "letter") else "\n") + text
        else:
            found.append(text)
        before = "" if text == BREAK or text.startswith("#") else text
    return [paragraph for paragraph in found if paragraph]


def _block_line(line: str, genre: Genre) -> str:
    """A line, with a heading one level below the section's where the genre has headings."""
    if RULE.fullmatch(line):
        return BREAK if genre == "story" else ""
    if heading := HEADING.fullmatch(line):
        return f"### {heading[2]}" if genre in _HEADED else heading[2]
    # Four spaces would make a block of code of it.
    return line if LISTED.fullmatch(line) else line.strip()


def _is_apart(before: str, line: str, genre: Genre) -> bool:
    """Whether a line begins a paragraph though no empty line says so."""
    if line == BREAK or line.startswith("#"):
        return True
    if genre in ("poetry", "letter"):
        return False
    is_listed = LISTED.fullmatch(line) is not None
    if is_listed or (before and LISTED.fullmatch(before)):
        return not (is_listed and LISTED.fullmatch(before))
    return _ENDS.search(before) is not None and not QUOTED.fullmatch(line)


def _bare(line: str) -> str:
    """A line without its mark-up, for comparing titles."""
    if found := HEADING.fullmatch(line) or _BOLD_LINE.fullmatch(line):
        line = found[found.re.groups]
    return re.sub(r"\W+", " ", line).strip().casefold()
