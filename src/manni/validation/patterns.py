"""ECMAScript regular expressions (ECMA-262, with the `u` flag), compiled once each."""

from __future__ import annotations

import re
from functools import lru_cache

import regress

MAX_LENGTH = 10_000
"""The longest pattern, in code points. Longer ones could exhaust the compiler's stack."""

_SURROGATE = re.compile("[\ud800-\udfff]")


class PatternError(ValueError):
    """A text that is no regular expression; the message says why."""


class Pattern:
    """A compiled regular expression.

    Attributes:
        source: the expression as the schema spells it.
    """

    __slots__ = ("_find", "source")

    def __init__(self, source: str, flags: str) -> None:
        if len(source) > MAX_LENGTH:
            raise PatternError(f"it is longer than {MAX_LENGTH} characters")
        try:
            self._find = regress.Regex(source, flags).find
        except (regress.RegressError, UnicodeEncodeError) as error:
            raise PatternError(str(error)) from None
        self.source = source

    def matches(self, text: str) -> bool:
        """Whether the expression matches anywhere in the text."""
        try:
            return self._find(text) is not None
        except UnicodeEncodeError:
            # The engine reads UTF-8, which has no lone surrogates; no usual class holds either.
            return self._find(_SURROGATE.sub("\ufffd", text)) is not None


@lru_cache(maxsize=4096)
def compile_pattern(source: str, flags: str = "u") -> Pattern:
    """The compiled expression.

    Args:
        source: an ECMAScript regular expression.
        flags: those of ECMAScript's `RegExp`; `u` reads text as code points.

    Raises:
        PatternError: it cannot be compiled.
    """
    return Pattern(source, flags)
