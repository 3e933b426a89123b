"""Schemas that compile, schemas that are refused, and schemas that mean harm."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from manni.base.errors import SchemaError
from manni.model.findings import Finding
from manni.schemas.dialects import DEFAULT_DIALECT
from manni.validation import Validator, compile_schema
from schema_sources import Locator, source

SLOW = r"^(a|a)*\1$"
LONG = "a" * 5000 + "b"
DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
TOO_MANY = "must NOT have more than 1 items"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"


def compiled(document: Any, others: dict[str, Any] | None = None) -> Validator:
    return compile_schema(source(document, others, base_uri="https://example.com/test.json"))


def findings(document: Any, value: Any, others: dict[str, Any] | None = None) -> list[Finding]:
    faults = compiled(document, others).faults(value, Locator())
    return [finding for fault in faults for finding in fault.findings]


def told(document: Any, value: Any, others: dict[str, Any] | None = None) -> list[tuple[str, str]]:
    return [(one.pointer, one.message) for one in findings(document, value, others)]


@pytest.mark.parametrize(
    ("document", "where", "says"),
    [
        ({"$schema": "https://example.com/x"}, "test.json", "the known dialects are"),
        ({"type": "strin"}, "test.json#/type", "no valid JSON Schema"),
        ({"properties": {"a": {"minLength": -1}}}, "test.json#/properties/a/minLength", "minimum"),
        ({"$ref": "#/$defs/a"}, "test.json#/$ref", '"#/$defs/a" leads to no schema'),
        ({"allOf": [{"$ref": "other.json"}]}, "test.json#/allOf/0/$ref", "leads to no schema"),
        (
            {"$ref": "#/title", "title": "t"},
            "test.json#/$ref",
            "leads to a value that is no schema",
        ),
        ({"$ref": "#name"}, "test.json#/$ref", "leads to no schema"),
        (
            {"properties": {"a/b": {"pattern": "["}}},
            "test.json#/properties/a~1b/pattern",
            "no ECMAScript regular expression",
        ),
        (
            {"patternProperties": {"(": True}},
            "test.json#/patternProperties/(",
            "no ECMAScript regular expression",
        ),
        ({"$ref": 1}, "test.json#/$ref", "no valid JSON Schema"),
        ({"x-manni-severity": "info"}, "test.json#/x-manni-severity", 'is "info"; it can be error'),
        (
            {"allOf": [{"x-manni-severity": 1}]},
            "test.json#/allOf/0/x-manni-severity",
            "warning or notice",
        ),
        ({"$ref": "#"}, "test.json", "leads back to itself"),
        (
            {"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}]}}},
            "test.json",
            "leads back to itself",
        ),
        ({"properties": {"a": {"x-manni-location": "both"}}}, "test.json", "page or external"),
    ],
)
def test_refused(document: Any, where: str, says: str) -> None:
    with pytest.raises(SchemaError) as refused:
        compiled(document)
    assert refused.value.where == where
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)


def test_unused_definitions_need_not_resolve() -> None:
    assert compiled({"$defs": {"unused": {"$ref": "#/nowhere"}}}).is_valid({})


@pytest.mark.parametrize("document", [True, {}, {"title": "t", "x-unknown": [1]}])
def test_schemas_that_accept_everything(document: Any) -> None:
    assert compiled(document).is_valid({"a": [1]})
    assert compiled(document).faults({"a": [1]}, Locator()) == ()
    assert dict(compiled(document).marks({"a": [1]})) == {}


def test_the_schema_that_accepts_nothing() -> None:
    assert not compiled(False).is_valid({})
    assert told(False, {}) == [("", "boolean schema is false")]


def test_references_between_documents_and_into_identified_parts() -> None:
    others = {
        "https://example.com/other.json": {
            "$schema": DRAFT_7,
            "$defs": {"a b": {"type": "string"}},
            "properties": {"self": {"$ref": "#"}, "inner": {"$ref": "inner.json#named"}},
        },
        "https://example.com/inner.json": {"$defs": {"n": {"$anchor": "named", "const": 1}}},
    }
    document = {
        "properties": {"one": {"$ref": "other.json"}, "two": {"$ref": "other.json#/$defs/a%20b"}}
    }
    value = {"one": {"self": {"inner": 2}}, "two": 3}
    assert told(document, value, others) == [
        ("/one/self/inner", "must be equal to constant"),
        ("/two", "must be string"),
    ]


def test_another_schema_keeps_the_order_of_keywords() -> None:
    others = {"https://example.com/o": {"$schema": DEFAULT_DIALECT, "enum": [1], "type": "string"}}
    assert told({"$ref": "o"}, 2, others) == [
        ("", "must be string"),
        ("", "must be equal to one of the allowed values"),
    ]


TREE = {
    "$id": "https://example.com/tree",
    "$dynamicAnchor": "node",
    "type": "object",
    "properties": {"data": True, "children": {"type": "array", "items": {"$dynamicRef": "#node"}}},
}


def test_dynamic_references_lead_to_the_outermost_anchor() -> None:
    strict = {"$dynamicAnchor": "node", "$ref": "tree", "unevaluatedProperties": False}
    others = {"https://example.com/tree": TREE}
    value = {"children": [{"daat": 1}, {"data": 1}]}
    assert told(TREE, value) == []
    assert told(strict, value, others) == [("/children/0", "must NOT have unevaluated properties")]


def test_recursive_references_lead_to_the_outermost_anchor() -> None:
    tree = {
        "$schema": DRAFT_2019,
        "$recursiveAnchor": True,
        "properties": {"a": True, "next": {"$recursiveRef": "#"}},
    }
    document = {
        "$schema": DRAFT_2019,
        "$recursiveAnchor": True,
        "$ref": "tree",
        "unevaluatedProperties": False,
    }
    others = {"https://example.com/tree": tree}
    assert told(document, {"next": {"b": 1}}, others) == [
        ("/next", "must NOT have unevaluated properties")
    ]


@pytest.mark.parametrize(
    ("document", "value", "expected"),
    [
        ({"$schema": DRAFT_4, "maximum": 5, "exclusiveMaximum": True}, 5, ["must be < 5"]),
        ({"$schema": DRAFT_4, "maximum": 5, "exclusiveMaximum": False}, 5, []),
        ({"$schema": DRAFT_4, "minimum": 5, "exclusiveMinimum": True}, 5, ["must be > 5"]),
        ({"$schema": DRAFT_4, "minimum": 5}, 4, ["must be >= 5"]),
        ({"$schema": DRAFT_4, "id": "http://a/b", "type": "null"}, {}, ["must be null"]),
        ({"$schema": DRAFT_7, "contains": {"const": 1}, "minContains": 2}, [1], []),
        ({"$schema": DRAFT_7, "items": [{}], "additionalItems": False}, [1, 2], [TOO_MANY]),
        ({"$schema": DRAFT_7, "items": [{}], "unevaluatedItems": False}, [1, 2], []),
        ({"$schema": DRAFT_2019, "items": [{}], "unevaluatedItems": False}, [1, 2], [TOO_MANY]),
        ({"prefixItems": [{}], "additionalItems": False}, [1, 2], []),
        ({"multipleOf": 0.1}, 0.3, []),
        ({"multipleOf": 0.1}, 0.35, ["must be multiple of 0.1"]),
        ({"minimum": 1e400}, 5, ["must be >= Infinity"]),
        ({"exclusiveMinimum": 2**53}, 2**53 + 1, []),
        ({"$schema": DRAFT_7, "$ref": "#/$defs/a", "const": 1, "$defs": {"a": {}}}, 2, []),
        ({"$schema": DRAFT_4, "type": "integer"}, 1.0, ["must be integer"]),
        ({"$schema": DRAFT_7, "contentEncoding": "base64"}, "%", ['must meet "contentEncoding"']),
    ],
)
def test_dialects(document: Any, value: Any, expected: list[str]) -> None:
    assert [message for _, message in told(document, value)] == expected


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("^a$", "a\n", False),
        (r"^\d$", "\u0663", False),
        (r"^\p{L}$", "\u00e9", True),
        ("^.$", "\U0001f600", True),
        ("^a", "a\ud800", True),
        (r"^(?!-)[a-z-]+(?<!-)$", "a-b", True),
        (r"^(?!-)[a-z-]+(?<!-)$", "a-", False),
    ],
)
def test_patterns_are_those_of_ecmascript(pattern: str, text: str, matches: bool) -> None:
    assert (told({"pattern": pattern}, text) == []) is matches


@pytest.mark.parametrize(
    "pattern", ["(" * 5000 + ")" * 5000, "a|" * 10_000, "a{2,1}", "(?i)a", r"\Z"]
)
def test_what_is_no_pattern_is_refused(pattern: str) -> None:
    with pytest.raises(SchemaError):
        compiled({"pattern": pattern})


def test_deep_values_of_recursive_schemas() -> None:
    steps = [{"allOf": [{"$ref": f"#/$defs/{index + 1}"}]} for index in range(20)]
    document = {
        "$ref": "#/$defs/0",
        "$defs": {
            **{str(index): step for index, step in enumerate(steps)},
            "20": {"properties": {"a": {"$ref": "#"}}, "required": ["a"]},
        },
    }
    value: dict[str, Any] = {}
    for _ in range(100):
        value = {"a": value}
    validator = compiled(document)
    assert not validator.is_valid(value)
    (fault,) = validator.faults(value, Locator())
    assert fault.representative.pointer == "/a" * 100


def test_long_chains_of_definitions() -> None:
    count = 3000
    document = {
        "properties": {"a": {"$ref": "#/$defs/0"}},
        "$defs": {
            **{
                str(index): {"properties": {"a": {"$ref": f"#/$defs/{index + 1}"}}}
                for index in range(count)
            },
            str(count): {},
        },
    }
    assert compiled(document).is_valid({"a": {"a": {"a": 1}}})


def test_chains_that_apply_to_one_value_may_be_long() -> None:
    count = 1000
    document = {
        "$ref": "#/$defs/0",
        "$defs": {
            **{str(index): {"$ref": f"#/$defs/{index + 1}"} for index in range(count)},
            str(count): {"type": "string"},
        },
    }
    assert told(document, 1) == [("", "must be string")]


def doubling(count: int, last: Any) -> Any:
    steps = {
        str(index): {"allOf": [{"$ref": f"#/$defs/{index + 1}"}] * 2} for index in range(count)
    }
    return {"$ref": "#/$defs/0", "$defs": {**steps, str(count): last}}


def unevaluated(count: int) -> Any:
    document: dict[str, Any] = {"properties": {"a": True}}
    for _ in range(count):
        document = {"anyOf": [document], "unevaluatedProperties": False}
    return document


BRANCHES = {
    "allOf": [{"properties": {"a": {"$ref": "#"}}}, {"additionalProperties": {"$ref": "#"}}]
}


@pytest.mark.parametrize(
    ("document", "value"),
    [
        (doubling(45, {"type": "object"}), {}),
        (doubling(45, {"type": "string"}), {}),
        (unevaluated(40), {"a": 1}),
        (BRANCHES, {"a": [{"a": 1}] * 3, **{f"k{index}": {} for index in range(9)}}),
        ({"items": {"pattern": SLOW}}, ["a" * 200 + str(index) for index in range(4000)]),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"uniqueItems": True}}}, [[i] for i in range(50000)]),
    ],
    ids=["holds", "fails", "unevaluated", "branches", "patterns", "unique"],
)
def test_what_takes_long_ends(document: Any, value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("manni.validation.clock.SECONDS", 0.2)
    start = time.monotonic()
    found = findings(document, value)
    assert time.monotonic() - start < 5
    for one in found:
        if one.keyword == "time-limit":
            assert one.message.startswith("checking this against test.json")


@pytest.mark.parametrize("pattern", [r"^(a+)+$", SLOW, r"^(?=(a+)+$)\1b"])
def test_a_pattern_that_takes_too_many_steps_is_a_finding(pattern: str) -> None:
    text = "a" * 5000 + "b"
    (found,) = findings({"properties": {"v": {"pattern": pattern}}}, {"v": text})
    assert (found.pointer, found.keyword) == ("/v", "pattern")
    assert pattern in found.message


@pytest.mark.parametrize(
    ("document", "value"),
    [
        ({"not": {"pattern": SLOW}}, LONG),
        ({"if": {"pattern": SLOW}, "else": {"type": "string"}}, LONG),
        ({"patternProperties": {SLOW: {"type": "integer"}}}, {LONG: 1}),
        ({"anyOf": [{"pattern": SLOW}, {"type": "null"}]}, LONG),
        ({"patternProperties": {SLOW: False}, "additionalProperties": False}, {LONG: 1}),
        ({"propertyNames": {"not": {"pattern": SLOW}}}, {LONG: 1}),
        ({"contains": {"pattern": SLOW}}, [LONG]),
    ],
)
def test_a_pattern_that_cannot_be_decided_is_no_pass(document: Any, value: Any) -> None:
    assert any(SLOW in one.message for one in findings(document, value))


@pytest.mark.parametrize(
    "value",
    [
        float("nan"),
        float("inf"),
        10**5000,
        "a\ud800b\x00",
        {"\ud800": [None]},
        [[[[]]]],
    ],
    ids=["nan", "infinity", "huge", "surrogate", "name", "lists"],
)
def test_values_that_are_unusual(value: Any) -> None:
    document = {
        "type": "boolean",
        "enum": [False],
        "const": False,
        "not": True,
        "pattern": "^x$",
        "format": "email",
        "maximum": -1,
        "multipleOf": 7,
        "maxLength": 0,
        "maxItems": 0,
        "uniqueItems": True,
        "propertyNames": {"pattern": "^x$"},
        "additionalProperties": False,
        "items": False,
    }
    validator = compiled(document)
    assert not validator.is_valid(value)
    assert validator.faults(value, Locator())


def test_a_clean_run_imports_no_schema_library(tmp_path: Path) -> None:
    code = (
        "import json, sys; from pathlib import Path; from manni.schemas.store import SchemaStore; "
        "from manni.validation import compile_schema; home = Path('/'); "
        "store = SchemaStore(home); "
        "names = ['anthropic:claude-skill:2.1', 'manni:artifact-evals:1.0.0']; "
        "built = [compile_schema(store.load(name, home)) for name in names]; "
        "value = {'name': 'a', 'metadata': {'evals': 'b'}}; "
        "assert all(one.is_valid(value) for one in built); [one.marks(value) for one in built]; "
        "print(json.dumps([name for name in ('jsonschema', 'referencing', 'attrs', "
        "'urllib.request') if name in sys.modules]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert json.loads(done.stdout) == []


def test_recursive_and_plain_references_of_one_name_are_two() -> None:
    base = "https://example.com/tree"
    inner = {
        "$schema": DRAFT_2019,
        "$recursiveAnchor": True,
        "properties": {"r": {"$recursiveRef": "#"}, "p": {"$ref": "#"}},
    }
    document = {"$schema": DRAFT_2019, "$recursiveAnchor": True, "$ref": "tree", "required": ["k"]}
    value = {"k": 1, "p": {}, "r": {}}
    validator = compiled(document, {base: inner})
    validator._native = None  # it takes the two for one, and its verdict is the last word
    (fault,) = validator.faults(value, Locator())
    assert fault.representative.pointer == "/r"


def test_a_schema_with_a_lone_surrogate_has_references_too() -> None:
    document = {"title": "\ud800", "items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"const": 1}}}
    assert told(document, [2]) == [("/0", "must be equal to constant")]


SEVERE = {"x-manni-severity": "warning"}


@pytest.mark.parametrize(
    ("document", "value", "expected"),
    [
        ({**SEVERE, "required": ["a"]}, {}, ["required warning"]),
        (
            {"required": ["a"], "allOf": [{**SEVERE, "required": ["b"]}]},
            {},
            ["required warning", "required error"],
        ),
        ({"properties": {"a": {**SEVERE, "type": "string"}}}, {"a": 1}, ["type warning"]),
        (
            {"properties": {"a": {**SEVERE, "items": {"minLength": 1}}}},
            {"a": [""]},
            ["minLength warning"],
        ),
        (
            {"anyOf": [{**SEVERE, "type": "string"}, {"type": "null"}]},
            1,
            ["type warning", "type error", "anyOf error"],
        ),
        (
            {
                **SEVERE,
                "anyOf": [{"type": "string"}, {"x-manni-severity": "notice", "type": "null"}],
            },
            1,
            ["type warning", "type notice", "anyOf warning"],
        ),
        (
            {"if": True, "then": {"x-manni-severity": "notice", "required": ["a"]}},
            {},
            ["required notice", "if error"],
        ),
        ({**SEVERE, "not": {}}, 1, ["not warning"]),
        (
            {**SEVERE, "properties": {"a": {"x-manni-severity": "error", "const": 1}}},
            {"a": 2},
            ["const warning"],
        ),
        (
            {"$ref": "#/$defs/w", "$defs": {"w": {**SEVERE, "required": ["a"]}}},
            {},
            ["required warning"],
        ),
        (
            {"allOf": [{**SEVERE, "$ref": "#/$defs/w"}], "$defs": {"w": {"required": ["a"]}}},
            {},
            ["required warning"],
        ),
        (
            {"properties": {"a": {**SEVERE, "propertyNames": {"maxLength": 1}}}},
            {"a": {"bb": 1}},
            ["maxLength warning", "propertyNames warning"],
        ),
        (
            {"properties": {"a": {**SEVERE, "additionalProperties": False}}},
            {"a": {"bb": 1}},
            ["additionalProperties warning"],
        ),
        (SEVERE, {}, []),
    ],
)
def test_a_severity_is_that_of_the_schemas_around(
    document: Any, value: Any, expected: list[str]
) -> None:
    found = findings(document, value)
    assert [f"{one.keyword} {one.severity.value}" for one in found] == expected


def test_what_only_the_slow_way_can_run_is_told() -> None:
    assert compiled({}).notice is None
    validator = compiled({"properties": {"a": {"maximum": 1e400, "type": "number"}}})
    assert validator.notice == (
        "test.json is checked the slow way, since the quick engine refuses it: "
        "a number in it is too large"
    )
    assert validator.faults({"a": "b"}, Locator())
    assert not validator.faults({"a": 1}, Locator())
