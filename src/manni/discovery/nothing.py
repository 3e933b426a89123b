"""What to say where a run has nothing to check."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from manni.base.text import count, visible
from manni.discovery.kinds import BY_ID

if TYPE_CHECKING:
    from manni.discovery.target import Request
    from manni.model.config import Config

_SHOWN = 20
_USUAL = ("claude-skill", "claude-agent", "copilot-instructions", "cursor-rule")


def nothing_found(
    request: Request, config: Config | None, tried: Sequence[str], ignored: int
) -> str:
    """Why there is nothing to check, and what to do.

    Args:
        request: what the run was asked to check.
        config: the one that governs it, or None.
        tried: the patterns that were tried; empty where the run covers kinds.
        ignored: how many files git ignores.
    """
    by_kind = config is None or config.action.kinds is not None
    if not tried and by_kind:
        return _no_kind(request, config, ignored)
    if not tried and config is not None and not config.collections:
        return (
            f"{config.label} declares no collections, so there is nothing to check; "
            "declare one, or name files"
        )
    if any(os.path.isdir(request.cwd / path) for path in request.paths):  # noqa: PTH112
        advice = "give schemas for everything with -s, or name the files by a glob"
    else:
        advice = "mend the patterns, or allow this with --allow-empty"
    listed = ", ".join(f"`{visible(pattern)}`" for pattern in tried[:_SHOWN])
    more = f" and {len(tried) - _SHOWN} more" if len(tried) > _SHOWN else ""
    left_out = _left_out(request, config, ignored)
    return f"no file to check matches {listed}{more}{left_out}; {advice}"


def _no_kind(request: Request, config: Config | None, ignored: int) -> str:
    chosen = config.action.kinds if config else None
    kinds = [BY_ID[name] for name in (_USUAL if chosen is None else chosen)]
    listed = ", ".join(f"`{kind.globs[0]}`" for kind in kinds)
    more = " and the like (`manni meta schemas` lists them)" if chosen is None else ""
    return (
        f"there is no file to check: the run looked for {listed or 'no kind'}{more}"
        f"{_left_out(request, config, ignored)}; name files, or allow this with --allow-empty"
    )


def _left_out(request: Request, config: Config | None, ignored: int) -> str:
    filters = list(_filters(request, config, ignored))
    return f" (left out: {'; '.join(filters)})" if filters else ""


def _filters(request: Request, config: Config | None, ignored: int) -> Iterator[str]:
    if ignored:
        yield f"{count(ignored, 'file')} by .gitignore"
    if request.exclude:
        yield f"--exclude {' '.join(map(visible, request.exclude))}"
    collections = config.collections if config else ()
    excluded = [pattern for item in collections for pattern in item.exclude]
    if excluded and not request.paths:
        yield f"exclude {', '.join(map(visible, excluded[:_SHOWN]))}"
