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
from manni.documents.faults import DEEP, finding_at, of_duplicate, show
from manni.documents.yaml.reader import Problem, YamlFault, read_marked
from manni.documents.yaml.shapes import tab_in_indent, tight_key
from manni.documents.yaml.slips import explain, tight
from manni.documents.yaml.text import control_character
from manni.documents.yaml.value_slips import Diagnosis, Edit, indicator
from manni.model import findings

if TYPE_CHECKING:
    from manni.base.json_types import Json
    from manni.documents.front_matter import DocumentFault
    from manni.documents.lines import Lines


def diagnose(lines: Lines, error: YAMLError | YamlFault) -> DocumentFault:
    """The one finding of a YAML text that cannot be read.

    Args:
        lines: the text.
        error: what `yaml_reader.read_marked` raised for it.
    """
    if isinstance(error, YamlFault):
        if error.problem is Problem.DUPLICATE:
            return of_duplicate(lines, error.name, error.first, error.start, error.end)
        diagnosis = _of_fault(lines, error)
    elif isinstance(error, MarkedYAMLError):
        diagnosis = _of_syntax(lines, error)
    else:
        diagnosis = _of_characters(lines)
    return _finding(lines, diagnosis)


def not_a_mapping(lines: Lines, value: Json, start: int, end: int) -> DocumentFault:
    """The finding of a YAML text that is readable and yet holds no keys."""
    after_colon = tight_key(lines, lines.row(start))
    if isinstance(value, str) and after_colon:
        return _finding(lines, tight(lines, after_colon))
    what = "a list" if isinstance(value, list) else "a value without a key"
    message = f'front matter is lines of "key: value", and this is {what}; give it a key'
    return _finding(lines, Diagnosis(message, start, end))


def _finding(lines: Lines, diagnosis: Diagnosis) -> DocumentFault:
    edit = diagnosis.edit
    fix = None
    if edit is not None and _mends(lines.text, edit):
        span = lines.span(edit.start, edit.end)
        fix = findings.Fix(edit.description, (findings.Edit(span, edit.replacement),))
    message, start, end = diagnosis.message, diagnosis.start, diagnosis.end
    return finding_at(lines, message, start, end, first=diagnosis.first, fix=fix)


def _mends(text: str, edit: Edit) -> bool:
    """Whether an edit makes the text readable, at least past the place of the edit."""
    after = edit.start + len(edit.replacement)
    try:
        read_marked(text[: edit.start] + edit.replacement + text[edit.end :])
    except YamlFault as fault:
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


_MESSAGES = {
    Problem.ALIASES: "this is more than 100 aliases (*name); write the values out",
    Problem.DEPTH: DEEP,
    Problem.DOCUMENTS: (
        "a second document starts here, and front matter is a single one; remove this line, or "
        "what follows the fence on it if it was meant as the closing one"
    ),
    Problem.EXPANDED: "the aliases up to here stand for too many values; write less of them",
    Problem.KEY: "a list or mapping this large cannot be a key; use a short text as the key",
    Problem.RECURSIVE: "this alias stands inside of the very value it names; remove it",
}


def _of_fault(lines: Lines, fault: YamlFault) -> Diagnosis:
    if fault.problem is Problem.UNKNOWN:
        found = indicator(lines, fault.start)
        message = (
            f"the alias {show('*' + fault.name)} names no anchor above it; put the value in quotes "
            "if it is text"
        )
        return replace(found, message=message)
    return Diagnosis(_MESSAGES[fault.problem], fault.start, fault.end)


def _of_characters(lines: Lines) -> Diagnosis:
    start = control_character(lines.text)
    code = ord(lines.text[start])
    message = f"the control character U+{code:04X} is not allowed in YAML; remove it"
    return Diagnosis(message, start, start + 1)


# Faults of syntax: by the rule that libyaml names.


def _of_syntax(lines: Lines, error: MarkedYAMLError) -> Diagnosis:
    offset = min(_offset(error), len(lines.text))
    start = error.context_mark.index if error.context_mark else offset
    tab = tab_in_indent(lines, lines.row(offset))
    if tab >= 0:
        message = "a tab indents this line, and YAML indents with spaces only; use spaces"
        return Diagnosis(message, tab, tab + 1)
    found = explain(lines, error.problem, error.context, offset, start)
    if found is not None:
        return found
    problem = visible(shorten(error.problem or "it breaks off", 120))
    message = f"this is not valid YAML: {problem}; put values with special characters in quotes"
    return Diagnosis(message, offset, offset + 1)
