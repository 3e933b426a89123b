"""The page: what is on it, that nothing on it acts, and that it asks for nothing."""

from __future__ import annotations

import base64
import hashlib
from collections import defaultdict
from html.parser import HTMLParser

from manni.model.findings import (
    Edit,
    Fault,
    FileResult,
    Finding,
    Fix,
    Place,
    Report,
    Severity,
    SourceExcerpt,
    Span,
    summarize,
)
from manni.reports import html

HOSTILE = "</pre></style><script>alert(1)</script>\"'><img src=x onerror=alert(1)>&lt;\u202e"
FIX = Fix("Quote the value", (Edit(Span(2, 7, 2, 8), '"7"'),))
FINDING = Finding(
    "v:n:1",
    "enum",
    "must be one of these",
    pointer="/name",
    place=Place(Span(2, 7, 2, 8)),
    allowed=("low", "high"),
    actual="hihg",
    fix=FIX,
)


class Page(HTMLParser):
    """The elements of a page with their attributes, and the text in each kind."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: defaultdict[str, list[str]] = defaultdict(list)
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in {"meta", "link"}:
            self._open.append(tag)
            self.texts[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in self._open:
            self.texts[tag][-1] += data


def page(*findings: Finding, label: str = "a.md", failure: str | None = None) -> Page:
    source = SourceExcerpt("---\nname: 7\n---")
    faults = tuple(Fault((found,)) for found in findings)
    results = (FileResult(label, root_path="a.md", key="a.md", faults=faults, source=source),)
    report = Report(results=results, summary=summarize(results), failure=failure)
    return Page(html.render(report))


def test_a_finding_is_shown_with_its_source_its_help_and_its_fix() -> None:
    shown = page(FINDING)
    assert shown.texts["h3"] == ["error /name must be one of these"]
    assert shown.texts["pre"] == ["1 ---\n2 name: 7\n3 ---", '- name: 7\n+ name: "7"']
    assert shown.texts["mark"] == ["7"]
    said = shown.texts["p"]
    assert said[0] == "1 file checked, 0 passed, 1 failed, 1 error"
    assert said[1:] == [
        "a.md:2:7 v:n:1/enum",
        "help: use one of low, high; did you mean 'high'?",
        "fix: Quote the value",
    ]


def test_hostile_text_stays_text() -> None:
    finding = Finding(
        HOSTILE, HOSTILE, HOSTILE, pointer=HOSTILE, place=Place(Span(1, 1, 1, 2), HOSTILE)
    )
    shown = page(finding, label=HOSTILE)
    plain = page(FINDING)
    kinds = {tag for tag, _ in plain.elements} | {"code"}
    assert {tag for tag, _ in shown.elements} <= kinds
    assert [tag for tag, _ in shown.elements].count("script") == 1
    assert HOSTILE.replace("\u202e", "\\u202e") in shown.texts["h2"][0]
    attributes = {name for _, attributes in shown.elements for name in attributes}
    assert attributes == {name for _, attributes in plain.elements for name in attributes}


def test_the_policy_lets_nothing_act_but_the_pages_own_script_and_style() -> None:
    shown = page(FINDING)
    policy = next(
        attributes["content"]
        for tag, attributes in shown.elements
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    digests = {
        kind: base64.b64encode(hashlib.sha256(shown.texts[kind][0].encode()).digest()).decode()
        for kind in ("style", "script")
    }
    assert policy == (
        f"default-src 'none'; style-src 'sha256-{digests['style']}'; "
        f"script-src 'sha256-{digests['script']}'; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )


def test_nothing_is_asked_for_elsewhere() -> None:
    for tag, attributes in page(FINDING).elements:
        assert "src" not in attributes
        assert "style" not in attributes
        assert not any(name.startswith("on") for name in attributes)
        if tag == "link":
            assert attributes["href"] == "data:,"
    assert "http" not in page(FINDING).texts["style"][0] + page(FINDING).texts["script"][0]


def test_the_filters_count_what_they_choose() -> None:
    warning = Finding("v:n:1", "type", "x", severity=Severity.WARNING)
    assert page(FINDING, warning, warning).texts["option"] == [
        *("all", "warning (2)", "error (1)"),
        *("all", "v:n:1/type (2)", "v:n:1/enum (1)"),
        *("all", "a.md (3)"),
    ]


def test_a_run_without_a_verdict_says_why() -> None:
    shown = page(FINDING, failure="no such schema <x>")
    assert shown.texts["p"] == ["No verdict: no such schema <x>"]
    assert shown.texts["article"] == []
    assert page().texts["form"] == []
