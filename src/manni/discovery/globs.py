"""The family's glob language on `pathspec`: patterns compiled once, matched many times.

The language is picomatch's with dot files on; `manni.discovery.glob_syntax` describes it. Paths are
relative, `/` separated and without `.`, `..` or empty segments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from manni.discovery.glob_entries import parse_entry
from manni.discovery.glob_nodes import Glob, GlobError, Segment, ends_in_star
from manni.discovery.glob_syntax import parse

if TYPE_CHECKING:
    from pathspec import PathSpec

    from manni.discovery.glob_pattern import FamilyPattern

__all__ = ["Glob", "GlobError", "Matcher", "check", "is_glob", "literal_prefix"]


def is_glob(pattern: str) -> bool:
    """Whether a pattern holds anything but literal characters.

    Raises:
        GlobError: see `manni.discovery.glob_syntax.parse`.
    """
    return parse_entry(pattern).is_glob


def check(pattern: str) -> None:
    """Refuse a pattern of a config or a command line that could never match what it means to.

    Raises:
        GlobError: it cannot be parsed, starts with `!`, is absolute, leaves its base, or holds
            a segment that no path has. The message reads on from the quoted pattern.
    """
    if pattern.startswith("!") and not pattern.startswith("!("):
        raise GlobError(r"starts with `!`; list it under `exclude` (`\!` is a literal one)")
    if pattern.startswith("/"):
        raise GlobError("is absolute; patterns are relative")
    if "\0" in pattern:
        raise GlobError("holds a NUL character, which no path does")
    parts = pattern.removeprefix("./").split("/")
    if ".." in parts:
        raise GlobError("leads out of the directory that it is relative to with `..`")
    glob = parse_entry(pattern)
    if glob.is_glob and parts[-1] == "":
        raise GlobError("ends with `/`, so that it matches no file; end it with `/**`")
    if glob.is_glob and ("" in parts or "." in parts):
        raise GlobError("holds an empty or `.` segment, so that it matches no file")


def literal_prefix(pattern: str) -> tuple[str, str]:
    """Split off the leading segments without wildcards.

    Returns:
        Those segments unescaped and joined, and the pattern that is left; `""` for none.
    """
    parts = pattern.split("/")
    taken = 0
    while taken < len(parts) - 1 and not parse(parts[taken]).is_glob:
        taken += 1
    literal = "/".join(_unescape(part) for part in parts[:taken])
    return (literal, "/".join(parts[taken:]))


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


class Matcher:
    """Whether a path matches any pattern of a list.

    Args:
        patterns: entries as in `paths` of a config.

    Raises:
        GlobError: a pattern cannot be used.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self.patterns = tuple(patterns)
        self._globs = [parse_entry(pattern) for pattern in self.patterns]

    @cached_property
    def _spec(self) -> PathSpec[FamilyPattern]:
        from pathspec import PathSpec

        from manni.discovery.glob_pattern import FamilyPattern

        return PathSpec(map(FamilyPattern, self.patterns), backend="simple")

    def match(self, path: str) -> bool:
        """Whether the path matches one of the patterns."""
        return bool(self.patterns) and self._spec.match_file(path, separators=())

    def alternatives(self) -> Iterator[tuple[Segment, ...]]:
        """The brace-free patterns that the patterns stand for, for `glob_reach.Reach`."""
        for glob in self._globs:
            yield from glob.alternatives

    def below(self) -> Matcher:
        """The patterns that match all below a directory when they match the directory itself."""
        return Matcher(
            glob.source
            for glob in self._globs
            if all(_matches_below(segments) for segments in glob.alternatives)
        )


def _matches_below(segments: tuple[Segment, ...]) -> bool:
    return segments[-1] is None and (len(segments) == 1 or not ends_in_star(segments[-2]))
