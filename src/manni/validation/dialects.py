"""The dialects of JSON Schema: which keywords each knows, and in which order they run.

The order is ajv's, whatever the order in the file: keywords for any value first, then those for
numbers, strings, lists and mappings. Up to draft 7 a `$ref` hides what stands beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

Linked = Any
"""A linked schema: a boolean, or a mapping of keywords in the order of their evaluation."""

LOCATION = "x-manni-location"
"""The annotation that says where a top-level property is best stored."""

SEVERITY = "x-manni-severity"
"""The annotation that lowers the severity of what its schema finds."""

REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
"""The keywords that hold a reference to another schema."""

NAMED = frozenset(
    ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
)
"""The keywords that hold schemas by name."""

LISTS = frozenset(("allOf", "anyOf", "oneOf", "prefixItems", "items"))
"""The keywords that hold a list of schemas; `items` may hold one alone."""

SINGLE = frozenset(
    (
        "not",
        "if",
        "then",
        "else",
        "contains",
        "propertyNames",
        "additionalProperties",
        "additionalItems",
        "unevaluatedProperties",
        "unevaluatedItems",
    )
)
"""The keywords that hold one schema."""

_ANY = [
    "$dynamicRef",
    "$recursiveRef",
    "$ref",
    "const",
    "enum",
    "not",
    "anyOf",
    "oneOf",
    "allOf",
    "if",
    "then",
    "else",
]
_GROUPS = {
    "number": [
        "maximum",
        "minimum",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "multipleOf",
        "format",
    ],
    "string": ["maxLength", "minLength", "pattern", "format"],
    "array": [
        "maxItems",
        "minItems",
        "prefixItems",
        "additionalItems",
        "items",
        "contains",
        "uniqueItems",
        "maxContains",
        "minContains",
        "unevaluatedItems",
    ],
    "object": [
        "maxProperties",
        "minProperties",
        "required",
        "propertyNames",
        "additionalProperties",
        "dependencies",
        "properties",
        "patternProperties",
        "dependentRequired",
        "dependentSchemas",
        "unevaluatedProperties",
    ],
}
_SINCE = {
    "draft-06": ("const", "contains", "propertyNames"),
    "draft-07": ("if", "then", "else"),
    "2019-09": (
        "$recursiveRef",
        "maxContains",
        "minContains",
        "unevaluatedItems",
        "dependentRequired",
        "dependentSchemas",
        "unevaluatedProperties",
    ),
    "2020-12": ("$dynamicRef", "prefixItems"),
}
_UNTIL_2019 = {"$recursiveRef", "additionalItems"}


@dataclass(frozen=True, slots=True)
class Dialect:
    """One dialect.

    Attributes:
        uri: of its meta-schema, without `#`.
        keywords: those with a meaning for validation.
    """

    uri: str
    keywords: frozenset[str]

    @property
    def is_draft4(self) -> bool:
        """Whether it is draft 4, whose `exclusiveMaximum` sharpens `maximum`."""
        return self.uri.endswith("draft-04/schema")

    @property
    def ref_stands_alone(self) -> bool:
        """Whether `$ref` hides what stands beside it, as it did up to draft 7."""
        return "draft-0" in self.uri

    @property
    def has_tuples(self) -> bool:
        """Whether `items` may be a list, as it could be up to 2019-09."""
        return "prefixItems" not in self.keywords

    def order(self, schema: dict[str, Any]) -> list[str]:
        """The known keywords of a schema in the order in which they run.

        `type` comes first, except that a single type stands where its group of keywords begins.
        """
        if self.ref_stands_alone and "$ref" in schema:
            return ["$ref"]
        groups = {
            kind: [name for name in names if name in schema and name in self.keywords]
            for kind, names in _GROUPS.items()
        }
        stated = schema.get("type")
        single = stated[0] if isinstance(stated, list) and len(stated) == 1 else stated
        late = isinstance(single, str) and bool(groups.get(str(single)))
        ordered = ["type"] if "type" in schema and not late else []
        ordered += [name for name in _ANY if name in schema and name in self.keywords]
        for kind, names in groups.items():
            if late and kind == single:
                ordered.append("type")
            # Only strings have the formats that are asserted.
            ordered += [name for name in names if kind != "number" or name != "format"]
        return list(dict.fromkeys(ordered))


@cache
def dialect(uri: str) -> Dialect:
    """The dialect with this meta-schema URI, one of `manni.schemas.loader.DIALECTS`."""
    known = {"type", *_ANY, *(name for names in _GROUPS.values() for name in names)}
    for since, names in reversed(_SINCE.items()):
        if since in uri:
            break
        known.difference_update(names)
    return Dialect(uri, frozenset(known - (_UNTIL_2019 if "2020-12" in uri else set())))
