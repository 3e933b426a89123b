"""Why a value fails a linked schema, by `jsonschema`; and why a schema fails its meta-schema.

Everything here imports `jsonschema`, so it is imported only where something has to be explained.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jsonschema import validators
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.validators import validator_for

from manni.base.errors import SchemaError
from manni.base.text import shorten, visible
from manni.model.findings import Fault, Finding, Locator
from manni.schemas.dialects import Dialect
from manni.schemas.vocabularies import REFERENCES
from manni.validation import applicators, keywords
from manni.validation.clock import SECONDS, OutOfTimeError
from manni.validation.failures import apply, is_valid
from manni.validation.faults import joined, to_faults
from manni.validation.graph import Linked
from manni.validation.keywords import Keyword
from manni.validation.patterns import Pattern, PatternLimitError
from manni.validation.unevaluated import taken, unevaluated_items, unevaluated_properties

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jsonschema.protocols import Validator as Engine
    from jsonschema_rs import ValidationError as NativeError

TIME_LIMIT = "time-limit"
"""The keyword of a finding about a document that takes too long."""

_FUNCTIONS: dict[str, Keyword] = {
    **dict.fromkeys(REFERENCES, applicators.ref),
    "const": keywords.const,
    "enum": keywords.enum,
    "not": applicators.not_,
    "anyOf": applicators.any_of,
    "oneOf": applicators.one_of,
    "allOf": applicators.all_of,
    "if": applicators.if_,
    "maximum": keywords.maximum,
    "minimum": keywords.minimum,
    "exclusiveMaximum": keywords.exclusive_maximum,
    "exclusiveMinimum": keywords.exclusive_minimum,
    "multipleOf": keywords.multiple_of,
    "maxLength": keywords.max_length,
    "minLength": keywords.min_length,
    "pattern": keywords.pattern,
    "maxItems": keywords.max_items,
    "minItems": keywords.min_items,
    "prefixItems": applicators.prefix_items,
    "additionalItems": applicators.additional_items,
    "items": applicators.items,
    "contains": applicators.contains,
    "uniqueItems": keywords.unique_items,
    "maxProperties": keywords.max_properties,
    "minProperties": keywords.min_properties,
    "required": keywords.required,
    "propertyNames": applicators.property_names,
    "additionalProperties": applicators.additional_properties,
    "properties": applicators.properties,
    "patternProperties": applicators.pattern_properties,
    "dependentRequired": keywords.dependent_required,
    "dependentSchemas": applicators.dependent_schemas,
    "unevaluatedProperties": unevaluated_properties,
    "type": keywords.type_,
}


def _dependencies(
    validator: Any, value: dict[str, Any], instance: Any, around: Any
) -> Iterator[Any]:
    """`dependencies`: its lists of names first, then its schemas."""
    names = {name: needed for name, needed in value.items() if isinstance(needed, list)}
    yield from keywords.dependent_required(validator, names, instance, around)
    schemas = {name: schema for name, schema in value.items() if not isinstance(schema, list)}
    yield from applicators.dependent_schemas(validator, schemas, instance, around)


def _items_of(schema: Any) -> Any:
    """Linked schemas hold their keywords in order."""
    return schema.items()


def _engine(dialect: Dialect) -> type[Engine]:
    """A class that runs linked schemas by the keywords of a dialect."""
    functions = {
        **_FUNCTIONS,
        "dependencies": _dependencies,
        "format": keywords.format_(dialect.uri),
        "unevaluatedItems": unevaluated_items(contains=not dialect.has_tuples),
    }
    if dialect.has_tuples:
        functions["items"] = applicators.items_draft7
    if dialect.draft == 4:
        functions["maximum"] = keywords.maximum_draft4
        functions["minimum"] = keywords.minimum_draft4
        del functions["exclusiveMaximum"], functions["exclusiveMinimum"]
    return validators.create(
        meta_schema={},
        validators={name: run for name, run in functions.items() if name in dialect.keywords},
        applicable_validators=_items_of,
    )


class Explanation:
    """Runs one linked schema and says what fails.

    Args:
        root: the linked schema.
        dialect: whose keywords count.
        reference: the schema that the findings name.
    """

    def __init__(self, root: Linked, dialect: Dialect, reference: str) -> None:
        self._root = root
        self._reference = reference
        self._engine: Any = _engine(dialect)({})

    def faults(self, value: Any, locator: Locator) -> tuple[Fault, ...]:
        """The faults of a value, in evaluation order.

        Args:
            value: the metadata, as JSON values.
            locator: where the values stand.

        Raises:
            OutOfTimeError: the evaluation takes too long.
        """
        failures = list(apply(self._engine, value, self._root))
        return to_faults(failures, self._reference, locator)

    def holds(self, value: Any, schema: Linked) -> bool:
        """Whether a value meets a linked schema; False where that takes too long."""
        try:
            return is_valid(self._engine, value, schema)
        except (OutOfTimeError, PatternLimitError):
            return False

    def taken(self, value: Any, schema: Linked) -> Iterable[Linked]:
        """The subschemas that apply to a value besides a linked schema; see `failures`."""
        try:
            return list(taken(self._engine, schema, value))
        except (OutOfTimeError, PatternLimitError):
            return ()


def out_of_time(reference: str, slow: list[Pattern], locator: Locator) -> Fault:
    """The fault of a document whose check takes too long.

    Args:
        reference: of the schema that was run.
        slow: the patterns in it that may need many steps.
        locator: where the values stand.
    """
    named = f' and its pattern "{slow[0].source}"' if slow else ""
    message = (
        f"checking this against {reference}{named} takes longer than {SECONDS:g} seconds; "
        "make the schema simpler"
    )
    return Fault((Finding(reference, TIME_LIMIT, message, place=locator.place("")),))


def unexplained(
    errors: Iterable[NativeError], reference: str, locator: Locator
) -> tuple[Fault, ...]:
    """The faults of what `jsonschema-rs` alone finds wrong.

    Args:
        errors: what it says about the metadata.
        reference: of the schema.
        locator: where the values stand.
    """
    faults = []
    for error in errors:
        pointer = joined("", error.instance_path)
        finding = Finding(
            schema=reference,
            keyword=error.kind.name,
            message=_worded(error),
            pointer=pointer,
            place=locator.place(pointer),
            identity=locator.identity(pointer),
        )
        faults.append(Fault((finding,)))
    return tuple(faults)


def _worded(error: NativeError) -> str:
    """What the explanation would say, for the keywords on whose limits the two may disagree."""
    kind = error.kind
    match kind.name:
        case "type":
            return f"must be {','.join(kind.types)}"  # type: ignore[attr-defined]
        case "format":
            return f'must match format "{kind.format}"'  # type: ignore[attr-defined]
        case "const":
            return "must be equal to constant"
        case "enum":
            return "must be equal to one of the allowed values"
        case "multipleOf":
            return f"must be multiple of {kind.multiple_of}"  # type: ignore[attr-defined]
        case "uniqueItems":
            return "must NOT have duplicate items"
    limits = {"maximum": "<=", "minimum": ">=", "exclusiveMaximum": "<", "exclusiveMinimum": ">"}
    if kind.name in limits:
        return f"must be {limits[kind.name]} {kind.limit}"  # type: ignore[attr-defined]
    return f'must meet "{kind.name}"'


def check_schema(document: Any, dialect: Dialect, reference: str) -> None:
    """Hold a schema against its meta-schema.

    Raises:
        SchemaError: the worst that is wrong, with its place.
    """
    stock: Any = validator_for({"$schema": dialect.uri})
    try:
        found: ValidationError | None = best_match(stock(stock.META_SCHEMA).iter_errors(document))
    except RecursionError:
        raise SchemaError("it nests too deep; make it flatter", where=reference) from None
    if found is not None:
        place = shorten(visible(joined("", found.absolute_path)), 300)
        reason = shorten(visible(found.message), 300)
        raise SchemaError(f"this is no valid JSON Schema: {reason}", where=f"{reference}#{place}")
