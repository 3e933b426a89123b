"""What a reference to a schema names, and what messages and reports call it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from manni.base.errors import SchemaError
from manni.base.text import shorten, visible
from manni.schemas.loader import is_id

_URL = re.compile(r"https?://", re.IGNORECASE)


def is_url(reference: str) -> bool:
    """Whether a reference is an http or https URL."""
    return _URL.match(reference) is not None


def path_of(reference: str, base: Path) -> Path:
    """The path of a reference to a file.

    Raises:
        SchemaError: it is a URL of another kind.
    """
    if "://" in reference:
        raise SchemaError("only http and https URLs can be fetched", where=short(reference))
    return base / reference


def label_of(reference: str, base: Path, home: Path) -> str:
    """How reports name a schema: as written, but a file relative to the config's directory.

    Args:
        reference: as written.
        base: the directory that a file is relative to.
        home: the config's directory.
    """
    if is_id(reference) or is_url(reference):
        return visible(reference)
    path = base / reference
    absolute = reference.startswith("/")
    if absolute and not path.is_relative_to(home):
        return visible(reference)
    if base == home and not absolute:
        return visible(reference)
    return visible(os.path.relpath(path, home))


def real_path(path: Path, label: str) -> str:
    """The path with its links followed.

    Raises:
        SchemaError: no file can have such a name.
    """
    try:
        return os.path.realpath(path)
    except (OSError, ValueError):
        raise SchemaError("no file can have such a name", where=label) from None


def outside(label: str) -> SchemaError:
    """The error about a file that may not be read."""
    return SchemaError("the file is outside of the repository", where=label)


def short(text: str) -> str:
    """The text as messages show it."""
    return shorten(visible(text), 200)
