"""The page of hosts, `docs/hosts.md`; `python -m manni.discovery.kinds_page` prints it."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from manni.discovery.kinds import KINDS, Kind

_INTRODUCTION = """\
# Hosts and their files

<!-- Written by `python -m manni.discovery.kinds_page`; its table is `kinds.py` there. -->

What coding agents read, kind by kind. A run without a config covers every kind; `action.kinds` of
the config takes some, and `action.collections` says of a collection that all its files are of one.

The folder that is nearest to a file decides its kind, then its name. `README.md`, `AGENTS.md` and
`CLAUDE.md` are never artifacts, nor is a `SKILL.md` below another skill's folder. A plugin is a
folder that holds `.claude-plugin/plugin.json`; what that file names counts as well."""

_READINGS = {
    "yaml": "YAML",
    "claude": "YAML; where that fails, once more with loose values quoted, which is a warning",
    "lenient": "YAML; where that fails, line by line",
}


def page() -> str:
    """The page of hosts as Markdown, ending in a line break."""
    return "\n\n".join([_INTRODUCTION, *map(_section, KINDS)]) + "\n"


def _section(kind: Kind) -> str:
    return "\n".join(
        [f"## {kind.id}", "", f"{kind.title} ([documented]({kind.page})).", "", *_facts(kind)]
    )


def _facts(kind: Kind) -> Iterator[str]:
    yield f"- Files: {', '.join(f'`{glob}`' for glob in kind.globs)}"
    if kind.skipped_start:
        yield f"- Left out: names that start with `{kind.skipped_start}`, as the host does"
    for name, severity in kind.schemas:
        yield f"- Schema: `{name}`{f', all as {severity}s' if severity else ''}"
    told = ", which is a warning" if kind.reading == "lenient" and kind.tells_leniency else ""
    yield f"- Read as: {_READINGS[kind.reading]}{told}"


if __name__ == "__main__":
    sys.stdout.write(page())
