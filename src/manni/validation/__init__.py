"""Metadata held against JSON Schemas, with the findings that ajv gives, in its order."""

from __future__ import annotations

from manni.validation.compile import SchemaSource, Validator, compile_schema

__all__ = ["SchemaSource", "Validator", "compile_schema"]
