"""ECMAScript regular expressions (ECMA-262) and formats, as `jsonschema-rs` runs them.

The engine that decides about whole schemas decides here too, so that both say the same. Its
backtracking is bounded; what has no backtracking is linear in the text.
"""

from __future__ import annotations

from functools import cache, lru_cache

import jsonschema_rs

MAX_LENGTH = 10_000
"""The longest pattern, in code points. Longer ones could exhaust a compiler's stack."""

BACKTRACK_LIMIT = 100_000
"""How often one search may go back; it takes about 4 ms to get there."""

OPTIONS = jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACK_LIMIT)
"""How schemas are to run their patterns."""

_LINEAR = jsonschema_rs.RegexOptions()
_SURROGATES = dict.fromkeys(range(55296, 57344), "�")


class PatternError(ValueError):
    """A text that is no regular expression; the message says why."""


class PatternLimitError(Exception):
    """A search that takes too many steps.

    Attributes:
        message: what a finding says about it; names the expression.
    """

    def __init__(self, source: str) -> None:
        self.message = (
            f'pattern "{source}" takes too many steps to match this value; '
            "write it without repeats inside of repeats"
        )
        super().__init__(self.message)


class Pattern:
    """A compiled regular expression.

    Attributes:
        source: the expression as the schema spells it.
    """

    __slots__ = ("_validator", "source")

    def __init__(self, source: str) -> None:
        if len(source) > MAX_LENGTH:
            raise PatternError(f"it is longer than {MAX_LENGTH} characters")
        if not is_format("regex", source):
            raise PatternError("its syntax is wrong")
        try:
            self._validator = jsonschema_rs.validator_for(
                {"pattern": source}, pattern_options=OPTIONS
            )
        except ValueError:
            raise PatternError("it uses what the engine does not know") from None
        self.source = source

    def matches(self, text: str) -> bool:
        """Whether the expression matches anywhere in the text.

        Raises:
            PatternLimitError: the search takes too many steps.
        """
        try:
            if self._validator.is_valid(text):
                return True
        except UnicodeEncodeError:
            # The engine reads UTF-8, which has no lone surrogates; no usual class holds either.
            return self.matches(text.translate(_SURROGATES))
        for error in self._validator.iter_errors(text):
            if not isinstance(error.kind, jsonschema_rs.ValidationErrorKind.Pattern):
                raise PatternLimitError(self.source)
        return False


@lru_cache(maxsize=4096)
def compile_pattern(source: str) -> Pattern:
    """The compiled expression.

    Args:
        source: an ECMAScript regular expression.

    Raises:
        PatternError: it cannot be compiled.
    """
    return Pattern(source)


@lru_cache(maxsize=4096)
def is_linear(source: str) -> bool:
    """Whether an expression that compiles needs no backtracking."""
    try:
        jsonschema_rs.validator_for({"pattern": source}, pattern_options=_LINEAR)
    except ValueError:
        return False
    return True


@cache
def _format(name: str, dialect: str) -> jsonschema_rs.Validator:
    schema = {"$schema": dialect, "format": name}
    return jsonschema_rs.validator_for(schema, validate_formats=True)


def is_format(name: str, text: str, dialect: str = "") -> bool:
    """Whether a text has a format; it has each one that is not known.

    Args:
        name: of the format (JSON Schema Validation 2020-12, section 7.3).
        text: to look at.
        dialect: the URI of the meta-schema that the format is read by; else that of 2020-12.
    """
    try:
        chosen = dialect or "https://json-schema.org/draft/2020-12/schema"
        return _format(name, chosen).is_valid(text)
    except UnicodeEncodeError:
        return False
