"""From a config that is known to be right to the typed values that the program works with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from manni.config.source import ConfigSource
from manni.model.config import (
    Action,
    Collection,
    CollectionKind,
    Config,
    DocEvals,
    DocumentRefs,
    Manifest,
    Override,
    SchemaRef,
    SchemaTrust,
)
from manni.model.findings import Severity


def build(path: Path, source: ConfigSource, notices: tuple[str, ...]) -> Config:
    """The typed value of a config.

    Args:
        path: of the file, absolute.
        source: a config that `check` and `check_rules` accept.
        notices: what to say about keys that the run does not act on.
    """
    values, make = source.value, _Builder(source)
    meta: dict[str, Any] = values.get("meta") or {}
    overrides = enumerate(meta.get("overrides", []))
    return Config(
        path=path,
        label=source.label,
        collections=tuple(
            make.collection(each, f"/collections/{index}")
            for index, each in enumerate(values.get("collections", []))
        ),
        schemas=make.schemas(meta.get("schemas", []), "/meta/schemas"),
        overrides=tuple(make.override(each, f"/meta/overrides/{at}") for at, each in overrides),
        strict=meta.get("strict", False),
        register=tuple(meta.get("register", ())),
        register_line=source.line("/meta/register") if "register" in meta else 0,
        baseline=meta.get("baseline"),
        trust=_trust(meta.get("schemaTrust") or {}),
        respect_gitignore=meta.get("respectGitignore", True),
        allow_empty=meta.get("allowEmpty", False),
        offline=meta.get("offline", False),
        action=make.action(values.get("action") or {}),
        docevals=_docevals(values["docevals"]) if "docevals" in values else None,
        notices=notices,
    )


@dataclass(frozen=True, slots=True)
class _Builder:
    """Builds the values that remember their line."""

    source: ConfigSource

    def collection(self, values: dict[str, Any], at: str) -> Collection:
        manifests = enumerate(values.get("externalMetadata", []))
        return Collection(
            name=values["name"],
            paths=tuple(values["paths"]),
            line=self.source.line(at),
            exclude=tuple(values.get("exclude", ())),
            manifests=tuple(
                self._manifest(each, f"{at}/externalMetadata/{index}") for index, each in manifests
            ),
        )

    def _manifest(self, values: dict[str, Any], at: str) -> Manifest:
        return Manifest(
            file=values["file"],
            line=self.source.line(at),
            keys=tuple(values["keys"]) if "keys" in values else None,
            join=values.get("join", "path"),
            token_env=values.get("tokenEnv"),
        )

    def override(self, values: dict[str, Any], at: str) -> Override:
        files = values.get("files", ())
        return Override(
            schemas=self.schemas(values["schemas"], f"{at}/schemas"),
            line=self.source.line(at),
            files=(files,) if isinstance(files, str) else tuple(files),
            collection=values.get("collection"),
            strict=values.get("strict"),
        )

    def schemas(self, values: list[Any], at: str) -> tuple[SchemaRef, ...]:
        return tuple(self._schema(each, f"{at}/{index}") for index, each in enumerate(values))

    def _schema(self, value: Any, at: str) -> SchemaRef:
        line = self.source.line(at)
        if isinstance(value, str):
            return SchemaRef(value, line)
        pin = value.get("integrity")
        return SchemaRef(value["ref"], line, value.get("source"), pin.lower() if pin else None)

    def action(self, values: dict[str, Any]) -> Action:
        levels, ignores = values.get("severity", {}), values.get("per-file-ignores", {})
        return Action(
            kinds=tuple(values["kinds"]) if "kinds" in values else None,
            collections=tuple(
                CollectionKind(
                    each["collection"], each["kind"], self.source.line(f"/action/collections/{at}")
                )
                for at, each in enumerate(values.get("collections", []))
            ),
            select=tuple(values["select"]) if "select" in values else None,
            ignore=tuple(values.get("ignore", ())),
            severity={
                rule: None if level == "off" else Severity(level) for rule, level in levels.items()
            },
            per_file_ignores={glob: tuple(rules) for glob, rules in ignores.items()},
            graders=tuple(values.get("graders", ())),
            fail_on=values.get("fail-on"),
        )


def _trust(values: dict[str, Any]) -> SchemaTrust:
    hosts = values.get("hosts")
    return SchemaTrust(
        document_refs=DocumentRefs(values.get("documentRefs", DocumentRefs.ANY)),
        hosts=None if hosts is None else tuple(host.lower() for host in hosts),
    )


def _docevals(value: Any) -> DocEvals | None:
    """The names that a sibling tool's section defines; its mistakes are that tool's to report."""
    if value is None:
        return DocEvals()
    if not isinstance(value, dict):
        return None
    return DocEvals(evals=_names(value.get("evals")), suites=_names(value.get("suites")))


def _names(value: Any) -> frozenset[str]:
    return frozenset(value) if isinstance(value, dict) else frozenset()
