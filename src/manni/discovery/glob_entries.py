"""Entries of lists of patterns, as configs and command lines hold them."""

from __future__ import annotations

from functools import lru_cache

from manni.discovery.glob_nodes import Glob, Text
from manni.discovery.glob_syntax import parse


@lru_cache(maxsize=4096)
def parse_entry(pattern: str) -> Glob:
    """Parse an entry of a list of patterns.

    An entry without wildcards stands for that path and everything below it; the entry `.`
    stands for everything.

    Raises:
        GlobError: see `manni.discovery.glob_syntax.parse`.
    """
    glob = parse(pattern)
    if glob.is_glob:
        return glob
    (segments,) = glob.alternatives
    kept = tuple(segment for segment in segments if segment not in ((), (Text("."),)))
    return Glob(pattern, ((*kept, None),), is_glob=False)
