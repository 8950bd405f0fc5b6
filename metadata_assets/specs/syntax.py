"""The YAML parser's complaints in words for people who write specs.

libyaml and PyYAML's own parser phrase the same trouble differently; both phrasings are recognised by a part of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from yaml import MarkedYAMLError

from metadata_assets.specs.finding import SpecFinding
from metadata_assets.specs.text import SourceText


@dataclass(frozen=True, slots=True)
class _Words:
    parts: Sequence[str]  # any of these in the parser's message
    message: str
    hint: str
    at_start: bool = False  # point at where the broken thing begins, not at where the parser gave up
    context: str = ""  # only if the parser says that it was busy with this


_FITS_NOTHING = ("expected key", "expected <block end>")
_QUOTE = "put quotes around the text"
_WORDS: tuple[_Words, ...] = (
    _Words(
        ("unexpected end of stream", "unexpected document separator", "unexpected document indicator"),
        "a quote is opened here and never closed",
        "close it, or write a backslash before quotes inside the text",
        at_start=True,
        context="quoted scalar",
    ),
    _Words(
        ("',' or ']'",),
        "a list is opened here with '[' and not closed properly",
        "add the missing ',' or ']', or put quotes around text with brackets",
        at_start=True,
    ),
    _Words(
        ("',' or '}'",),
        "a mapping is opened here with '{' and not closed properly",
        "add the missing ',' or '}', or put quotes around text with braces",
        at_start=True,
    ),
    _Words(
        ("mapping values are not allowed",),
        "a ': ' stands where no key can be",
        "put quotes around text that contains ': ', or check the indentation",
    ),
    _Words(
        ("could not find expected ':'",),
        "this line is neither a key nor a list entry",
        "write `key: value`, a blank after '-', or indent the line if it continues a text",
    ),
    _Words(
        ("entries are not allowed",),
        "a list entry '- ' stands where none can be",
        "start the list on a line of its own",
    ),
    _Words(
        ("expected '-' indicator", "expected <block end>"),
        "a list goes on here without '-'",
        "start the entry with '- ' or check the indentation",
        context="block collection",
    ),
    _Words(
        _FITS_NOTHING,
        "this line fits nothing above it",
        "line its indentation up with the entries above, and put quotes around text with quotes or brackets inside",
    ),
    _Words(
        ("alphabetic or numeric character",),
        "'*' and '&' have a meaning in YAML at the start of a value",
        _QUOTE,
        at_start=True,
    ),
    _Words(("undefined alias",), "the alias is defined nowhere above it", "define it with &name first, or " + _QUOTE),
    _Words(("second occurrence",), "the anchor is defined twice", "give each anchor a name of its own"),
    _Words(("tab character",), "a tab is used for indentation", "use blanks"),
    _Words(("cannot start any token",), "a value cannot start with this character", _QUOTE),
    _Words(("escape character",), "unknown escape after a backslash", "double the backslash, or use single quotes"),
    _Words(
        ("comment or line break", "chomping or indentation"),
        "text follows '|' or '>' on the same line",
        "start the text on the next line, indented",
    ),
    _Words(("document start",), "text follows the end of a document", "start the next document with a line `---`"),
    _Words(("node content",), "a bracket or comma stands where a value is wanted", _QUOTE),
    _Words(("tag handle",), "the tag is defined nowhere", "tags are not used in specs: remove it, or " + _QUOTE),
    _Words(
        ("directive", "incompatible YAML document"),
        "a line that starts with '%' is no directive that is known here",
        "remove it",
    ),
    _Words(("maximum nesting depth",), "the file is nested too deeply", "a spec needs no more than ten levels"),
)
_AFTER_VALUE = _Words(
    (), "text goes on after the value has ended", "put the whole text into quotes, and double those inside"
)
_UNCLOSED = _Words((), "the document ends inside a bracket that is not closed", "close it with ']' or '}'")
_ELSE = _Words((), "this is not valid YAML", "check quotes, brackets and indentation on this line and the one above")


def to_finding(error: MarkedYAMLError, text: SourceText, start: int) -> SpecFinding:
    """A finding at the parser's mark; `start` is where the document begins in its file."""
    problem, context = error.problem or "", error.context or ""
    words = next((w for w in _WORDS if any(p in problem for p in w.parts) and w.context in context), _ELSE)
    mark = error.context_mark if words.at_start and error.context_mark else error.problem_mark or error.context_mark
    offset = start + (mark.index if mark else 0)
    line_start, blanks = text.indentation(offset)
    if "\t" in blanks:
        tab = text.place(line_start + blanks.index("\t"))
        return SpecFinding.at(tab, "a tab is used for indentation", "use blanks")
    if words.parts == _FITS_NOTHING and offset > line_start + len(blanks):
        words = _AFTER_VALUE
    if "node content" in problem and _is_end(text, offset):
        words = _UNCLOSED
    return SpecFinding.at(text.place(offset), words.message, words.hint)


def _is_end(text: SourceText, offset: int) -> bool:
    rest = text.text[offset:].lstrip()
    return not rest or rest.startswith(("---", "..."))
