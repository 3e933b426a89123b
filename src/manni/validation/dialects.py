"""The dialects of JSON Schema: which keywords each knows, and in which order they run.

The order is ajv's, whatever the order in the file: keywords for any value first, then those for
numbers, strings, lists and mappings. Dialects up to draft 7 share one set of keywords, as in ajv;
so a draft 6 schema with `if`, and a `$ref` beside other keywords, mean what they mean there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import referencing.jsonschema as specifications
from jsonschema import validators
from jsonschema.protocols import Validator as Engine
from referencing import Specification

from manni.validation.applicators import (
    additional_items,
    additional_properties,
    all_of,
    any_of,
    contains,
    dependencies,
    dependent_schemas,
    if_,
    items,
    items_draft7,
    not_,
    one_of,
    pattern_properties,
    prefix_items,
    properties,
    property_names,
    ref,
)
from manni.validation.assertions import (
    Keyword,
    const,
    dependent_required,
    enum,
    exclusive_maximum,
    exclusive_minimum,
    format_,
    max_items,
    max_length,
    max_properties,
    maximum,
    maximum_draft4,
    min_items,
    min_length,
    min_properties,
    minimum,
    minimum_draft4,
    multiple_of,
    pattern,
    required,
    type_,
    unique_items,
)
from manni.validation.unevaluated import (
    unevaluated_items,
    unevaluated_properties,
)

MARK = "x-manni-location"
"""The annotation that says where a top-level property is best stored."""

_FUNCTIONS: dict[str, Keyword] = {
    "$dynamicRef": ref,
    "$recursiveRef": ref,
    "$ref": ref,
    "const": const,
    "enum": enum,
    "not": not_,
    "anyOf": any_of,
    "oneOf": one_of,
    "allOf": all_of,
    "if": if_,
    "maximum": maximum,
    "minimum": minimum,
    "exclusiveMaximum": exclusive_maximum,
    "exclusiveMinimum": exclusive_minimum,
    "multipleOf": multiple_of,
    "maxLength": max_length,
    "minLength": min_length,
    "pattern": pattern,
    "format": format_,
    "maxItems": max_items,
    "minItems": min_items,
    "prefixItems": prefix_items,
    "additionalItems": additional_items,
    "items": items,
    "contains": contains,
    "uniqueItems": unique_items,
    "unevaluatedItems": unevaluated_items,
    "maxProperties": max_properties,
    "minProperties": min_properties,
    "required": required,
    "propertyNames": property_names,
    "additionalProperties": additional_properties,
    "dependencies": dependencies,
    "properties": properties,
    "patternProperties": pattern_properties,
    "dependentRequired": dependent_required,
    "dependentSchemas": dependent_schemas,
    "unevaluatedProperties": unevaluated_properties,
    "type": type_,
}

_ANY = [
    "$dynamicAnchor",
    "$dynamicRef",
    "$recursiveAnchor",
    "$recursiveRef",
    "$ref",
    "nullable",
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
_SINCE_2019 = frozenset(
    [
        "$recursiveRef",
        "$recursiveAnchor",
        "$dynamicRef",
        "$dynamicAnchor",
        "maxContains",
        "minContains",
        "unevaluatedItems",
        "dependentRequired",
        "dependentSchemas",
        "unevaluatedProperties",
    ]
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """One dialect.

    Attributes:
        uri: of its meta-schema, without `#`.
        engine: the `jsonschema` class that runs linked schemas by this dialect's keywords.
        official: the `jsonschema` class that checks schemas against the meta-schema.
        specification: how `referencing` reads its `$id` and anchors.
        keywords: those with a meaning for validation.
    """

    uri: str
    engine: type[Engine]
    official: type[Engine]
    specification: Specification[Any]
    keywords: frozenset[str]

    @property
    def has_tuples(self) -> bool:
        """Whether `items` may be a list, as it could be up to 2019-09."""
        return "prefixItems" not in self.keywords

    def order(self, schema: dict[str, Any]) -> list[str]:
        """The known keywords of a schema in the order in which they run.

        `type` comes first, except that a single type stands where its group of keywords begins.
        """
        groups = {
            kind: [name for name in names if name in schema and name in self.keywords]
            for kind, names in _GROUPS.items()
        }
        stated = schema.get("type")
        single = stated[0] if isinstance(stated, list) and len(stated) == 1 else stated
        late = isinstance(single, str) and schema.get("nullable") is not True
        late = late and bool(groups.get(str(single)))
        ordered = ["type"] if "type" in schema and not late else []
        ordered += [name for name in _ANY if name in schema and name in self.keywords]
        for kind, names in groups.items():
            if late and kind == single:
                ordered.append("type")
            # Only strings have the formats that are asserted.
            ordered += [name for name in names if kind != "number" or name != "format"]
        return list(dict.fromkeys(ordered))


def _specification(uri: str) -> tuple[Specification[Any], Any]:
    by_uri = {
        "http://json-schema.org/draft-04/schema": (
            specifications.DRAFT4,
            validators.Draft4Validator,
        ),
        "http://json-schema.org/draft-06/schema": (
            specifications.DRAFT6,
            validators.Draft6Validator,
        ),
        "http://json-schema.org/draft-07/schema": (
            specifications.DRAFT7,
            validators.Draft7Validator,
        ),
        "https://json-schema.org/draft/2019-09/schema": (
            specifications.DRAFT201909,
            validators.Draft201909Validator,
        ),
        "https://json-schema.org/draft/2020-12/schema": (
            specifications.DRAFT202012,
            validators.Draft202012Validator,
        ),
    }
    return by_uri[uri]


def _items(schema: Any) -> Any:
    """Linked schemas hold their keywords in order."""
    return schema.items()


@cache
def dialect(uri: str) -> Dialect:
    """The dialect with this meta-schema URI, one of `manni.schema_files.DIALECTS`."""
    specification, official = _specification(uri)
    functions = dict(_FUNCTIONS)
    known = {"type", *_ANY, *(name for names in _GROUPS.values() for name in names)}
    if "2020-12" in uri:
        known.discard("additionalItems")
    else:
        known.discard("prefixItems")
        functions["items"] = items_draft7
    if "draft-0" in uri:
        known -= _SINCE_2019
    if "draft-04" in uri:
        functions["maximum"] = maximum_draft4
        functions["minimum"] = minimum_draft4
        del functions["exclusiveMaximum"], functions["exclusiveMinimum"]
    engine = validators.create(
        meta_schema=official.META_SCHEMA,
        validators={name: run for name, run in functions.items() if name in known},
        type_checker=official.TYPE_CHECKER,
        applicable_validators=_items,
    )
    return Dialect(uri, engine, official, specification, frozenset(known))
