"""What becomes of a tracked file: counted, excluded for a reason, or unknown; each with the rule that decided.

A file never vanishes, and what is excluded is still measured where it can be, so that the size of each exclusion is
known. Reasons, as they stand in `Disposition.reason`:

===================  ==========  ====================================================================================
reason               state       when
===================  ==========  ====================================================================================
counted              counted     nothing speaks against it
symlink              excluded    a link; never followed
submodule            excluded    a commit of another repository
binary               excluded    a known magic number, a NUL or control bytes near the start; has no lines
generated            excluded    the head says so, the name says so, or `linguist-generated`
vendored             excluded    `linguist-vendored`
documentation        excluded    `linguist-documentation`
minified             excluded    script or style sheet whose lines are 255 bytes long on average, or named `.min.`
huge-line            excluded    one line of 64 KiB and more is over half of the file
outside-components   excluded    belongs to no component (see `pipeline.tally`)
unknown-language     unknown     neither name nor content is known
no-counter           unknown     only pygount knows the language and the file is too large for it
lfs-pointer          unknown     stands for content kept elsewhere
object-missing ...   unknown     the bytes could not be had; the reasons of `sources.base.Missing`
===================  ==========  ====================================================================================
"""

from __future__ import annotations

import codecs
import re
from operator import methodcaller
from typing import TYPE_CHECKING

from leverage.measure.languages import Kind, Language
from leverage.model.files import COUNTED, Disposition, EntryKind, SourceFile, State

if TYPE_CHECKING:
    from leverage.measure.attributes import Marks

_HEAD = 8_192  # bytes at the start that are looked at; also what git and pygount look at for NUL
_MEAN_LINE = 255
_HUGE_LINE = 65_536
_WHOLE_LINE = re.compile(rb"[^\r\n]++")
_span = methodcaller("span")
_MAGIC = (
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xd8\xff",
    b"GIF87a",
    b"GIF89a",
    b"%PDF-",
    b"PK\x03\x04",
    b"\x7fELF",
    b"BC\xc0\xde",
    b"\x1f\x8b",
    b"BZh",
    b"\xfd7zXZ",
    b"7z\xbc\xaf",
    b"RIFF",
    b"\x93NUMPY",
    b"\x80\x02}",
    b"!<arch>\n",
    b"wOF2",
    b"P5\n",
    b"P6\n",
)
# UTF-32 first: its little-endian mark starts with that of UTF-16.
_WIDE = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LFS = b"version https://git-lfs.github.com/spec/v1\n"
_LFS_SIZE = 1_024
_CONTROL = bytes(set(range(32)) - set(b"\t\n\v\f\r\b\x1b"))
_GENERATED_NAMES = re.compile(
    r"package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|go\.sum"
    r"|(?:uv|poetry|Cargo|pdm|composer|Gemfile|Pipfile|flake)\.lock|.+_pb2(?:_grpc)?\.pyi?|.+\.pb\.(?:cc|h|go)"
)
_MINIFIED_NAME = re.compile(r".+[.-]min\.(?:js|mjs|cjs|css)")
_SCRIPTS = frozenset({"javascript", "typescript", "css", "scss"})


def screen_entry(file: SourceFile) -> Disposition | None:
    """What the kind of a tree entry alone decides."""
    if file.kind is EntryKind.SYMLINK:
        return Disposition(State.EXCLUDED, "symlink", "tree entry is a symbolic link")
    if file.kind is EntryKind.SUBMODULE:
        return Disposition(State.EXCLUDED, "submodule", "tree entry is a commit of another repository")
    return None


def screen_path(path: str, marks: Marks, found: Disposition) -> Disposition:
    """Let attributes and the file name overrule what the content said.

    Attributes are the project's own word: they exclude what content would count, and `-linguist-generated` takes back
    what a marker in the head excluded.
    """
    if found.reason == "binary":
        return found
    if marks.values:
        said = _screen_marks(marks, found)
        if said is not None:
            return said
    if found.state is not State.COUNTED:
        return found
    name = path.rpartition("/")[2]
    if _GENERATED_NAMES.fullmatch(name):
        return Disposition(State.EXCLUDED, "generated", f"file name {name}")
    if _MINIFIED_NAME.fullmatch(name):
        return Disposition(State.EXCLUDED, "minified", "file name .min.")
    return found


