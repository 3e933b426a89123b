"""Finding and reading `manni.config.yaml`."""

from __future__ import annotations

from manni.config_values import (
    Collection,
    Config,
    DocEvals,
    DocumentRefs,
    Manifest,
    Override,
    SchemaRef,
    SchemaTrust,
)

__all__ = [
    "Collection",
    "Config",
    "DocEvals",
    "DocumentRefs",
    "Manifest",
    "Override",
    "SchemaRef",
    "SchemaTrust",
]
