"""The `jsonschema` classes that run linked schemas and say what fails."""

from __future__ import annotations

from typing import Any

from jsonschema import validators
from jsonschema.protocols import Validator as Engine
from jsonschema.validators import validator_for

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
from manni.validation.dialects import Dialect
from manni.validation.effort import Effort
from manni.validation.unevaluated import (
    unevaluated_items,
    unevaluated_properties,
)

_FUNCTIONS: dict[str, Keyword] = {
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
    "type": type_,
}


def _items(schema: Any) -> Any:
    """Linked schemas hold their keywords in order."""
    return schema.items()


def official(dialect: Dialect) -> type[Engine]:
    """The class that holds schemas against the meta-schema of a dialect."""
    found: type[Engine] = validator_for({"$schema": dialect.uri})
    return found


def engine(dialect: Dialect, effort: Effort) -> type[Engine]:
    """A class that runs linked schemas by the keywords of a dialect.

    Args:
        dialect: whose keywords count.
        effort: bounds what one evaluation takes; raises `EffortError`.
    """
    functions = {
        **_FUNCTIONS,
        **dict.fromkeys(("$dynamicRef", "$recursiveRef", "$ref"), ref(effort)),
        "unevaluatedItems": unevaluated_items(effort),
        "unevaluatedProperties": unevaluated_properties(effort),
    }
    if dialect.has_tuples:
        functions["items"] = items_draft7
    if dialect.is_draft4:
        functions["maximum"] = maximum_draft4
        functions["minimum"] = minimum_draft4
        del functions["exclusiveMaximum"], functions["exclusiveMinimum"]
    stock = official(dialect)
    return validators.create(
        meta_schema=stock.META_SCHEMA,
        validators={name: run for name, run in functions.items() if name in dialect.keywords},
        type_checker=stock.TYPE_CHECKER,
        applicable_validators=_items,
    )
