"""A pattern of the family's glob language as one of `pathspec`'s.

Only here and in `manni.discovery.gitignore_patterns` is `pathspec` imported, which takes longer
than many a run
that needs none of it.
"""

from __future__ import annotations

import re

from pathspec.pattern import RegexMatchResult, RegexPattern

from manni.discovery.glob_entries import parse_entry
from manni.discovery.glob_matching import Simulation, to_regex
from manni.discovery.glob_nodes import Glob, Segment

_ANYTHING = re.compile("", re.DOTALL)


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
