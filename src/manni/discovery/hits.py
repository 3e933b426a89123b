"""What a walk comes upon: files, and what keeps it from looking further."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import Enum

from manni.base.text import shorten, visible
from manni.model.findings import PARSE_SCHEMA, TOOL_SCHEMA, Finding, Place, Span

GIT_NAME = ".git"
"""What git keeps its own files in; no walk enters it."""

_SHOWN = 200


class Trouble(Enum):
    """Why something that was reached cannot be checked."""

    LINK_OUTSIDE = "a symbolic link that leads out of the repository"
    LINK_BROKEN = "a symbolic link that leads nowhere"
    UNREADABLE = "a directory that cannot be read"
    TOO_DEEP = "a directory below too many others"


@dataclass(frozen=True, slots=True)
class Hit:
    """A file that a walk selects, or what kept it from looking further.

    Attributes:
        path: absolute, as reached.
        real: without symbolic links, where that differs from `path`.
        ignored: whether git ignores it, and does not track it.
        trouble: None for a file.
        detail: what the system says about the trouble.
    """

    path: str
    real: str | None = None
    ignored: bool = False
    trouble: Trouble | None = None
    detail: str = ""


_ADVICE = {
    Trouble.LINK_OUTSIDE: ", so it was not opened; replace it with a file",
    Trouble.LINK_BROKEN: "; mend it or remove it",
    Trouble.UNREADABLE: ", so what it holds was not checked",
    Trouble.TOO_DEEP: ", so what it holds was not checked",
}


def trouble_finding(hit: Hit, trouble: Trouble, *, of_kind: bool = False) -> Finding:
    """The finding about something that was reached and cannot be checked.

    Args:
        hit: what was reached.
        trouble: that of the hit.
        of_kind: whether some host reads what should be there.
    """
    if trouble is Trouble.LINK_BROKEN and of_kind:
        return Finding(
            schema=TOOL_SCHEMA,
            keyword="dangling-link",
            message=f"this link leads to `{_target(hit.path)}`, which is not there; "
            "mend it or remove it",
            place=Place(Span(1, 1, 1, 1)),
        )
    detail = f" ({hit.detail})" if hit.detail else ""
    message = f"this is {trouble.value}{_ADVICE[trouble]}{detail}"
    if trouble is Trouble.LINK_OUTSIDE:
        return Finding(schema=TOOL_SCHEMA, keyword="link-outside", message=message)
    return Finding(schema=PARSE_SCHEMA, keyword="parse", message=message)


def _target(path: str) -> str:
    try:
        return visible(shorten(os.readlink(path), _SHOWN))  # noqa: PTH115 - kept as it is written
    except OSError:
        return "something"


def judge_link(path: str, root: str) -> Hit:
    """Follow the links of a path as far as they may be followed, without opening anything.

    Args:
        path: absolute.
        root: the directory that links may not leave, absolute and without links. What git keeps
            in `.git` counts as outside.
    """
    real = os.path.realpath(path)
    if not is_inside(real, root) or GIT_NAME in real[len(root) :].split("/"):
        return Hit(path, real, trouble=Trouble.LINK_OUTSIDE)
    if not os.path.exists(real):  # noqa: PTH110 - a path object for each link is slow
        return Hit(path, real, trouble=Trouble.LINK_BROKEN)
    return Hit(path, real)


def is_inside(path: str, root: str) -> bool:
    """Whether an absolute path is a directory, or something below it."""
    return path == root or path.startswith(root.rstrip("/") + "/")
