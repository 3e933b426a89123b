"""Metadata held against JSON Schemas, with the findings that ajv gives, in its order."""

from __future__ import annotations

from manni.validation.compile import Validator, compile_schema

__all__ = ["Validator", "compile_schema"]
