"""What would satisfy a fault, in plain words, for the reports that people act on.

A pure function of the fault: it reads the names and values that its findings carry and never the
schema. The messages themselves stay as they are; this is said after them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from manni.base.spelling import nearest
from manni.base.text import shorten, visible
from manni.model.findings import Fault, Finding, Span

_SHOWN_NAMES = 12
_NAME_LIMIT = 60
_LENGTH_LIMIT = 600

_COMPARED_LENGTH = 80

_NAME = "lower-case letters, digits and hyphens"
_LETTERS = r"\p{Ll}\p{Lm}\p{Lo}\p{M}\p{N}"
# Names in the letters of any language: what the Agent Skills standard asks of a skill.
_PORTABLE_NAME = f"^[{_LETTERS}]+(?:-[{_LETTERS}]+)*$"
_KEBAB_PATTERNS = {
    "^[a-z0-9]+(?:-[a-z0-9]+)*$": "only lower-case letters, digits and single hyphens",
    _PORTABLE_NAME: "only lower-case letters, digits and single hyphens",
    "^[a-z0-9][a-z0-9-]*$": f"only {_NAME}",
}

_PATTERNS = _KEBAB_PATTERNS | {
    r"\S": "a text that is not blank",
    "^/": "a text that starts with /",
    "^[^-]": "a text that does not start with a hyphen",
    "^[0-9]+$": "only digits",
    "^[1-9][0-9]*$": "a whole number from 1",
    "^[A-Za-z_][A-Za-z0-9_]*$": "only letters, digits and underscores, with no digit first",
    "^[a-z0-9_-]+$": f"only {_NAME}, or underscores",
    "^(?:true|false)$": "true or false",
    "^(?:low|medium|high|xhigh|max|-?[0-9]+)$": "low, medium, high, xhigh, max or a whole number",
    "^(?:/.*|[a-z0-9][a-z0-9-]*)$": f"a path that starts with /, or a name of {_NAME}",
    "^(?:/(?:[^~/]|~[01])*)+$": "a JSON Pointer such as /metadata/evals",
    "^(ai|command|human|tool:[a-z0-9][a-z0-9-]*)$": (
        f"ai, command, human, or tool: and a name of {_NAME}"
    ),
    "^(tool:)?[a-z0-9][a-z0-9-]*$": f"a name of {_NAME}, with or without tool: before it",
    "^tool:[a-z0-9][a-z0-9-]*$": f"tool: and a name of {_NAME}",
    "^(#[0-9a-fA-F]{6}|primary|secondary|accent|success|warning|error|info)$": (
        "primary, secondary, accent, success, warning, error, info or a colour such as #1a2b3c"
    ),
    "^sha256-[0-9a-f]{64}$": "sha256- and 64 lower-case hexadecimal digits",
}
"""What the patterns of the built-in schemas ask for, in words."""

_TYPES = {
    "array": "a list",
    "boolean": "true or false",
    "integer": "a whole number",
    "null": "null",
    "number": "a number",
    "object": "a mapping",
    "string": "a string",
}

_FORMATS = {
    "date": "a date such as 2026-01-31",
    "date-time": "a date and time such as 2026-01-31T09:30:00Z",
    "duration": "a duration such as P3DT12H",
    "email": "an e-mail address such as ada@example.com",
    "hostname": "a host name such as docs.example.com",
    "ipv4": "an IPv4 address such as 192.0.2.1",
    "ipv6": "an IPv6 address such as 2001:db8::1",
    "json-pointer": "a JSON Pointer such as /metadata/evals",
    "regex": "a regular expression",
    "time": "a time such as 09:30:00Z",
    "uri": "an absolute address such as https://docs.example.com/",
    "uri-reference": "an address or a path such as ../guide.md",
    "uuid": "a UUID such as 123e4567-e89b-12d3-a456-426614174000",
}

_FIXED = {
    "dependentRequired": "add what is missing, or remove the property that needs it",
    "not": "change it to a value that the schema does not rule out",
    "uniqueItems": "remove the repeated item",
}

_BOUNDS = {
    "exclusiveMaximum": ("use a number below", ""),
    "exclusiveMinimum": ("use a number above", ""),
    "maxItems": ("keep at most", "item"),
    "maxLength": ("shorten it to at most", "character"),
    "maxProperties": ("keep at most", "key"),
    "maximum": ("use a number of at most", ""),
    "minItems": ("list at least", "item"),
    "minLength": ("write at least", "character"),
    "minProperties": ("give at least", "key"),
    "minimum": ("use a number of at least", ""),
    "multipleOf": ("use a multiple of", ""),
}

_NOTHING = Span(1, 1, 1, 1)
"""Where a finding about the root points in a file without front matter."""

_COMPOSITES = frozenset({"anyOf", "oneOf"})
_UNWANTED = frozenset({"additionalProperties", "unevaluatedProperties", "false schema"})
_NUMBER = re.compile(r"-?[0-9][0-9.e+-]*")
_UNQUOTED = re.compile(r"true|false|null|-?[0-9][0-9.eE+-]*")


def explain(fault: Fault) -> str:
    """The message of the fault's representative, followed by `advice` where there is some."""
    message, said = fault.representative.message, advice(fault)
    if not said:
        return message
    is_sentence = message.endswith(".")
    return f"{message} {said[0].upper()}{said[1:]}." if is_sentence else f"{message}; {said}"


