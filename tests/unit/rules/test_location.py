"""Location marks: who decides, where the warning points, and every form of its message."""

from collections.abc import Mapping

import pytest

from manni.model.findings import Fault, Place, Severity, Span
from manni.rules.checks.location import Mark, Setting, check_location, merge_marks

EXTERNAL = {"metadata": Mark("external", "manni:artifact-evals:1.0.0")}
PAGE = {"title": Mark("page", "own.schema.json")}


class FakeLocator:
    """Places every pointer on a line as long as the pointer."""

    def __init__(self, manifest: str | None = None) -> None:
        self.manifest = manifest

    def place(self, pointer: str) -> Place:
        line = len(pointer)
        return Place(Span(line, 1, line, 2), self.manifest)

    def identity(self, pointer: str) -> str:
        return pointer


def check(
    marks: Mapping[str, Mark],
    *keys: str,
    supplied: Mapping[str, str] | None = None,
    setting: Setting | None = None,
) -> tuple[Fault, ...]:
    locator = FakeLocator("docs-meta.yaml" if supplied else None)
    return check_location(marks, keys, supplied or {}, locator, setting or Setting())


@pytest.mark.parametrize(
    ("setting", "ending"),
    [
        (Setting(no_config=True), ", and --no-config leaves it no manifest."),
        (Setting(collections=2), ", and this document is in none of the 2 collections."),
        (Setting(collections=3), ", and this document is in none of the 3 collections."),
        (Setting(), "."),
        (Setting(collections=1), "."),
        (Setting(collections=2, member=True), "."),
    ],
)
def test_a_page_that_holds_what_belongs_outside(setting: Setting, ending: str) -> None:
    [fault] = check(EXTERNAL, "name", "metadata", setting=setting)
    found = fault.representative
    assert found.rule_id == "location:external/location"
    assert found.severity is Severity.WARNING
    assert found.pointer == "/metadata"
    assert found.place == Place(Span(9, 1, 9, 2))
    assert found.message == (
        '"metadata" is stored in the page; manni:artifact-evals:1.0.0 prefers external metadata'
        + ending
    )


def test_a_manifest_that_supplies_what_belongs_in_the_page() -> None:
    [fault] = check(PAGE, "title", supplied={"title": "docs-meta.yaml"})
    found = fault.representative
    assert found.rule_id == "location:page/location"
    assert found.severity is Severity.WARNING
    assert found.manifest == "docs-meta.yaml"
    assert found.message == (
        '"title" is stored in manifest docs-meta.yaml; own.schema.json prefers the page.'
    )


def test_values_that_are_where_they_are_preferred() -> None:
    assert check(PAGE, "title") == ()
    assert check(EXTERNAL, "metadata", supplied={"metadata": "m.yaml"}) == ()
    assert check(EXTERNAL, "name") == ()
    assert check({}, "metadata") == ()


def test_the_later_schema_wins_and_is_named() -> None:
    marks = merge_marks(
        [
            ("first", {"metadata": "external", "title": "page"}),
            ("second", {"metadata": "page"}),
            ("third", {}),
        ]
    )
    assert marks == {"metadata": Mark("page", "second"), "title": Mark("page", "first")}


def test_warnings_come_in_the_order_of_the_document() -> None:
    marks = {name: Mark("external", "s") for name in ("a", "b", "c")}
    assert [fault.representative.pointer for fault in check(marks, "c", "x", "a")] == ["/c", "/a"]


def test_the_pointer_is_escaped() -> None:
    [fault] = check({"a/~b": Mark("external", "s")}, "a/~b")
    assert fault.representative.pointer == "/a~1~0b"
