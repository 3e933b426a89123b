"""Globs that `wcmatch` translates and `pathspec` matches: compiled once, matched many times.

The language is picomatch's with dot files on: `*` and `?` within a segment, `**` as a whole segment
across segments, `[a-z]`, `[^a-z]`, `[!a-z]`, `[[:alpha:]]`, `{a,b}` and `{1..3}`, groups
`@(a|b) ?(a) *(a) +(a) !(a)` and `(a|b)`; a backslash makes the next character literal. Paths are
relative, `/` separated and without `.`, `..` or empty segments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from manni.discovery.glob_syntax import Glob, GlobError, Segment, parse

if TYPE_CHECKING:
    from pathspec import PathSpec
    from pathspec.pattern import RegexPattern

__all__ = ["GlobError", "Matcher", "check", "is_glob", "literal_prefix"]

_SPECIAL = re.compile(r"[*?\[({]")
_END = r"(?=/|\Z)"


def is_glob(pattern: str) -> bool:
    """Whether a pattern holds anything but literal characters.

    Raises:
        GlobError: see `manni.discovery.glob_syntax.parse`.
    """
    return parse(pattern).is_glob


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
    if is_glob(pattern) and parts[-1] == "":
        raise GlobError("ends with `/`, so that it matches no file; end it with `/**`")
    if is_glob(pattern) and ("" in parts or "." in parts):
        raise GlobError("holds an empty or `.` segment, so that it matches no file")


def literal_prefix(pattern: str) -> tuple[str, str]:
    """Split off the leading segments without wildcards.

    Returns:
        Those segments unescaped and joined, and the pattern that is left; `""` for none.
    """
    parts = pattern.split("/")
    taken = 0
    while taken < len(parts) - 1 and not _SPECIAL.search(re.sub(r"\\.", "", parts[taken])):
        taken += 1
    literal = "/".join(re.sub(r"\\(.)", r"\1", part, flags=re.DOTALL) for part in parts[:taken])
    return (literal, "/".join(parts[taken:]))


class Matcher:
    """Whether a path matches any pattern of a list.

    Args:
        patterns: entries as in `paths` of a config.

    Raises:
        GlobError: a pattern cannot be used.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self.patterns = tuple(patterns)
        self._globs = [parse(pattern) for pattern in self.patterns]

    @cached_property
    def _spec(self) -> PathSpec[RegexPattern]:
        from pathspec import PathSpec
        from pathspec.pattern import RegexPattern

        regexes = [re.compile(_regex(glob), re.DOTALL) for glob in self._globs]
        return PathSpec([RegexPattern(regex, include=True) for regex in regexes], backend="simple")

    def match(self, path: str) -> bool:
        """Whether the path matches one of the patterns."""
        return bool(self.patterns) and self._spec.match_file(path, separators=())

    def alternatives(self) -> Iterator[tuple[Segment, ...]]:
        """The brace-free patterns that the patterns stand for, for `reach.Scope`."""
        for glob in self._globs:
            yield from glob.alternatives

    def below(self) -> Matcher:
        """The patterns that match all below a directory when they match the directory itself."""
        return Matcher(
            glob.source
            for glob in self._globs
            if glob.alternatives and all(map(_matches_below, glob.alternatives))
        )


def _matches_below(segments: tuple[Segment, ...]) -> bool:
    return segments[-1] is None and not _ends_in_star(segments[:-1])


def _ends_in_star(segments: tuple[Segment, ...]) -> bool:
    """Whether a final `**` after these must match something.

    `docs/**` matches `docs` itself, but `docs/*/**` matches nothing directly below `docs`.
    """
    last = segments[-1] if segments else None
    return isinstance(last, re.Pattern) and last.pattern.endswith("[^/]*?")


def _regex(glob: Glob) -> str:
    """The regular expression of a pattern; a path also matches what is spelled just like it."""
    regexes = [_whole(segments) for segments in glob.alternatives]
    return rf"\A(?:{'|'.join([*regexes, re.escape(glob.source)])})\Z"


def _whole(segments: tuple[Segment, ...]) -> str:
    """The regular expression of one brace-free pattern.

    Between two `**` the first place where the segments match leaves the most to the rest, so none
    is ever tried again.
    """
    blocks: list[list[str]] = [[]]
    for segment in segments:
        if segment is None:
            blocks.append([])
        elif isinstance(segment, str):
            blocks[-1].append(re.escape(segment))
        else:
            blocks[-1].append(f"(?>{segment.pattern}{_END})")
    first, *middle = ["/".join(block) for block in blocks]
    if not middle:
        return first
    regex = first
    *middle, last = middle
    for block in middle:
        regex += f"{'/' if regex else ''}(?>(?:[^/]+/)*?{block}{_END})"
    if last:
        return rf"{regex}{'/' if regex else ''}(?:.*/)?{last}"
    if not regex:
        return ".*"
    return regex + ("/.*" if _ends_in_star(segments[:-1]) else "(?:/.*)?")