def _screen_marks(marks: Marks, found: Disposition) -> Disposition | None:
    for attribute in ("vendored", "generated", "documentation"):
        if marks.truth(f"linguist-{attribute}"):
            return Disposition(State.EXCLUDED, attribute, marks.rules[f"linguist-{attribute}"])
    if marks.truth("linguist-generated") is False:
        taken_back = found.reason in {"generated", "minified"}
        return Disposition(State.COUNTED, "counted", marks.rules["linguist-generated"]) if taken_back else found
    return None


def readable(data: bytes) -> tuple[bytes, Disposition]:
    """The text of a file and whether it is one at all: `COUNTED` (with a rule where it was transcoded), or why not."""
    if data.startswith(_LFS) and len(data) < _LFS_SIZE:
        return b"", Disposition(State.UNKNOWN, "lfs-pointer", "first line of a Git LFS pointer")
    for mark, encoding in _WIDE:
        if data.startswith(mark):
            return _transcoded(data, encoding)
    head = data[:_HEAD]
    if any(head.startswith(magic) for magic in _MAGIC):
        return b"", Disposition(State.EXCLUDED, "binary", "magic number")
    if b"\0" in head:
        return b"", Disposition(State.EXCLUDED, "binary", f"NUL in the first {_HEAD} bytes")
    if len(head) - len(head.translate(None, _CONTROL)) > len(head) // 10:
        return b"", Disposition(State.EXCLUDED, "binary", "over a tenth of the first bytes are control bytes")
    return data, COUNTED


def _transcoded(data: bytes, encoding: str) -> tuple[bytes, Disposition]:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return b"", Disposition(State.EXCLUDED, "binary", f"{encoding} byte order mark, but not {encoding} text")
    if "\0" in text:
        return b"", Disposition(State.EXCLUDED, "binary", f"NUL in {encoding} text")
    return text.encode("utf-8", "surrogatepass"), Disposition(State.COUNTED, "counted", f"transcoded from {encoding}")


def screen_text(data: bytes, language: Language, physical: int) -> Disposition:
    """What the text of a file says against counting it."""
    generated = generated_marker(data, language)
    if generated:
        return Disposition(State.EXCLUDED, "generated", generated)
    if language.id in _SCRIPTS and len(data) > _MEAN_LINE * max(physical, 4):
        return Disposition(State.EXCLUDED, "minified", f"lines are longer than {_MEAN_LINE} bytes on average")
    if language.kind is not Kind.DATA and language.family != "notebook" and len(data) >= _HUGE_LINE:
        longest = max((end - start for start, end in map(_span, _WHOLE_LINE.finditer(data))), default=0)
        if longest >= _HUGE_LINE and longest * 2 > len(data):
            return Disposition(State.EXCLUDED, "huge-line", f"one line holds {longest:,} of {len(data):,} bytes")
    return COUNTED


