"""The family's glob language on `pathspec`: patterns compiled once, matched many times.

The language is picomatch's with dot files on; `manni.glob_syntax` describes it. Paths are
relative, `/` separated and without `.`, `..` or empty segments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from pathspec import PathSpec
from pathspec.pattern import RegexMatchResult, RegexPattern

from manni.glob_matching import Simulation, to_regex
from manni.glob_nodes import Glob, GlobError, Segment, Text, ends_in_star
from manni.glob_syntax import parse

__all__ = ["FamilyPattern", "Glob", "GlobError", "Matcher", "check", "is_glob", "literal_prefix"]

_ANYTHING = re.compile("", re.DOTALL)


@lru_cache(maxsize=4096)
def parse_entry(pattern: str) -> Glob:
    """Parse an entry of a list of patterns.

    An entry without wildcards stands for that path and everything below it; the entry `.`
    stands for everything.

    Raises:
        GlobError: see `manni.glob_syntax.parse`.
    """
    glob = parse(pattern)
    if glob.is_glob:
        return glob
    (segments,) = glob.alternatives
    kept = tuple(segment for segment in segments if segment not in ((), (Text("."),)))
    return Glob(pattern, ((*kept, None),), is_glob=False)


def is_glob(pattern: str) -> bool:
    """Whether a pattern holds anything but literal characters.

    Raises:
        GlobError: see `manni.glob_syntax.parse`.
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


class FamilyPattern(RegexPattern):
    """One pattern of the family's language, as `pathspec` wants it.

    Raises:
        GlobError: the pattern cannot be used.
    """

    __slots__ = ("careful", "glob")

    def __init__(self, pattern: str) -> None:
        self.glob = parse_entry(pattern)
        self.careful: tuple[tuple[Segment, ...], ...] = tuple(
            segments for segments in self.glob.alternatives if to_regex(segments) is None
        )
        super().__init__(re.compile(_regex(self.glob), re.DOTALL), include=True)
        self.pattern = pattern

    @classmethod
    def pattern_to_regex(  # type: ignore[override]
        cls, pattern: str
    ) -> tuple[str, bool]:
        """The part of a pattern that a regular expression can match, and that it includes."""
        return (_regex(parse_entry(pattern)), True)

    def match_file(self, file: str) -> RegexMatchResult | None:
        """Whether the path matches, as a result that is not None."""
        match = self.regex.match(file) if self.regex else None
        if match is None and self.careful:
            simulation = Simulation(file)
            if any(simulation.matches(segments) for segments in self.careful):
                match = _ANYTHING.match(file)
        return RegexMatchResult(match) if match else None


def _regex(glob: Glob) -> str:
    """A path also matches the pattern that is spelled just like it."""
    regexes = [to_regex(segments) for segments in glob.alternatives]
    spelled = re.escape(glob.source) + r"\Z"
    return "|".join([*(f"(?:{regex})" for regex in regexes if regex is not None), spelled])


class Matcher:
    """Whether a path matches any pattern of a list.

    Args:
        patterns: entries as in `paths` of a config.

    Raises:
        GlobError: a pattern cannot be used.
    """

    def __init__(self, patterns: Iterable[str]) -> None:
        self.patterns = tuple(patterns)
        compiled = [FamilyPattern(pattern) for pattern in self.patterns]
        self._compiled = compiled
        self._spec = PathSpec(compiled, backend="simple")

    def match(self, path: str) -> bool:
        """Whether the path matches one of the patterns."""
        return bool(self.patterns) and self._spec.match_file(path, separators=())

    def alternatives(self) -> Iterator[tuple[Segment, ...]]:
        """The brace-free patterns that the patterns stand for, for `manni.glob_reach.Reach`."""
        for pattern in self._compiled:
            yield from pattern.glob.alternatives

    def below(self) -> Matcher:
        """The patterns that match all below a directory when they match the directory itself."""
        return Matcher(
            pattern.glob.source
            for pattern in self._compiled
            if all(_matches_below(segments) for segments in pattern.glob.alternatives)
        )


def _matches_below(segments: tuple[Segment, ...]) -> bool:
    return segments[-1] is None and (len(segments) == 1 or not ends_in_star(segments[-2]))