def advice(fault: Fault) -> str:
    """What would satisfy the fault: `use one of low, medium, high; did you mean 'high'?`.

    Returns:
        Words without a full stop, on one line, at most some 700 characters long; empty where
        nothing can be added to the message.
    """
    finding = fault.representative
    if finding.keyword in _COMPOSITES:
        said = _alternatives(fault)
    elif finding.keyword == "propertyNames":
        said = _renaming(fault)
    elif (wanted := _missing_name(fault)) is not None:
        return f"rename it to {_quoted(wanted)}"
    else:
        said = _single(finding)
    guess = _guess(fault)
    parts = [shorten(visible(said), _LENGTH_LIMIT)] if said else []
    if guess is not None and "did you mean" not in finding.message:
        parts.append(f"did you mean {_quoted(guess)}?")
    return "; ".join(part for part in parts if part not in finding.message)


def _guess(fault: Fault) -> str | None:
    finding = fault.representative
    allowed = _allowed(fault)
    word = _unwanted_name(finding) if finding.keyword in _UNWANTED else _met(fault)
    if word is None:
        return None
    if finding.keyword == "pattern":
        return _kebab(word, _pattern(finding))
    return nearest(word, allowed) if allowed else None


def _missing_name(fault: Fault) -> str | None:
    """The required name that an unwanted one misspells, where the fault is about the two."""
    if fault.representative.keyword not in _UNWANTED:
        return None
    names = (finding.subject for finding in fault.findings if finding.keyword == "required")
    return next(names, None)


def _met(fault: Fault) -> str | None:
    """What was met in the place of the fault; alternatives say it, and what joins them does not."""
    finding = fault.representative
    if finding.keyword not in _COMPOSITES or finding.actual is not None:
        return finding.actual
    beneath = (each for each in fault.findings if each.pointer == finding.pointer)
    return next((each.actual for each in beneath if each.keyword in {"enum", "const"}), None)


def _allowed(fault: Fault) -> tuple[str, ...]:
    finding = fault.representative
    if finding.keyword not in _COMPOSITES:
        return finding.allowed
    union = dict.fromkeys(finding.allowed)
    for other in fault.findings:
        if other.pointer == finding.pointer and other.keyword in {"enum", "const"}:
            union.update(dict.fromkeys(other.allowed))
    return tuple(union)


def _kebab(word: str, pattern: str) -> str | None:
    if pattern not in _KEBAB_PATTERNS or len(word) > _COMPARED_LENGTH:
        return None
    others = r"[\W_]+" if pattern == _PORTABLE_NAME else "[^a-z0-9]+"
    slug = re.sub(others, "-", word.lower()).strip("-")
    return slug if slug and slug != word else None


def _pattern(finding: Finding) -> str:
    return finding.message.removeprefix('must match pattern "').removesuffix('"')


def _quoted(name: str) -> str:
    return f"'{_name(name)}'"


def _name(name: str) -> str:
    return shorten(visible(name), _NAME_LIMIT)


def _listed(names: Iterable[str], *, quote: bool = False) -> str:
    every = tuple(names)
    shown = [_quoted(name) if quote else _name(name) or "''" for name in every[:_SHOWN_NAMES]]
    left = len(every) - len(shown)
    return ", ".join(shown) + (f" and {left} more" if left else "")


def _single(finding: Finding) -> str:
    advise = _BY_KEYWORD.get(finding.keyword)
    return advise(finding) if advise else _FIXED.get(finding.keyword, "")


def _renaming(fault: Fault) -> str:
    """What the name of a property must be, from the finding about the name."""
    wanted = _single(fault.findings[0]) if fault.lead else ""
    return f"rename it: {wanted}" if wanted else "rename it"


