"""`manni meta schemas`: the list of the built-in schemas, or one of them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from manni.cli.console import emit
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
    """Every built-in schema with its published URL, for people or as a JSON array."""
    found = entries()
    if as_json:
        members = [{"id": each.id, "url": each.url, "summary": each.summary} for each in found]
        return json.dumps(members, indent=2) + "\n"
    width = max(len(each.id) for each in found)
    lines = [f"{each.id:<{width}}  {each.summary}\n{'':<{width}}  {each.url}" for each in found]
    return "\n".join(lines) + "\n"
