"""Reading `manni.config.yaml`, which the tools of the family share.

`schemas/config.schema.json` says what it may hold, to editors and to this room alike.
"""

from __future__ import annotations

import os
from pathlib import Path

from manni.base.errors import ConfigError
from manni.base.json_types import escape_token
from manni.base.spelling import nearest
from manni.base.text import visible
from manni.config.build import build
from manni.config.check import check
from manni.config.read import SECTIONS, read_config
from manni.config.rules import broken_rules
from manni.config.source import ConfigSource
from manni.model.config import Config

UNAPPLIED_KEYS = ("checks", "elements", "fill", "derive", "schemaCache")
"""Keys of `meta` that other tools of the family act on."""


def load_config(path: Path, *, cwd: Path | None = None) -> Config:
    """Read a config.

    Args:
        path: of the file.
        cwd: the directory that `path` is relative to, and that messages name files relative to;
            by default the working directory.

    Raises:
        ConfigError: the file does not exist, cannot be read or parsed, is empty, or
            holds mistakes, of which the message tells one and counts the others.
    """
    base = cwd or Path.cwd()
    absolute = Path(os.path.abspath(base / path))  # noqa: PTH100 - links stay as they are
    label = _label(absolute, base)
    if not os.path.lexists(absolute):
        raise ConfigError("there is no such config file", where=label)
    source = read_config(absolute, label)
    if not source.value:
        raise ConfigError(
            "the config is empty; give it the key `collections`, which says where the files are, "
            "or `meta`, which says what they are checked against",
            where=label,
        )
    mistakes = check(source) or sorted(broken_rules(source))
    if mistakes:
        more = f" (and {len(mistakes) - 1} more)" if len(mistakes) > 1 else ""
        raise ConfigError(mistakes[0].sentence + more, where=f"{label}:{mistakes[0].line}")
    return build(absolute, source, _notices(source))


def _label(path: Path, base: Path) -> str:
    inside = path.is_relative_to(base)
    return visible((path.relative_to(base) if inside else path).as_posix())


def _notices(source: ConfigSource) -> tuple[str, ...]:
    """What the user may expect of this config and this run does not do."""
    values, label = source.value, source.label
    notices: list[str] = []
    missing = [section for section in SECTIONS if section not in values]
    if len(missing) == len(SECTIONS):
        listed = ", ".join(f"`{section}`" for section in SECTIONS)
        notices.append(f"{label} has none of the keys {listed}, so it sets nothing")
    for key in values:
        guess = None if key in SECTIONS else nearest(key, missing)
        if guess:
            line = source.line(f"/{escape_token(key)}")
            notices.append(f"{label}:{line}: `{visible(key)}` is not read; did you mean `{guess}`?")
    meta = values.get("meta") or {}
    unapplied = [f"`meta.{key}`" for key in UNAPPLIED_KEYS if key in meta]
    if unapplied:
        listed = ", ".join(unapplied)
        notices.append(f"{label}: this run did not apply {listed}, which other tools act on")
    return tuple(notices)
