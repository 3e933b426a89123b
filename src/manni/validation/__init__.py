"""Metadata held against JSON Schemas, with the findings that ajv gives, in its order."""

from __future__ import annotations

from manni.validation.compile import SchemaSource, Validator, compile_schema
from manni.validation.limits import SECONDS

__all__ = ["SECONDS", "SchemaSource", "Validator", "compile_schema"]
