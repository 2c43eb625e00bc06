"""LaTeX: whether a text compiles, and how many of its commands, citations and formulas are kept.

A TeX engine runs in a temporary folder of its own, without a shell, with files of that folder only, and for a
limited time. A fragment (a paragraph, a section) is put into a small document in which the commands and
environments that only its paper defines do no harm. Where a revision is judged, they are taken from the
original: a command that the revision made up, or misspelt, is an error.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from redraft.errors import InputError
from redraft.text import Format, find_markup

ENGINES: Final = ("pdflatex", "xelatex", "tectonic")
"""In order of preference. LuaLaTeX is none of them: a program in the text could write any file."""

_FLAGS: Final = {"pdflatex": ("-draftmode",), "xelatex": ("-no-pdf",)}
_PACKAGES: Final = ("amsmath", "amssymb", "bm", "booktabs", "multirow", "tabularx", "textcomp", "xspace")
_MOST_OUTPUT = 1 << 20  # bytes of an engine's output that are looked at

_WHOLE: Final = re.compile(r"^[^%\n]*\\(?:documentclass|documentstyle)\b", re.MULTILINE)
_COMMENT: Final = re.compile(r"(?<!\\)((?:\\\\)*+)%[^\n]*")
_COMMAND: Final = re.compile(r"\\([A-Za-z]+)(\*?)((?:\[[^\]\n]*\])*)")
_ENVIRONMENT: Final = re.compile(r"\\begin\s*\{([A-Za-z]+\*?)\}((?:\[[^\]\n]*\])*)")
_DEFINED: Final = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|DeclareMathOperator|def|let|(?:re)?newenvironment|newtheorem)"
    r"\*?\s*\{?\\?([A-Za-z]+)"
)
_BRACE: Final = re.compile(r"\\.|([{}])", re.DOTALL)
_KEY: Final = re.compile(r"[^\s{}\\$]*[:_/#&^\d.][^\s{}\\$]*(?:,\s*[^\s{}\\$]+)*")
_REFERENCE: Final = re.compile(r".*(?:cite|ref|label|graphics|input|include|url)", re.IGNORECASE)
_ERROR: Final = re.compile(r"^! (?P<said>.*)|^error: [^:\n]+:(?P<line>\d+): (?P<told>.*)", re.MULTILINE)
_PLACE: Final = re.compile(r"^l\.(\d+) ?(.*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Compiled:
    """Whether a text compiled, and the engine's errors, with the line of the text where it is known."""

    ok: bool
    errors: tuple[str, ...] = ()


def find_engine(engine: str | None = None) -> str:
    """The path of a TeX engine: the one named, or the first that is installed."""
    if engine and Path(engine).name.startswith("lua"):
        raise InputError(f"{engine} runs programs that stand in a text; use one of {', '.join(ENGINES)}")
    for name in (engine,) if engine else ENGINES:
        found = shutil.which(name)
        if found:
            return found
    missing = f"{engine} is not" if engine else "no TeX engine is"
    raise InputError(
        f"{missing} installed, so nothing can be compiled; install one ({', '.join(ENGINES)}), for example "
        "with: apt-get install texlive-latex-base"
    )


def compile_latex(
    text: str,
    engine: str | None = None,
    timeout: float = 60.0,
    *,
    original: str | None = None,
    beside: Path | None = None,
) -> Compiled:
    """Compile a document, or a fragment of one.

    `original` is the text whose own commands may be used, where it is not this one. `beside` is a folder with
    the files that a whole document asks for (its class, its sections).
    """
    program = find_engine(engine)
    source, above = text, 0
    if not _WHOLE.search(text):
        opening, closing = _around(text if original is None else original)
        source, above = f"{opening}{text}{closing}", opening.count("\n")
    with tempfile.TemporaryDirectory(prefix="redraft-tex-") as folder:
        (Path(folder) / "text.tex").write_bytes(source.encode("utf-8", "replace"))
        said, status = _run(program, folder, timeout, beside)
    if status is None:
        return Compiled(False, (f"it did not compile within {timeout:g} s",))
    errors = tuple(_errors(said, above))
    if status and not errors:
        last = said.strip().rpartition("\n")[2]
        errors = (f"{Path(program).name} failed with status {status}: {last}",)
    return Compiled(not errors, errors)


def keyword_preservation(before: str, after: str, format: Format = "latex") -> float:
    """The share of the original's keywords (commands, citations, formulas) that are still there."""
    wanted, found = _keywords(before, format), _keywords(after, format)
    total = wanted.total()
    return (wanted & found).total() / total if total else 1.0


def _keywords(text: str, format: Format) -> Counter[str]:
    pieces = (text[one.start : one.end] for one in find_markup(text, format) if one.masked)
    return Counter(" ".join(piece.split()) for piece in pieces if piece.strip() and not piece.startswith("%"))


