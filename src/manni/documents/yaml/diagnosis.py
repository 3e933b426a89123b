"""Why a YAML text cannot be read, in the words of the person who wrote it.

libyaml names the rule that broke and where it noticed, often lines after the slip. Here the text
around is read once more to find the slip itself, to say how to mend it, and to offer the edit
where it is certain: a fix is offered only when the text with it is readable past that place.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from yaml import MarkedYAMLError, YAMLError

from manni.base.text import shorten, visible
from manni.documents.faults import BlockFault, of_block
from manni.documents.yaml.cures import cure_for, indicator, tight
from manni.documents.yaml.reader import UnknownAlias, parse
from manni.documents.yaml.shapes import Cure, Edit, tab_in_indent, tight_key
from manni.documents.yaml.text import control_character
from manni.model import findings
from manni.model.findings import Fix, Span

if TYPE_CHECKING:
    from manni.base.json_types import Json
    from manni.documents.faults import DocumentFault
    from manni.documents.lines import Lines


def diagnose(lines: Lines, error: YAMLError | BlockFault) -> DocumentFault:
    """The one finding of a YAML text that cannot be read.

    Args:
        lines: the text.
        error: what `reader.parse` raised for it.
    """
    if isinstance(error, UnknownAlias):
        return _finding(lines, replace(indicator(lines, error.start), message=error.message))
    if isinstance(error, BlockFault):
        return of_block(lines, error)
    if isinstance(error, MarkedYAMLError):
        return _finding(lines, _of_syntax(lines, error))
    start = control_character(lines.text)
    code = ord(lines.text[start])
    message = f"the control character U+{code:04X} is not allowed in YAML; remove it"
    return _finding(lines, Cure(message, start, start + 1))


def not_a_mapping(lines: Lines, value: Json, start: int, end: int) -> DocumentFault:
    """The finding of a YAML text that is readable and yet holds no keys."""
    after_colon = tight_key(lines, lines.row(start))
    if isinstance(value, str) and after_colon:
        return _finding(lines, tight(lines, after_colon))
    what = "a list" if isinstance(value, list) else "a value without a key"
    message = f'front matter is lines of "key: value", and this is {what}; give it a key'
    return _finding(lines, Cure(message, start, end))


def _of_syntax(lines: Lines, error: MarkedYAMLError) -> Cure:
    """A fault of syntax, by the rule that libyaml names."""
    offset = min(_offset(error), len(lines.text))
    start = error.context_mark.index if error.context_mark else offset
    tab = tab_in_indent(lines, lines.row(offset))
    if tab >= 0:
        message = "a tab indents this line, and YAML indents with spaces only; use spaces"
        return Cure(message, tab, tab + 1)
    found = cure_for(lines, error.problem, error.context, offset, start)
    if found is not None:
        return found
    problem = visible(shorten(error.problem or "it breaks off", 120))
    message = f"this is not valid YAML: {problem}; put values with special characters in quotes"
    return Cure(message, offset, offset + 1)


def _finding(lines: Lines, cure: Cure) -> DocumentFault:
    """The finding of a cure, with its edit where that helps."""
    edit = cure.edit
    fix = None
    if edit is not None and _mends(lines.text, edit):
        start, end = lines.span(edit.start, edit.start), lines.span(edit.end, edit.end)
        span = Span(start.line, start.column, end.line, end.column)
        fix = Fix(edit.description, (findings.Edit(span, edit.replacement),))
    fault = BlockFault(cure.message, cure.start, cure.end, first=cure.first)
    return of_block(lines, fault, fix)


def _mends(text: str, edit: Edit) -> bool:
    """Whether an edit makes the text readable, at least past the place of the edit."""
    after = edit.start + len(edit.replacement)
    try:
        parse(text[: edit.start] + edit.replacement + text[edit.end :])
    except BlockFault as fault:
        return fault.start > after
    except MarkedYAMLError as error:
        return _offset(error) > after and _context(error) > after
    except YAMLError:
        return False
    return True


def _offset(error: MarkedYAMLError) -> int:
    return error.problem_mark.index if error.problem_mark else 0


def _context(error: MarkedYAMLError) -> int:
    """Where the construct starts that went wrong, as far as the error tells."""
    simple = error.context in _CONTEXTS_OF_A_SLIP
    return error.context_mark.index if error.context_mark and simple else _offset(error)


_CONTEXTS_OF_A_SLIP = {
    "while scanning a simple key",
    "while scanning a quoted scalar",
    "while parsing a flow sequence",
    "while parsing a flow mapping",
}
