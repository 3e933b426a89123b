"""What the rules say to people: a file of texts for each group of rules, read when described."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from manni.model.findings import Severity

READING = "reading"
HOSTS = "hosts"
KEYWORDS = "keywords"
EVALS = "evals"
STORAGE = "storage"


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
    wrong: str = ""
    right: str = ""
    severity: Severity = Severity.ERROR
    given: str = ""
    given_language: str = "json"
    language: str = "yaml"
    tags: tuple[str, ...] = ("front-matter",)


@cache
def texts(group: str) -> Mapping[str, Entry]:
    """The texts of a group, by keyword (`KEYWORDS`, `EVALS`) or by rule id (the others)."""
    import yaml

    source = Path(__file__).with_name(f"{group}.yaml").read_text(encoding="utf-8")
    document = yaml.load(source, yaml.CSafeLoader)
    return {
        key: Entry(
            **(
                rule
                | {
                    "severity": Severity(rule.get("severity", "error")),
                    "tags": tuple(rule.get("tags", document["tags"])),
                }
            )
        )
        for key, rule in document["rules"].items()
    }
