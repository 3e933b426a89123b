"""Why a value fails a linked schema, by `jsonschema`; and why a schema fails its meta-schema.

Everything here imports `jsonschema`, so it is imported only where something has to be explained.
"""

from __future__ import annotations

from typing import Any

from jsonschema.exceptions import ValidationError, best_match
from referencing import Registry

from manni.findings import Fault, Locator
from manni.validation.dialects import Dialect
from manni.validation.engines import engine, official
from manni.validation.failures import false_schema
from manni.validation.faults import to_faults
from manni.validation.graph import Linked


def start(root: Linked, dialect: Dialect) -> Any:
    """An engine that runs a linked schema; for a boolean schema, the schema itself."""
    if isinstance(root, bool):
        return root
    return engine(dialect)(root, registry=Registry())


def explain(running: Any, value: Any, reference: str, locator: Locator) -> tuple[Fault, ...]:
    """The faults of a value, in evaluation order.

    Args:
        running: what `start` gave.
        value: the metadata, as JSON values.
        reference: the schema that the findings name.
        locator: where the values stand.
    """
    if isinstance(running, bool):
        return to_faults([] if running else [false_schema(value)], reference, locator)
    return to_faults(list(running.iter_errors(value)), reference, locator)


def wrong_in_schema(document: Any, dialect: Dialect) -> tuple[str, str] | None:
    """The worst that a schema has against its meta-schema: a JSON Pointer and what is wrong."""
    stock: Any = official(dialect)
    found: ValidationError | None = best_match(stock(stock.META_SCHEMA).iter_errors(document))
    if found is None:
        return None
    path = (str(part).replace("~", "~0").replace("/", "~1") for part in found.absolute_path)
    return "".join(f"/{part}" for part in path), found.message
