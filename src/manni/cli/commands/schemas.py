"""`manni meta schemas`: the built-in schemas and the kinds of files, or one schema."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from manni.cli.console import emit
from manni.discovery.kinds import KINDS, Kind
from manni.engine.arguments import Parser
from manni.schemas.builtin import entries, source


def run(argv: Sequence[str]) -> int:
    """Print what is asked for.

    Raises:
        UsageError: the arguments are not understood.
        SchemaError: there is no such schema.
    """
    parser = Parser(
        prog="manni meta schemas",
        description="List the built-in schemas, or print one.",
        allow_abbrev=False,
    )
    parser.add_argument("id", nargs="?", metavar="ID", help="The schema to print.")
    parser.add_argument(
        *("-f", "--format"),
        choices=("pretty", "json"),
        default="pretty",
        help="The list's format. Default: pretty.",
    )
    asked = parser.read(argv)
    emit([source(asked.id) if asked.id else listing(as_json=asked.format == "json")])
    return 0


def listing(*, as_json: bool) -> str:
    """Every built-in schema, and every kind of file with the schemas that it gets.

    For people they are two lists; as JSON an array of schemas, each with its kinds.
    """
    found = entries()
    if as_json:
        members = [
            {"id": each.id, "url": each.url, "summary": each.summary, "kinds": _kinds_of(each.id)}
            for each in found
        ]
        return json.dumps(members, indent=2) + "\n"
    rows = [(each.id, each.summary, each.url) for each in found]
    kinds = [(kind.id, _schemas_of(kind), ", ".join(kind.globs)) for kind in KINDS]
    between = "\nKinds of files, the schemas that they get, and where they are:\n\n"
    return f"{_table(rows)}{between}{_table(kinds)}"


def _table(rows: Sequence[tuple[str, str, str]]) -> str:
    width = max(len(name) for name, _, _ in rows)
    return "".join(
        f"{name:<{width}}  {first}\n{'':<{width}}  {second}\n" for name, first, second in rows
    )


def _schemas_of(kind: Kind) -> str:
    return ", ".join(
        f"{name} (all as {severity}s)" if severity else name for name, severity in kind.schemas
    )


def _kinds_of(schema: str) -> list[dict[str, Any]]:
    return [
        {"id": kind.id, "lowered": severity and severity.value, "files": list(kind.globs)}
        for kind in KINDS
        for name, severity in kind.schemas
        if name == schema
    ]
