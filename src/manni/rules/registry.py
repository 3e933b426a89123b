"""Every rule, described: what it says, why, and how to mend a finding of it.

Reports take their rule descriptions from `describe`; `manni.rules.page` prints the same as a page.
A new rule is a module under `rules/checks`, whose findings carry a schema and a keyword, and its
text in the file of its group under `rules/texts`. A check states the severity of its findings
itself, so that no run reads texts which no report shows; a test holds the two in step.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from manni import __version__
from manni.base.text import shorten, visible
from manni.model.findings import PARSE_SCHEMA, TOOL_SCHEMA, Finding, Severity
from manni.rules.texts import EVALS, HOSTS, KEYWORDS, READING, STORAGE, Entry, texts
from manni.schemas.vocabularies import ARTIFACT_EVALS, PAGE_EVALS

HOME = "https://github.com/hawkeyexl/manni-action"
"""The project's repository."""

PAGE = f"{HOME}/blob/v{__version__}/docs/rules.md"
"""The page that `python -m manni.rules.page` prints, as this version was released with it."""

VOCABULARIES = (ARTIFACT_EVALS, PAGE_EVALS)
"""The ids of the eval vocabularies: schemas of findings that the group `EVALS` describes."""

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


@lru_cache(maxsize=1024)
def describe(schema: str, keyword: str) -> Rule:
    """The rule behind findings of this schema and keyword.

    Args:
        schema: a finding's schema: a reference as the user wrote it, or one of this tool's own.
        keyword: a finding's keyword. One that no table knows gets a general description.
    """
    rule_id = Finding(schema=schema, keyword=keyword, message="").rule_id
    key, entry = _find(schema, keyword, rule_id)
    own = schema == TOOL_SCHEMA or key == rule_id
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


def title(finding: Finding) -> str:
    """What heads a finding: its schema's reference or, for a check of this tool's own, words."""
    schema = finding.schema
    if schema in {TOOL_SCHEMA, PARSE_SCHEMA} or schema.startswith(_STORED):
        return describe(schema, finding.keyword).short
    return schema


def _find(schema: str, keyword: str, rule_id: str) -> tuple[str, Entry]:
    """The heading on the page of rules, and the texts."""
    if schema in {TOOL_SCHEMA, PARSE_SCHEMA} and rule_id in texts(READING):
        return rule_id, texts(READING)[rule_id]
    if schema == TOOL_SCHEMA and rule_id in texts(HOSTS):
        return rule_id, texts(HOSTS)[rule_id]
    if schema.startswith(_STORED) and rule_id in texts(STORAGE):
        return rule_id, texts(STORAGE)[rule_id]
    if schema in VOCABULARIES and keyword in texts(EVALS):
        return keyword, texts(EVALS)[keyword]
    if keyword in texts(KEYWORDS):
        return keyword, texts(KEYWORDS)[keyword]
    if schema == TOOL_SCHEMA:
        return TOOL_SECTION, _general_of_tool(keyword)
    return OTHER_SECTION, _general(keyword)


_STORED = ("external:", "location:")

TOOL_SECTION = "Reading a file"
OTHER_SECTION = "Other keywords"


def _general_of_tool(keyword: str) -> Entry:
    return Entry(
        name=_pascal(keyword),
        short="The file cannot be checked as it stands",
        why="Something about the file keeps its front matter from being read.",
        fix="Do what the message of the finding says.",
    )


def _general(keyword: str) -> Entry:
    shown = visible(shorten(keyword, _SHOWN_REFERENCE))
    return Entry(
        name=_pascal(keyword),
        short=f"The schema's `{shown}` does not hold" if shown else "The schema does not hold",
        why="The schema makes a demand that the metadata does not meet.",
        fix="Look up the keyword in the schema and change the value that the finding points at.",
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
    return f"{entry.why}{source}\n\n**How to mend it.** {entry.fix}{examples(entry)}"


def examples(entry: Entry) -> str:
    """The example of a rule as Markdown, set off by blank lines; nothing where it has none."""
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
