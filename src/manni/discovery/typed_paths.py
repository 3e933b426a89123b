"""Paths and patterns as they are typed at the command line."""

from __future__ import annotations

import os
from collections.abc import Iterable

from manni.base.errors import UsageError
from manni.base.spelling import nearest
from manni.base.text import visible
from manni.discovery.collections import relative
from manni.discovery.globs import GlobError, Matcher, check, is_glob, literal_prefix


def matches(matcher: Matcher, base: str, path: str) -> bool:
    """Whether a path matches patterns that are relative to a directory; both are absolute."""
    key = relative(path, base)
    return key is not None and matcher.match(key)


def relative_path(path: str, base: str) -> str:
    """A path relative to a directory, with `..` where it lies outside; both are absolute."""
    inside = relative(path, base)
    return inside or os.path.relpath(path, base)


def compiled(patterns: Iterable[str], option: str) -> Matcher:
    """The patterns of an option.

    Raises:
        UsageError: one is malformed.
    """
    kept = tuple(patterns)
    for pattern in kept:
        try:
            check(pattern)
        except GlobError as error:
            raise UsageError(f"{option} `{visible(pattern)}` {error}") from error
    return Matcher(kept)


def is_pattern(text: str) -> bool:
    """Whether a path is a glob.

    Raises:
        UsageError: it is a malformed one.
    """
    _, rest = literal_prefix(text)
    try:
        return rest != ".." and is_glob(rest)
    except GlobError as error:
        raise UsageError(f"the path `{visible(text)}` {error}") from error


def split_pattern(text: str) -> tuple[str, str]:
    """The directory that a glob of the command line starts in, and the glob below it."""
    if text.startswith("!") and not text.startswith("!("):
        raise UsageError(f"the path `{visible(text)}` starts with `!`; use --exclude instead")
    literal, rest = literal_prefix(text)
    try:
        check(rest)
    except GlobError as error:
        raise UsageError(f"the path `{visible(text)}` {error}") from error
    return (literal or ("/" if text.startswith("/") else "."), rest)


def near(path: str) -> str:
    """A hint at the entry of the same directory that was probably meant."""
    directory, name = os.path.split(path)
    try:
        names = sorted(os.listdir(directory))  # noqa: PTH208 - names are wanted, not paths
    except OSError:
        return f"; there is no directory `{visible(os.path.basename(directory))}`"  # noqa: PTH119
    guess = nearest(name, names)
    return f"; did you mean `{visible(guess)}`?" if guess else ""
