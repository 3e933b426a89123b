"""The dialects of JSON Schema: which keywords each knows, and in which order they run.

The order is ajv's, whatever the order in the file: keywords for any value first, then those for
numbers, strings, lists and mappings. Up to draft 7 a `$ref` hides what stands beside it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from manni.base.errors import SchemaError
from manni.base.text import shorten, visible

DEFAULT_DIALECT = "https://json-schema.org/draft/2020-12/schema"
"""The dialect of a schema whose `$schema` does not say."""

DIALECTS = {
    "http://json-schema.org/draft-04/schema": 4,
    "http://json-schema.org/draft-06/schema": 6,
    "http://json-schema.org/draft-07/schema": 7,
    "https://json-schema.org/draft/2019-09/schema": 19,
    DEFAULT_DIALECT: 20,
}
"""The dialects that are understood: the URI of the meta-schema, and the number of the draft."""

NAMED = frozenset(
    ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
)
"""The keywords that hold schemas by name."""

DATA = frozenset(("enum", "const", "default", "examples"))
"""The keywords that hold values, in which nothing is a schema."""

_TABLE = """
any     $dynamicRef $recursiveRef $ref const enum not anyOf oneOf allOf if then else
number  maximum minimum exclusiveMaximum exclusiveMinimum multipleOf format
string  maxLength minLength pattern format
array   maxItems minItems prefixItems additionalItems items contains uniqueItems maxContains
array   minContains unevaluatedItems
object  maxProperties minProperties required propertyNames additionalProperties dependencies
object  properties patternProperties dependentRequired dependentSchemas unevaluatedProperties
"""
_GROUPS: dict[str, list[str]] = {}
for _kind, *_names in map(str.split, _TABLE.strip().splitlines()):
    _GROUPS.setdefault(_kind, []).extend(_names)
_ANY = _GROUPS.pop("any")

_SINCE = {
    "const contains propertyNames": 6,
    "if then else": 7,
    "maxContains minContains unevaluatedItems unevaluatedProperties": 19,
    "$recursiveRef dependentRequired dependentSchemas": 19,
    "$dynamicRef prefixItems": 20,
}
_UNTIL_2019 = {"$recursiveRef", "additionalItems"}

_KEYWORDS = frozenset(["type", *_ANY, *(name for names in _GROUPS.values() for name in names)])

TELLING = (
    _KEYWORDS - {"type", "format"}
    | {"$schema", "$id", "$defs", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary"}
    | {"definitions", "contentMediaType", "contentEncoding", "contentSchema"}
)
"""The keywords that a plain JSON document is unlikely to have by accident; `title` is none."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """One dialect.

    Attributes:
        uri: of its meta-schema, without `#`.
        draft: its number in `DIALECTS`.
        keywords: those with a meaning for validation.
    """

    uri: str
    draft: int
    keywords: frozenset[str]

    @property
    def id_keyword(self) -> str:
        """The keyword that names a schema."""
        return "id" if self.draft == 4 else "$id"

    @property
    def ref_stands_alone(self) -> bool:
        """Whether `$ref` hides what stands beside it, as it did up to draft 7."""
        return self.draft <= 7

    @property
    def has_tuples(self) -> bool:
        """Whether `items` may be a list, as it could be up to 2019-09."""
        return self.draft < 20

    def identifier(self, schema: dict[str, Any]) -> str | None:
        """The URI reference by which a schema names itself, without an empty fragment."""
        named = schema.get(self.id_keyword)
        hidden = self.ref_stands_alone and "$ref" in schema
        if hidden or not isinstance(named, str) or named.startswith("#"):
            return None
        return named.removesuffix("#") or None

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
def _dialect(uri: str) -> Dialect:
    draft = DIALECTS[uri]
    unknown = {name for names, since in _SINCE.items() if since > draft for name in names.split()}
    return Dialect(uri, draft, _KEYWORDS - unknown - (_UNTIL_2019 if draft == 20 else set()))


def dialect_of(document: Any, label: str) -> Dialect:
    """The dialect of a schema.

    Args:
        document: the schema, an object or a boolean.
        label: what messages call it.

    Raises:
        SchemaError: its `$schema` names none of them.
    """
    keywords = document if isinstance(document, dict) else {}
    named = keywords.get("$schema", DEFAULT_DIALECT)
    uri = named.removesuffix("#") if isinstance(named, str) else None
    if uri in DIALECTS:
        return _dialect(uri)
    spelled = shorten(visible(json.dumps(named, ensure_ascii=False)), 100)
    names = ", ".join(DIALECTS)
    raise SchemaError(f"its $schema is {spelled}; the known dialects are {names}", where=label)
