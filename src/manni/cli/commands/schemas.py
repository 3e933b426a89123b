"""What `manni meta schemas` prints: the list of the built-in schemas."""

from __future__ import annotations

import json

from manni.schemas.builtin import entries


def listing(*, as_json: bool) -> str:
    """Every built-in schema with its published URL, for people or as a JSON array."""
    found = entries()
    if as_json:
        members = [{"id": each.id, "url": each.url, "summary": each.summary} for each in found]
        return json.dumps(members, indent=2) + "\n"
    width = max(len(each.id) for each in found)
    lines = [f"{each.id:<{width}}  {each.summary}\n{'':<{width}}  {each.url}" for each in found]
    return "\n".join(lines) + "\n"
