"""What git ignores: `.gitignore` files and `.git/info/exclude`, read without a git program.

The patterns are `pathspec`'s. A pattern of a deeper file decides before one above it, and
`info/exclude` decides last (gitignore(5)). Nothing below an ignored directory comes back.
"""

from __future__ import annotations

import os
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from manni.base.errors import TargetError
from manni.base.repository import common_directory, is_file
from manni.base.text import visible
from manni.documents.faults import DocumentFault
from manni.documents.files import read_file

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

MAX_IGNORE_FILE = 1 << 20
"""Size limit of a file of patterns, in bytes."""

MAX_PATTERNS = 10_000
"""How many lines a file of patterns may have."""

IGNORE_NAME = ".gitignore"


@dataclass(frozen=True, slots=True)
class Ignores:
    """The patterns that hold in one directory: its own, then those above it.

    Attributes:
        base: the absolute directory that the patterns are relative to.
        above: the patterns of the directories above, or None.
        spec: the patterns.
        quick: finds whether any of them may match.
    """

    base: str
    above: Ignores | None
    spec: GitIgnoreSpec
    quick: re.Pattern[str]

    def is_ignored(self, path: str, *, directory: bool = False) -> bool:
        """Whether an absolute path below `base` is ignored.

        Args:
            path: whose parent directories are not ignored.
            directory: whether it is a directory; a symbolic link never is.
        """
        level: Ignores | None = self
        while level is not None:
            relative = path[len(level.base) + 1 :] + ("/" if directory else "")
            # Most paths match no pattern at all.
            if level.quick.search(relative):
                include = level.spec.check_file(relative, separators=()).include
                if include is not None:
                    return include
            level = level.above
        return False


def ignores_above(root: str, directory: str) -> tuple[Ignores | None, bool]:
    """The patterns that hold in a directory from above it.

    Args:
        root: the top of the repository, absolute; the patterns above it do not count.
        directory: at or below `root`, absolute; its own patterns are not read.

    Returns:
        The patterns, or None when there are none; and whether they ignore the directory itself
        or one that it is in. Then the patterns say nothing of what is in it.

    Raises:
        TargetError: a file of patterns cannot be read.
    """
    ignores = _exclude(root)
    below = os.path.relpath(directory, root)
    current = root
    for part in [] if below == "." else below.split("/"):
        ignores = ignores_of(current, ignores)
        current = f"{current.rstrip('/')}/{part}"
        if ignores is not None and ignores.is_ignored(current, directory=True):
            return (None, True)
    return (ignores, False)


def ignores_of(directory: str, above: Ignores | None) -> Ignores | None:
    """The patterns that hold in a directory, given those from above it.

    Raises:
        TargetError: its file of patterns cannot be read.
    """
    path = Path(directory, IGNORE_NAME)
    # Like git, do not follow a link.
    if not is_file(path) or path.is_symlink():
        return above
    return _read(path, directory, above)


def _exclude(root: str) -> Ignores | None:
    common = common_directory(Path(root))
    path = common / "info" / "exclude" if common else None
    return _read(path, root, None) if path and is_file(path) else None


def _read(path: Path, base: str, above: Ignores | None) -> Ignores | None:
    try:
        data = read_file(path)
    except DocumentFault as fault:
        raise TargetError(fault.finding.message, where=visible(str(path))) from fault
    if len(data) > MAX_IGNORE_FILE:
        raise TargetError("the file of patterns is larger than 1 MiB", where=visible(str(path)))
    lines = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape").split("\n")
    if len(lines) > MAX_PATTERNS:
        raise TargetError(f"the file has more than {MAX_PATTERNS} lines", where=visible(str(path)))
    from pathspec import GitIgnoreSpec

    from manni.discovery.gitignore_patterns import IgnorePattern

    with warnings.catch_warnings():
        # Brackets in a pattern may look to Python like syntax that it has in mind.
        warnings.simplefilter("ignore", FutureWarning)
        try:
            spec = GitIgnoreSpec.from_lines(
                (line.removesuffix("\r") for line in lines), IgnorePattern, backend="simple"
            )
        except TargetError as error:
            raise TargetError(str(error), where=visible(str(path))) from error
        regexes = [item.regex.pattern for item in spec.patterns if item.regex is not None]
        quick = re.compile("|".join(regexes))
    return Ignores(base.rstrip("/"), above, spec, quick) if regexes else above
