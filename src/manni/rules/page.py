"""The page of rules, `docs/rules.md`; `python -m manni.rules.page` prints it."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from manni.rules.registry import OTHER_SECTION, TOOL_SECTION, examples
from manni.rules.texts import EVALS, HOSTS, KEYWORDS, READING, STORAGE, texts
from manni.schemas.vocabularies import ARTIFACT_EVALS, PAGE_EVALS

_ABOUT_READING = "What can be wrong with a file before any schema is asked."

_ABOUT_HOSTS = """\
What a host expects of its files and no schema can say. These rules apply to files whose kind is
known from where they are, such as a skill or a rule of Cursor."""

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

_SECTIONS: tuple[tuple[str, str, str], ...] = (
    (TOOL_SECTION, _ABOUT_READING, READING),
    ("Kinds of files", _ABOUT_HOSTS, HOSTS),
    ("Keywords of JSON Schema", _ABOUT_KEYWORDS, KEYWORDS),
    ("Eval vocabularies", _ABOUT_VOCABULARIES, EVALS),
    ("Where values are stored", _ABOUT_STORAGE, STORAGE),
)

_INTRODUCTION = """\
# Rules

<!-- Written by `python -m manni.rules.page`; change the texts there. -->

Every finding names its rule. A finding of severity *error* fails a run; a *warning* or a *notice*
does so only where `fail-on` says it."""

_CLOSING = f"""\
## {OTHER_SECTION}

A schema may use keywords that have no section here. Look the keyword up in the schema, and change
the value that the finding points at."""


def page() -> str:
    """The page of rules as Markdown, ending in a line break."""
    return "\n\n".join([_INTRODUCTION, *_sections(), _CLOSING]) + "\n"


def _sections() -> Iterator[str]:
    for title, introduction, group in _SECTIONS:
        yield f"## {title}\n\n{introduction}"
        for key, entry in texts(group).items():
            yield (
                f"### {key}\n\n**{entry.short}.** Severity: {entry.severity}.\n\n{entry.why}\n\n"
                f"**How to mend it.** {entry.fix}{examples(entry)}"
            )


if __name__ == "__main__":
    sys.stdout.write(page())