def _run(program: str, folder: str, timeout: float, beside: Path | None) -> tuple[str, int | None]:
    """What the engine said, and its status: None where it took too long."""
    name = Path(program).stem
    if name == "tectonic":
        command = [program, "-X", "compile", "--untrusted", "--only-cached", "--outfmt", "xdv", "text.tex"]
    else:
        command = [program, *_FLAGS.get(name, ()), "-no-shell-escape", "-interaction=nonstopmode", "text.tex"]
    with (Path(folder) / "said").open("w+b") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=_environment(folder, beside),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        status: int | None = None
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            pass
        finally:
            if status is None:
                _end(process)
        output.seek(0)
        return output.read(_MOST_OUTPUT).decode("utf-8", "replace"), status


def _environment(folder: str, beside: Path | None) -> dict[str, str]:
    searched = "" if beside is None else f"{beside.resolve()}{os.pathsep}"
    return {
        **{name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ},
        "TEXINPUTS": f".{os.pathsep}{searched}",
        "TEXMFOUTPUT": folder,
        "openin_any": "p",
        "openout_any": "p",
        "shell_escape": "f",
        "max_print_line": "1000",
        "MKTEXPK": "0",
        "MKTEXTFM": "0",
    }


def _end(process: subprocess.Popen[bytes]) -> None:
    """Stop the engine, and whatever it has started."""
    if hasattr(os, "killpg"):
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


def _errors(said: str, above: int) -> Iterator[str]:
    """The errors, one by one; `above` lines of the source are ours."""
    found = list(_ERROR.finditer(said))
    for error, following in zip(found, [*(one.start() for one in found[1:]), len(said)], strict=False):
        message = (error["said"] or error["told"] or "").strip()
        place = _PLACE.search(said, error.end(), following)
        number = int(place[1] if place else error["line"] or 0) - above
        shown = f" at “{place[2].strip()[-60:]}”" if place and place[2].strip() else ""
        yield (f"line {number}: " if number > 0 else "") + message + shown


def _around(text: str) -> tuple[str, str]:
    """What stands above a fragment (packages, where installed; its paper's own commands), and below it."""
    text = _COMMENT.sub(r"\1", text)
    defined = set(_DEFINED.findall(text))
    lines = [r"\documentclass{article}"]
    lines += [rf"\IfFileExists{{{name}.sty}}{{\usepackage{{{name}}}}}{{}}" for name in _PACKAGES]
    lines += [_command(name, *uses) for name, uses in sorted(_commands(text).items()) if name not in defined]
    lines += [
        rf"\ifcsname {name}\endcsname\else\NewDocumentEnvironment{{{name}}}{{{signature}}}{{}}{{}}\fi"
        for name, signature in sorted(_environments(text).items())
        if name not in defined
    ]
    is_item = text.lstrip().startswith("\\item")
    lines += [r"\begin{document}", *([r"\begin{itemize}"] if is_item else []), ""]
    return "\n".join(lines), "\n" + r"\end{itemize}" * is_item + "\\end{document}\n"


def _commands(text: str) -> dict[str, tuple[bool, int, int, bool]]:
    """The commands of a text: whether starred, options at most, arguments at least, and whether a key."""
    commands: dict[str, tuple[bool, int, int, bool]] = {}
    for match in _COMMAND.finditer(text):
        name = match[1]
        if name in ("begin", "end"):
            continue
        arguments = _arguments(text, match.end())
        options = match[3].count("[") if arguments else 0
        is_key = bool(_REFERENCE.fullmatch(name)) or any(_KEY.fullmatch(one.strip()) for one in arguments)
        starred, most, least, was_key = commands.get(name, (False, 0, len(arguments), False))
        commands[name] = (
            starred or bool(match[2] and arguments),
            max(most, options),
            min(least, len(arguments)),
            was_key or is_key,
        )
    return commands


def _command(name: str, starred: bool, options: int, arguments: int, is_key: bool) -> str:
    signature = "s" * starred + "o" * options + "m" * arguments
    first = len(signature) - arguments + 1
    body = "?" if is_key or not arguments else " ".join(f"{{#{first + at}}}" for at in range(arguments))
    return rf"\ProvideDocumentCommand{{\{name}}}{{{signature}}}{{{body}}}"


def _environments(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for match in _ENVIRONMENT.finditer(text):
        signature = "o" * match[2].count("[") + "m" * len(_arguments(text, match.end()))
        found.setdefault(match[1], signature[:9])
    return found


def _arguments(text: str, position: int) -> list[str]:
    """The arguments in braces that follow at once; six at most, since TeX takes nine with the options."""
    found: list[str] = []
    while len(found) < 6 and text.startswith("{", position):
        depth = 0
        for match in _BRACE.finditer(text, position):
            depth += {"{": 1, "}": -1}.get(match[1] or "", 0)
            if not depth and match[1]:
                found.append(text[position + 1 : match.start()])
                position = match.end()
                break
        else:
            return found
    return found
