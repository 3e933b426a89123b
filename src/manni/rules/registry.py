"""Every rule, described: what it says, why, and how to mend a finding of it.

Reports take their rule descriptions from `describe`, and `python -m manni.rules.registry`
prints the page `docs/rules.md` from the same table.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from manni.base.text import shorten, visible
from manni.model.findings import TOOL_SCHEMA, Finding, Severity
from manni.rules.texts import Entry
from manni.rules.texts.keywords import KEYWORDS
from manni.rules.texts.own import STORAGE, TOOL
from manni.rules.texts.vocabulary import VOCABULARY
from manni.schemas.vocabularies import ARTIFACT_EVALS, PAGE_EVALS

HOME = "https://github.com/hawkeyexl/manni-action"
"""The project's repository."""

PAGE = f"{HOME}/blob/main/docs/rules.md"
"""The page that `python -m manni.rules.registry` prints."""

VOCABULARIES = (ARTIFACT_EVALS, PAGE_EVALS)
"""The ids of the eval vocabularies: schemas of findings that `VOCABULARY` describes."""

_MAX_NAME = 255
_MAX_FULL = 1024
_SHOWN_REFERENCE = 200


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule as reports describe it (SARIF 2.1.0 section 3.49, `reportingDescriptor`).

    Attributes:
        id: `<schema>/<keyword>`, or one of this tool's own ids.
        name: in Pascal case, at most 255 characters.
        short: what is wrong, one line without a full stop.
        full: what is wrong and why it matters, at most 1,024 characters.
        help_text: how to mend it, with an example, as plain text.
        help_markdown: the same as Markdown.
        severity: of the rule's findings.
        tags: the subjects it belongs to.
        uri: its section of the page of rules.
    """

    id: str
    name: str
    short: str
    full: str
    help_text: str
    help_markdown: str
    severity: Severity
    tags: tuple[str, ...]
    uri: str


def describe(schema: str, keyword: str) -> Rule:
    """The rule behind findings of this schema and keyword.

    Args:
        schema: a finding's schema: a reference as the user wrote it, or one of this tool's own.
        keyword: a finding's keyword. One that no table knows gets a general description.
    """
    rule_id = Finding(schema=schema, keyword=keyword, message="").rule_id
    key, entry = _find(schema, keyword, rule_id)
    own = schema == TOOL_SCHEMA or rule_id in TOOL or rule_id in STORAGE
    reference = None if own else shorten(schema, _SHOWN_REFERENCE)
    return Rule(
        id=rule_id,
        name=shorten(entry.name, _MAX_NAME),
        short=entry.short,
        full=shorten(_full(entry, reference), _MAX_FULL),
        help_text=_help_text(entry),
        help_markdown=_help_markdown(entry, reference),
        severity=entry.severity,
        tags=entry.tags,
        uri=f"{PAGE}#{_anchor(key)}",
    )


def _find(schema: str, keyword: str, rule_id: str) -> tuple[str, Entry]:
    """The heading on the page of rules, and the texts."""
    if rule_id in TOOL:
        return rule_id, TOOL[rule_id]
    if rule_id in STORAGE:
        return rule_id, STORAGE[rule_id]
    if schema in VOCABULARIES and keyword in VOCABULARY:
        return keyword, VOCABULARY[keyword]
    if keyword in KEYWORDS:
        return keyword, KEYWORDS[keyword]
    if schema == TOOL_SCHEMA:
        return _TOOL_SECTION, _general_of_tool(keyword)
    return _OTHER, _general(keyword)


_TOOL_SECTION = "Reading a file"
_OTHER = "Other keywords"


def _general_of_tool(keyword: str) -> Entry:
    return Entry(
        name=_pascal(keyword),
        short="The file cannot be checked as it stands",
        why="Something about the file keeps its front matter from being read.",
        fix="Do what the message of the finding says.",
        wrong="",
        right="",
    )


def _general(keyword: str) -> Entry:
    shown = visible(shorten(keyword, _SHOWN_REFERENCE))
    return Entry(
        name=_pascal(keyword),
        short=f"The schema's `{shown}` does not hold" if shown else "The schema does not hold",
        why="The schema makes a demand that the metadata does not meet.",
        fix="Look up the keyword in the schema and change the value that the finding points at.",
        wrong="",
        right="",
        tags=("front-matter", "json-schema"),
    )


def _pascal(text: str) -> str:
    words = re.findall(r"[A-Za-z0-9]+", text)
    return "".join(word[0].upper() + word[1:] for word in words) or "OtherKeyword"


def _full(entry: Entry, reference: str | None) -> str:
    source = f" Stated by {visible(reference)}." if reference is not None else ""
    return f"{entry.short}.{source} {_plain(entry.why)}"


def _plain(text: str) -> str:
    return text.replace("`", "")


def _help_text(entry: Entry) -> str:
    parts = [_plain(entry.fix)]
    if entry.wrong:
        if entry.given:
            parts.append(f"With:\n\n{_indented(entry.given)}")
        parts.append(f"Wrong:\n\n{_indented(entry.wrong)}")
        parts.append(f"Right:\n\n{_indented(entry.right)}")
    return "\n\n".join(parts)


def _indented(text: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in text.rstrip("\n").split("\n"))


def _help_markdown(entry: Entry, reference: str | None) -> str:
    source = "" if reference is None else f"\n\nStated by {_code(visible(reference))}."
    return f"{entry.why}{source}\n\n**How to mend it.** {entry.fix}{_examples(entry)}"


def _examples(entry: Entry) -> str:
    if not entry.wrong:
        return ""
    given = f"\n\nWith\n\n{_block(entry.given, entry.given_language)}" if entry.given else ""
    wrong = _block(entry.wrong, entry.language)
    right = _block(entry.right, entry.language)
    return f"{given}\n\nWrong:\n\n{wrong}\n\nRight:\n\n{right}"


def _block(text: str, language: str) -> str:
    return f"```{language}\n{text.rstrip()}\n```"


def _code(text: str) -> str:
    """A code span that holds the text whatever backticks are in it (CommonMark section 6.1)."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if longest or not text.strip() else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def _anchor(heading: str) -> str:
    """The fragment that GitHub gives a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


_ABOUT_READING = "What can be wrong with a file before any schema is asked."

_ABOUT_KEYWORDS = """\
The id of these rules is the schema's reference, as you wrote it, and the keyword:
`anthropic:claude-skill:2.1/enum`. The keyword of a schema that is `false` is `false schema`."""

_ABOUT_VOCABULARIES = f"""\
What the eval vocabularies ask for and a schema cannot state. These rules apply to an artifact
whose schemas include `{ARTIFACT_EVALS}` or `{PAGE_EVALS}`, and their ids start with
that id: `{ARTIFACT_EVALS}/unique-id`. On a page the keys stand at the root of the front
matter, a command receives `{{file}}`, and there is no `meta-provenance`."""

_ABOUT_STORAGE = """\
A collection can keep metadata in manifests beside its pages (`externalMetadata`)."""

_SECTIONS: tuple[tuple[str, str, Mapping[str, Entry]], ...] = (
    (_TOOL_SECTION, _ABOUT_READING, TOOL),
    ("Keywords of JSON Schema", _ABOUT_KEYWORDS, KEYWORDS),
    ("Eval vocabularies", _ABOUT_VOCABULARIES, VOCABULARY),
    ("Where values are stored", _ABOUT_STORAGE, STORAGE),
)

_INTRODUCTION = """\
# Rules

<!-- Written by `python -m manni.rules.registry`; change the texts there. -->

Every finding names its rule. A finding of severity *error* fails a run; a *warning* or a *notice*
does so only where `fail-on` says it."""

_CLOSING = f"""\
## {_OTHER}

A schema may use keywords that have no section here. Look the keyword up in the schema, and change
the value that the finding points at."""


def page() -> str:
    """The page of rules as Markdown, ending in a line break."""
    return "\n\n".join([_INTRODUCTION, *_sections(), _CLOSING]) + "\n"


def _sections() -> Iterator[str]:
    for title, introduction, entries in _SECTIONS:
        yield f"## {title}\n\n{introduction}"
        for key, entry in entries.items():
            yield (
                f"### {key}\n\n**{entry.short}.** Severity: {entry.severity}.\n\n{entry.why}\n\n"
                f"**How to mend it.** {entry.fix}{_examples(entry)}"
            )


if __name__ == "__main__":
    sys.stdout.write(page())
