"""The table of rules, what reports get from it, and the page printed from it."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manni.model.findings import PARSE_SCHEMA, TOOL_SCHEMA, Severity
from manni.rules import registry as rules
from manni.rules.page import page
from manni.rules.texts import EVALS, HOSTS, KEYWORDS, READING, STORAGE, texts
from manni.schemas.vocabularies import ARTIFACT_EVALS, PAGE_EVALS

ROOT = Path(__file__).parents[3]

KNOWN = [
    *(
        (TOOL_SCHEMA, rule_id.partition("/")[2])
        for rule_id in texts(READING)
        if "-error" not in rule_id
    ),
    *((TOOL_SCHEMA, rule_id.partition("/")[2]) for rule_id in texts(HOSTS)),
    (PARSE_SCHEMA, "parse"),
    (PARSE_SCHEMA, "schema"),
    *((rule_id.partition("/")[0], rule_id.partition("/")[2]) for rule_id in texts(STORAGE)),
    *((vocabulary, keyword) for vocabulary in rules.VOCABULARIES for keyword in texts(EVALS)),
    *(("anthropic:claude-skill:2.1", keyword) for keyword in texts(KEYWORDS)),
]


def test_the_page_is_in_step_with_the_table() -> None:
    written = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    assert written == page(), "run: python -m manni.rules.page > docs/rules.md"


@pytest.mark.parametrize(("schema", "keyword"), KNOWN, ids=lambda value: value)
def test_every_rule_is_described_with_an_example_and_has_its_section(
    schema: str, keyword: str
) -> None:
    rule = rules.describe(schema, keyword)
    assert re.fullmatch(r"(?:[A-Z][a-z0-9]*)+", rule.name)
    assert not rule.short.endswith(".")
    assert "Wrong:" in rule.help_text
    assert "Right:" in rule.help_markdown
    address, _, anchor = rule.uri.partition("#")
    assert address == rules.PAGE
    headings = re.findall(r"^### (.+)$", page(), re.MULTILINE)
    anchors = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
    assert anchors.count(anchor) == 1


def test_ids_follow_the_finding() -> None:
    assert rules.describe(PARSE_SCHEMA, "parse").id == "manni/parse-error"
    assert rules.describe(PARSE_SCHEMA, "schema").id == "manni/schema-error"
    assert rules.describe("a:b:1", "enum").id == "a:b:1/enum"
    assert rules.describe("location:page", "location").severity is Severity.WARNING
    assert rules.describe(PAGE_EVALS, "skipped").severity is Severity.NOTICE


def test_a_vocabulary_rule_is_one_only_under_the_vocabulary() -> None:
    assert rules.describe(ARTIFACT_EVALS, "use").name == "UndefinedReference"
    assert rules.describe("own.schema.json", "use").name == "Use"


def test_an_unknown_rule_of_the_tool_is_about_the_file() -> None:
    rule = rules.describe(TOOL_SCHEMA, "something-new")
    assert (rule.id, rule.name) == ("manni/something-new", "SomethingNew")
    assert rule.uri.endswith("#reading-a-file")
    assert "Stated by" not in rule.full


def test_the_schema_is_named_where_a_schema_is_behind_the_rule() -> None:
    assert "own.schema.json" in rules.describe("own.schema.json", "enum").full
    assert "`own.schema.json`" in rules.describe("own.schema.json", "enum").help_markdown
    assert "(parse)" not in rules.describe(PARSE_SCHEMA, "parse").full


@settings(max_examples=100)
@given(st.text(max_size=3000), st.text(max_size=600))
def test_any_schema_and_keyword_get_a_complete_description(schema: str, keyword: str) -> None:
    rule = rules.describe(schema, keyword)
    assert 0 < len(rule.name) <= 255
    assert 0 < len(rule.short) <= 300
    assert 0 < len(rule.full) <= 1024
    assert rule.help_text
    assert rule.help_markdown
    assert 0 < len(rule.tags) <= 20
    assert "\n" not in rule.short + rule.full


def test_a_reference_cannot_leave_its_code_span() -> None:
    markdown = rules.describe("a``b`c<img>.json", "enum").help_markdown
    assert "```" + " a``b`c<img>.json " + "```" in markdown


@pytest.mark.parametrize("keyword", texts(KEYWORDS))
def test_the_schema_of_an_example_uses_the_keyword(keyword: str) -> None:
    schema = json.loads(texts(KEYWORDS)[keyword].given)
    assert (": false" if keyword == "false schema" else f'"{keyword}"') in json.dumps(schema)
