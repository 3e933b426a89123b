"""Schema sets made ready for many artifacts: compiled once, asked often."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING

from manni.base.errors import SchemaError
from manni.schemas.vocabularies import EVAL_VOCABULARIES

if TYPE_CHECKING:
    from manni.base.json_types import Json
    from manni.model.findings import SchemaInfo, Severity
    from manni.schemas.store import Schema, SchemaSet
    from manni.validation.compile import Validator


@dataclass(frozen=True, slots=True, eq=False)
class CompiledSchemas:
    """A schema set, compiled.

    Attributes:
        references: of its schemas, in order.
        infos: what reports say about its schemas.
        validators: of those schemas that compile, in order.
        lowered: what the findings of each of these are lowered to, None for not at all.
        marking: the validators of those that mark keys.
        broken: what is wrong with those that do not.
        notices: what a run should say about its schemas.
        vocabularies: the ids in it, where one of them is an eval vocabulary; else empty.
    """

    references: tuple[str, ...]
    infos: tuple[SchemaInfo, ...]
    validators: tuple[Validator, ...]
    lowered: tuple[Severity | None, ...]
    marking: tuple[Validator, ...]
    broken: tuple[str, ...]
    notices: tuple[str, ...]
    vocabularies: frozenset[str]

    def marks(self, value: dict[str, Json]) -> list[tuple[str, Mapping[str, str]]]:
        """The marks of each schema that reaches one, with its reference; see `Validator.marks`."""
        return [(each.reference, marks) for each in self.marking if (marks := each.marks(value))]


class SchemaCompiler:
    """Compiles the schemas of a run, each once."""

    def __init__(self) -> None:
        self._sets: dict[SchemaSet, CompiledSchemas] = {}
        self._validators: dict[Schema, Validator | SchemaError] = {}

    def compiled(self, chosen: SchemaSet) -> CompiledSchemas:
        """The set, compiled.

        Raises:
            SchemaError: a schema that the run or the config names does not compile.
        """
        known = self._sets.get(chosen)
        if known is None:
            known = self._sets[chosen] = self._compile(chosen)
        return known

    def _compile(self, chosen: SchemaSet) -> CompiledSchemas:
        validators: list[Validator] = []
        lowered: list[Severity | None] = []
        broken: list[str] = []
        for schema, severity in zip_longest(chosen.schemas, chosen.severities):
            made = self._validator(schema)
            if not isinstance(made, SchemaError):
                validators.append(made)
                lowered.append(severity)
            elif chosen.from_document:
                broken.append(str(made))
            else:
                raise made
        identifiers = frozenset(schema.identifier for schema in chosen.schemas)
        return CompiledSchemas(
            references=tuple(schema.reference for schema in chosen.schemas),
            infos=tuple(schema.info for schema in chosen.schemas),
            validators=tuple(validators),
            lowered=tuple(lowered),
            marking=tuple(each for each in validators if each.has_marks),
            broken=tuple(broken),
            notices=tuple(each.notice for each in validators if each.notice),
            vocabularies=identifiers if identifiers & EVAL_VOCABULARIES else frozenset(),
        )

    def _validator(self, schema: Schema) -> Validator | SchemaError:
        from manni.validation.compile import compile_schema

        if schema not in self._validators:
            try:
                self._validators[schema] = compile_schema(schema)
            except SchemaError as error:
                self._validators[schema] = error
        return self._validators[schema]
