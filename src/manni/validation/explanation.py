"""Why a value fails a linked schema, by `jsonschema`; and why a schema fails its meta-schema.

Everything here imports `jsonschema`, so it is imported only where something has to be explained.
"""

from __future__ import annotations

from typing import Any

from jsonschema.exceptions import ValidationError, best_match
from referencing import Registry

from manni.model.findings import Fault, Locator
from manni.validation.dialects import Dialect
from manni.validation.effort import MAX_EXPLAINED_STEPS, Effort
from manni.validation.engines import engine, official
from manni.validation.failures import false_schema
from manni.validation.faults import to_faults
from manni.validation.graph import Linked


class Explanation:
    """Runs one linked schema and says what fails.

    Args:
        root: the linked schema.
        dialect: whose keywords count.
    """

    def __init__(self, root: Linked, dialect: Dialect) -> None:
        self._root = root
        self._effort = Effort(MAX_EXPLAINED_STEPS)
        keywords = root if isinstance(root, dict) else {}
        self._engine: Any = engine(dialect, self._effort)(keywords, registry=Registry())

    def faults(self, value: Any, reference: str, locator: Locator) -> tuple[Fault, ...]:
        """The faults of a value, in evaluation order.

        Args:
            value: the metadata, as JSON values.
            reference: the schema that the findings name.
            locator: where the values stand.

        Raises:
            EffortError: the evaluation takes too many steps.
        """
        self._effort.renew()
        failures = [false_schema(value)] if self._root is False else self._engine.iter_errors(value)
        return to_faults(list(failures), reference, locator)


def wrong_in_schema(document: Any, dialect: Dialect) -> tuple[str, str] | None:
    """The worst that a schema has against its meta-schema: a JSON Pointer and what is wrong."""
    stock: Any = official(dialect)
    found: ValidationError | None = best_match(stock(stock.META_SCHEMA).iter_errors(document))
    if found is None:
        return None
    path = (str(part).replace("~", "~0").replace("/", "~1") for part in found.absolute_path)
    return "".join(f"/{part}" for part in path), found.message
