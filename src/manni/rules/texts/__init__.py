"""What the rules say to people: one table of texts, split by where the rules come from."""

from __future__ import annotations

from dataclasses import dataclass

from manni.model.findings import Severity


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of one rule.

    Attributes:
        name: in Pascal case.
        short: what is wrong, one line without a full stop.
        why: what the rule guards against, in one or two sentences.
        fix: what to do about a finding.
        wrong: a document, or a part of one, that the rule finds fault with.
        right: the same, mended.
        severity: of the rule's findings.
        given: what the example supposes beside the document: a part of a schema, or other files.
        given_language: the language of `given`, for highlighting.
        language: the language of `wrong` and `right`, for highlighting.
        tags: the subjects that the rule belongs to.
    """

    name: str
    short: str
    why: str
    fix: str
    wrong: str
    right: str
    severity: Severity = Severity.ERROR
    given: str = ""
    given_language: str = "json"
    language: str = "yaml"
    tags: tuple[str, ...] = ("front-matter",)


def fenced(block: str) -> str:
    """The lines as YAML front matter."""
    return f"---\n{block.strip()}\n---\n"