def _alternatives(fault: Fault) -> str:
    """What any of the alternatives would take, from the findings beneath an `anyOf`/`oneOf`."""
    composite = fault.representative
    beneath = [
        finding
        for finding in fault.findings
        if finding is not composite and finding.pointer == composite.pointer
    ]
    values = _allowed(fault)
    uses = [f"one of {_listed(values)}"] if len(values) > 1 else list(map(_name, values))
    uses += [wanted for finding in beneath if (wanted := _wanted(finding))]
    missing = dict.fromkeys(
        finding.subject for finding in beneath if finding.keyword == "required" and finding.subject
    )
    ways = []
    if uses:
        ways.append("use " + ", or ".join(dict.fromkeys(uses)))
    if missing:
        ways.append("add " + " or ".join(map(_quoted, list(missing)[:_SHOWN_NAMES])))
    if ways:
        return ", or ".join(ways)
    exactly = "exactly " if composite.keyword == "oneOf" else ""
    return f"make it fit {exactly}one of the alternatives"


def _wanted(finding: Finding) -> str:
    if finding.keyword == "type":
        return _types(finding)
    if finding.keyword == "pattern":
        pattern = _pattern(finding)
        return _PATTERNS.get(pattern) or f"a value that matches {_quoted(pattern)}"
    if finding.keyword == "format":
        return _FORMATS.get(finding.subject or "", "")
    return ""


def _types(finding: Finding) -> str:
    return " or ".join(
        _TYPES.get(name, name) for name in (finding.subject or "").split(",") if name
    )


def _enum(finding: Finding) -> str:
    return f"use one of {_listed(finding.allowed)}" if finding.allowed else ""


def _const(finding: Finding) -> str:
    return f"use {_listed(finding.allowed)}" if finding.allowed else ""


def _type(finding: Finding) -> str:
    wanted = _types(finding)
    if not wanted:
        return ""
    if finding.actual == "null" and finding.subject == "string":
        return "use a string; it needs a value"
    if finding.subject == "string" and _UNQUOTED.fullmatch(finding.actual or ""):
        # A fix keeps the spelling: `1.10` is met as the number 1.1.
        quoted = finding.fix.edits[0].text if finding.fix else f'"{finding.actual}"'
        return f"put it in quotes: {_name(quoted)}"
    if finding.fix is not None and finding.subject == "string":
        # A fix that takes in the space before the value starts with the colon of its key.
        text = finding.fix.edits[0].text.removeprefix(": ")
        return f"{finding.fix.description.lower()}: {_name(text)}"
    return f"use {wanted}"


def _unwanted_name(finding: Finding) -> str | None:
    if finding.subject is not None:
        return finding.subject
    if finding.keyword != "false schema" or not finding.pointer:
        return finding.actual
    return finding.pointer.rpartition("/")[2].replace("~1", "/").replace("~0", "~")


def _unwanted(finding: Finding) -> str:
    name = _unwanted_name(finding)
    remove = "remove it" if name is None else f"remove {_quoted(name)}"
    if not finding.pointer and "metadata" in finding.allowed:
        remove = f"{remove}, or put it under metadata"
    if not finding.allowed:
        return remove
    return f"{remove}, or use one of {_listed(finding.allowed)}"


def _required(finding: Finding) -> str:
    if finding.subject is None:
        return ""
    add = f"add {_quoted(finding.subject)}"
    if finding.span == _NOTHING and not finding.pointer:
        return (
            f"there is no front matter; start the file with a block between two lines --- and {add}"
        )
    return add


def _location(finding: Finding) -> str:
    if finding.schema != "location:external":
        return ""
    return (
        "it may stay, for nothing fails by it; to keep it out of the page, name a manifest under "
        "externalMetadata of its collection in manni.config.yaml"
    )


def _pattern_advice(finding: Finding) -> str:
    said = _PATTERNS.get(_pattern(finding))
    return f"use {said}" if said else ""


def _format(finding: Finding) -> str:
    wanted = _FORMATS.get(finding.subject or "")
    return f"use {wanted}" if wanted else ""


def _bound(finding: Finding) -> str:
    before, noun = _BOUNDS[finding.keyword]
    found = _NUMBER.search(finding.message)
    if found is None:
        return ""
    number = found.group()
    return " ".join(
        filter(None, (before, number, noun and (noun if number == "1" else f"{noun}s")))
    )


_BY_KEYWORD: dict[str, Callable[[Finding], str]] = {
    "additionalProperties": _unwanted,
    "const": _const,
    "enum": _enum,
    "false schema": _unwanted,
    "format": _format,
    "location": _location,
    "pattern": _pattern_advice,
    "required": _required,
    "type": _type,
    "unevaluatedProperties": _unwanted,
    **dict.fromkeys(_BOUNDS, _bound),
}
