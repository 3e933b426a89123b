"""The patterns of git's ignore files, matched in bounded time."""

from __future__ import annotations

import re

from pathspec.patterns.gitignore.base import GitIgnorePatternError
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from manni.base.errors import TargetError
from manni.base.text import shorten, visible

MAX_PATTERN = 4096
"""How long one of them may be; no path is longer."""

MAX_CROSSINGS = 3
"""How many `**` one pattern may hold; each is a place that matching may have to come back to."""

# `*` as pathspec writes it, some single characters, and another `*`.
_ATOM = r"(?:\\.|\[\^?(?:\\.|[^\]\\])+\](?![*+?])|[^\\\[\]()/*+?|$^.])"
_STAR_BLOCK = re.compile(rf"\[\^/\]\*({_ATOM}+)(?=\[\^/\]\*)", re.DOTALL)
# How pathspec ends a pattern for anything, for directories, and for what is in a directory.
_ENDINGS = {r"(?:(?P<ps_d>/)|$)": r"/?\Z", r"(?P<ps_d>/)": r"/\Z", "/": r"/."}


class IgnorePattern(GitIgnoreSpecPattern):
    """A pattern of git's that judges a path by itself, in bounded time.

    A walk judges each directory before what is in it, so a pattern must not match a path for
    being below a directory that it matches: another pattern may have brought that one back.
    Directories are given with a `/` at their end.

    A backtracking matcher comes back to every star, so all stars of a segment but the last are
    made atomic: the first match of a part leaves the most to the rest, and nothing else changes.

    Raises:
        TargetError: the pattern crosses directories too often.
    """

    __slots__ = ()

    @classmethod
    def pattern_to_regex(  # type: ignore[override]
        cls, pattern: str
    ) -> tuple[str | None, bool | None]:
        """The regular expression, and whether a match is ignored or brought back."""
        try:
            regex, include = super().pattern_to_regex(pattern)
        except GitIgnorePatternError:
            return (None, None)
        if regex is None:
            return (None, None)
        if regex.count(".+") > MAX_CROSSINGS or len(pattern) > MAX_PATTERN:
            shown = visible(shorten(pattern, 60))
            raise TargetError(f"the pattern `{shown}` is too long or holds too many `**`")
        bounded = _STAR_BLOCK.sub(r"(?>[^/]*?\1)", _exact(regex))
        try:
            re.compile(bounded)
        except re.error:
            # Git takes a malformed pattern for one that matches nothing.
            return (None, None)
        return (bounded, include)


def _exact(regex: str) -> str:
    """What matches the path itself and nothing for being below it."""
    for ending, exact in _ENDINGS.items():
        if regex.endswith(ending):
            return regex.removesuffix(ending) + exact
    return regex