# What may stand before the first code of a file: white space, comments of any language, a leading docstring, and the
# include guard of a header. Every alternative is possessive, so the time is linear.
_TRIVIA = re.compile(
    rb"(?:\s++"
    rb"|\#!(?>[^\n]*+)"
    rb"|\#[ \t]*(?:pragma[ \t]+once|ifndef[ \t]+\w++|define[ \t]+\w++)[ \t]*+(?=[\r\n]|\Z)"
    rb"|\#(?![ \t]*(?:include|import|if|ifdef|elif|else|endif|undef|error|pragma|define)\b)[^\n]*+"
    rb"|//[^\n]*+|/\*(?>(?:[^*]|\*(?!/))*+)(?:\*/|\Z)"
    rb"|;[^\n]*+|--[^\n]*+|%(?=[ \t%])[^\n]*+|\.\.(?=[ \t])[^\n]*+"
    rb"|<!--(?>(?:[^-]|-(?!->))*+)(?:-->|\Z)|<\?xml[^>\n]*+>|<!DOCTYPE[^>]*+>"
    rb"|\{\#(?>(?:[^#]|\#(?!\}))*+)(?:\#\}|\Z)"
    rb'|[rRuU]?"""(?>(?:[^"]|"(?!""))*+)(?:"""|\Z)'
    rb")*+"
)
_PROSE_COMMENTS = re.compile(rb"(?:\s++|<!--(?>(?:[^-]|-(?!->))*+)(?:-->|\Z)|\.\.(?=[ \t])[^\n]*+)*+")
_EDGE = b" \t\r\f\v#/*;%!-<>|.=~_\"'+{}"
_MADE = rb"(?:auto(?:matically)?[ -]?generated|generated|tablegen'?erated)"
_HANDS_OFF = re.compile(
    rb"\b(?:do not|don't|never|not)\s+(?:manually\s+|directly\s+)?(?:edit|modify|change)\b|\bdo not touch\b",
    re.IGNORECASE,
)
_MENTION = re.compile(rb"\b" + _MADE + rb"\b", re.IGNORECASE)
_ABOUT_FILE = re.compile(
    rb"@generated\b(?!\s+by hand)"
    rb"|this\s+(?:file|code|header|module|source)\s+(?:was|is|has\s+been)\s+(?:auto(?:matically)?[ -]?)?generated\b",
    re.IGNORECASE,
)
_STATEMENT = re.compile(
    rb"(?:auto(?:matically)?[ -]?generated"
    rb"(?:\s*[.,;:]?\s*$|\s+(?:by|from|via|with|using)\b|(?:\s+[\w-]+){0,2}\s+(?:file|header|source|code|module|config(?:uration)?|bindings?)\b)"
    rb"|generated by (?:cython|the protocol buffer compiler|cmake|swig|graphviz|flatc|antlr|re2c|gperf|mlir-tblgen"
    rb"|autoconf|automake)\b"
    rb"|a bison parser, made by gnu bison|a lexical scanner generated by flex)",
    re.IGNORECASE,
)
_PROSE_LINE = re.compile(
    rb"(?:this\s+(?:file|page|document)\s+(?:was|is|has\s+been)\s+)?"
    + _MADE
    + rb"\b.*\b(?:do not|don't)\b.*\b(?:edit|modify|change)\b",
    re.IGNORECASE,
)
_PROSE_LINES = 10
_NEAR = 2  # lines between "generated" and "do not edit"


def generated_marker(data: bytes, language: Language) -> str:
    """The rule by which the head of a file declares it generated, or an empty string.

    Only comments before the first code are read, so a generator that carries the marker in a string is not meant. In
    them a statement about the file itself is needed ("This file was generated", "Auto-generated by", "@generated"),
    or "generated" with "do not edit" at most two lines away. Prose counts only its comments, or one line near the top
    that says both.
    """
    head = data[:_HEAD].removeprefix(codecs.BOM_UTF8)
    prose = language.kind is Kind.PROSE
    match = (_PROSE_COMMENTS if prose else _TRIVIA).match(head)
    lines = [line.strip(_EDGE) for line in (match[0] if match else b"").splitlines()]
    for number, line in enumerate(lines):
        starts = number == 0 or not lines[number - 1]  # of a paragraph: a wrapped sentence may begin with the word, too
        if _ABOUT_FILE.match(line) or (starts and _STATEMENT.match(line)):
            return f"line {number + 1} says that the file is generated"
        near = lines[max(0, number - _NEAR) : number + _NEAR + 1]
        if _MENTION.search(line) and any(map(_HANDS_OFF.search, near)):
            return f"line {number + 1} says generated, do not edit"
    if prose:
        for number, line in enumerate(head.splitlines()[:_PROSE_LINES]):
            if _PROSE_LINE.match(line.strip(_EDGE)):
                return f"line {number + 1} says generated, do not edit"
    return ""
