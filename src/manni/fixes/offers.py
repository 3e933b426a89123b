"""Which fix a finding gets: a table by the keyword that failed.

A fix is safe where it writes down what the author meant, and unsafe where it is a guess. None is
offered for null, which nobody can tell from a value that is still to be written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from manni.base.spelling import nearest
from manni.documents.faults import show
from manni.documents.yaml.core import resolve_plain
from manni.documents.yaml.quoting import quote
from manni.fixes.editor import Editor
from manni.fixes.prose import prose_fix
from manni.model.findings import PARSE_SCHEMA, Fault, Fix

if TYPE_CHECKING:
    from manni.base.json_types import Json
    from manni.documents.document import Document
    from manni.documents.load import Metadata

_QUOTE = "Quote the value"
_UNQUOTE = "Remove the quotes"

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_SWITCHES = {"yes": True, "on": True, "no": False, "off": False}
_ITEMS = re.compile(r"(?:[^,()\[\]{}]|\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\})+")
_SHORT_NAME = 4
# Texts that hold several values with commas between them, where a list is refused.
_JOINED = frozenset({("github:copilot-instructions:1.0", "/applyTo")})


def with_fixes(
    faults: Iterable[Fault], document: Document, metadata: Metadata | None
) -> tuple[Fault, ...]:
    """The faults of an artifact; those that have no fix get one where there is one to offer.

    Args:
        faults: of the artifact.
        document: the artifact.
        metadata: of that document alone, without what manifests add; None where it is unreadable.
    """
    if metadata is None:
        return tuple(_unread(fault, document) for fault in faults)
    editor = Editor(document, metadata)
    return tuple(_with_fix(fault, editor) for fault in faults)


def _unread(fault: Fault, document: Document) -> Fault:
    """A fault of syntax: what mends it as a whole comes before what mends one line."""
    is_syntax = fault.representative.schema == PARSE_SCHEMA
    return _fixed(fault, prose_fix(document) if is_syntax else None)


def _with_fix(fault: Fault, editor: Editor) -> Fault:
    finding = fault.representative
    offer = _BY_KEYWORD.get(finding.keyword)
    if offer is None or finding.fix is not None or finding.manifest is not None:
        return fault
    return _fixed(fault, offer(fault, editor))


def _fixed(fault: Fault, fix: Fix | None) -> Fault:
    if fix is None:
        return fault
    finding = fault.representative
    before, after = fault.findings[: fault.lead], fault.findings[fault.lead + 1 :]
    return replace(fault, findings=(*before, replace(finding, fix=fix), *after))


def _of_type(fault: Fault, editor: Editor) -> Fix | None:
    finding = fault.representative
    if (finding.schema, finding.pointer) in _JOINED:
        fix = join(editor, finding.pointer)
        if fix is not None:
            return fix
    return _converted(editor, finding.pointer, frozenset((finding.subject or "").split(",")))


def _of_values(fault: Fault, editor: Editor) -> Fix | None:
    """`enum`, `const`: the value in quotes when that is allowed, else the nearest one."""
    finding = fault.representative
    pointer, allowed = finding.pointer, finding.allowed
    value, source = editor.value(pointer), editor.source(pointer)
    if isinstance(value, (bool, int, float)):
        return _quoted_scalar(editor, pointer) if source in allowed else None
    guess = nearest(value, allowed) if isinstance(value, str) else None
    if guess is None or _is_json(guess):
        return None
    text = editor.spell(guess, like=source)
    return editor.replace(pointer, text, guess, f"Replace it with {show(guess)}", safe=False)


def _of_alternatives(fault: Fault, editor: Editor) -> Fix | None:
    """`anyOf`, `oneOf`: where all that is wrong is the type, or the value of a text."""
    finding = fault.representative
    beneath = [other for other in fault.findings if other is not finding]
    if any(other.pointer != finding.pointer for other in beneath):
        return None
    types = [other.subject or "" for other in beneath if other.keyword == "type"]
    if len(types) == len(beneath):
        return _converted(editor, finding.pointer, frozenset(",".join(types).split(",")))
    return _of_values(fault, editor) if finding.allowed else None


def _of_name(fault: Fault, editor: Editor) -> Fix | None:
    """A key that should not be there, and is nearly one that is missing."""
    finding = fault.representative
    name = finding.subject if finding.subject is not None else finding.actual
    members = editor.value(finding.pointer)
    if name is None or not isinstance(members, dict):
        return None
    right = nearest(name, finding.allowed)
    if (
        right is None
        or right in members
        or (_is_short(name, right) and not _differ_in_case(name, right))
    ):
        return None
    return rename(editor, finding.pointer, name, right)


def rename(editor: Editor, parent: str, name: str, new: str) -> Fix | None:
    """The safe fix that renames a member of the mapping at `parent`."""
    return editor.rename(parent, name, new, f"Rename it to {show(new)}")


def join(editor: Editor, pointer: str, separator: str = ",") -> Fix | None:
    """The safe fix that turns a list of texts into one text, for hosts that read it so.

    None where an item holds the separator, or a comment would be lost.
    """
    items = editor.value(pointer)
    if not isinstance(items, list) or not items or "#" in editor.source(pointer):
        return None
    texts = [item for item in items if isinstance(item, str) and separator not in item]
    if len(texts) < len(items):
        return None
    joined = separator.join(texts)
    description = "Join the items to one text"
    return editor.rewrite(pointer, editor.spell(joined, like='"'), joined, description)


def _converted(editor: Editor, pointer: str, wanted: frozenset[str]) -> Fix | None:
    """The value as one of the wanted types, by names of JSON Schema."""
    value = editor.value(pointer)
    source = editor.source(pointer)
    if value is None or not source or "\n" in source or "\r" in source:
        return None
    if "string" in wanted:
        if isinstance(value, (list, dict)):
            return _quoted_collection(editor, pointer, value)
        return _quoted_scalar(editor, pointer)
    if isinstance(value, str):
        fix = _unquoted(editor, pointer, value, wanted)
        if fix is not None:
            return fix
    if "array" in wanted and not isinstance(value, (list, dict)):
        return _listed(editor, pointer, value)
    return None


def _quoted_scalar(editor: Editor, pointer: str) -> Fix | None:
    """A number or boolean as the text that stands there."""
    source = editor.source(pointer)
    if not editor.is_yaml and source:
        return editor.replace(pointer, editor.spell(source), source, _QUOTE)
    if not source or isinstance(resolve_plain(source), str):
        return None  # an alias, a tag or an anchor, whose text says something else
    return editor.replace(pointer, quote(source), source, _QUOTE)


def _quoted_collection(editor: Editor, pointer: str, value: Json) -> Fix | None:
    """`[topic]` and `{topic}` as text: a hint in brackets. Several items may well be a list."""
    source = editor.source(pointer)
    if not editor.is_yaml or source[0] not in "[{" or not isinstance(value, (list, dict)):
        return None
    return editor.replace(pointer, quote(source), source, _QUOTE, safe=len(value) < 2)


def _unquoted(editor: Editor, pointer: str, text: str, wanted: frozenset[str]) -> Fix | None:
    """A text that spells a boolean or a number as that."""
    if "boolean" in wanted and text.lower() in ("true", "false"):
        meant = text.lower() == "true"
        return editor.replace(pointer, text.lower(), meant, _UNQUOTE)
    if "boolean" in wanted and text.lower() in _SWITCHES:
        meant = _SWITCHES[text.lower()]
        spelled = json.dumps(meant)
        return editor.replace(pointer, spelled, meant, f"Write {spelled}", safe=False)
    is_number = "number" in wanted and _NUMBER.fullmatch(text)
    if is_number or ("integer" in wanted and _INTEGER.fullmatch(text)):
        number = resolve_plain(text)
        return None if isinstance(number, str) else editor.replace(pointer, text, number, _UNQUOTE)
    return None


def _listed(editor: Editor, pointer: str, value: Json) -> Fix | None:
    """One value as a list of it; commas in a text part its items."""
    source = editor.source(pointer)
    if not isinstance(value, str):
        return editor.replace(pointer, f"[{source}]", [value], "Make it a list", safe=False)
    parts = _ITEMS.findall(value)
    if not value.strip() or ",".join(parts) != value:
        parts = [value]
    parts = [part.strip() for part in parts]
    text = ", ".join(editor.spell(part, like=source) for part in parts)
    return editor.replace(pointer, f"[{text}]", [*parts], "Make it a list", safe=False)


def _is_json(text: str) -> bool:
    """Whether a text may be the spelling of a JSON value that is no string."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _is_short(*names: str) -> bool:
    return min(map(len, names)) < _SHORT_NAME


def _differ_in_case(one: str, other: str) -> bool:
    return one.lower() == other.lower()


_BY_KEYWORD: dict[str, Callable[[Fault, Editor], Fix | None]] = {
    "additionalProperties": _of_name,
    "anyOf": _of_alternatives,
    "const": _of_values,
    "enum": _of_values,
    "oneOf": _of_alternatives,
    "propertyNames": _of_name,
    "type": _of_type,
    "unevaluatedProperties": _of_name,
}
