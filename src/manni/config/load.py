"""Reading `manni.config.yaml`, which the tools of the family share.

`schemas/config.schema.json` describes the file for editors; a test holds that both accept and
refuse the same keys.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from manni.base.errors import ConfigError
from manni.base.spelling import nearest
from manni.base.text import visible
from manni.config.find import SECTIONS
from manni.config.reader import Node, read_root
from manni.config.sections import (
    read_collections,
    read_docevals,
    read_overrides,
    read_schemas,
    read_trust,
)
from manni.model.config import (
    Collection,
    Config,
    DocEvals,
    DocumentRefs,
    Manifest,
    Override,
    SchemaRef,
    SchemaTrust,
)

__all__ = [
    "Collection",
    "Config",
    "DocEvals",
    "DocumentRefs",
    "Manifest",
    "Override",
    "SchemaRef",
    "SchemaTrust",
    "load_config",
]

UNAPPLIED_KEYS = ("checks", "elements", "fill", "derive", "schemaCache")
"""Keys of `meta` that other tools of the family act on."""

META_KEYS = (
    "schemas",
    "overrides",
    "strict",
    "register",
    "baseline",
    "schemaTrust",
    "respectGitignore",
    "allowEmpty",
    "offline",
    *UNAPPLIED_KEYS,
)


def load_config(path: Path, *, cwd: Path | None = None) -> Config:
    """Read a config.

    Args:
        path: of the file.
        cwd: the directory that `path` is relative to, and that messages name files relative to;
            by default the working directory.

    Raises:
        ConfigError: the file does not exist, cannot be read or parsed, or breaks a rule.
    """
    base = cwd or Path.cwd()
    absolute = Path(os.path.abspath(base / path))  # noqa: PTH100 - links stay as they are
    label = _label(absolute, base)
    if not os.path.lexists(absolute):
        raise ConfigError("there is no such config file", where=label)
    members = read_root(absolute, label).members()
    collections = read_collections(members["collections"]) if "collections" in members else ()
    config = Config(
        path=absolute,
        label=label,
        collections=collections,
        docevals=read_docevals(members["docevals"]) if "docevals" in members else None,
        notices=_notices(label, members),
    )
    return _with_meta(config, members["meta"]) if "meta" in members else config


def _label(path: Path, base: Path) -> str:
    inside = path.is_relative_to(base)
    return visible((path.relative_to(base) if inside else path).as_posix())


def _with_meta(config: Config, node: Node) -> Config:
    members = node.section(META_KEYS)

    def flag(key: str, *, default: bool) -> bool:
        return members[key].flag() if key in members else default

    register = members.get("register")
    baseline = members.get("baseline")
    overrides = members.get("overrides")
    return replace(
        config,
        schemas=read_schemas(members["schemas"]) if "schemas" in members else (),
        overrides=read_overrides(overrides, config.collections) if overrides else (),
        strict=flag("strict", default=False),
        register=register.texts("a list of files and directories") if register else (),
        register_line=register.line if register else 0,
        baseline=baseline.text("the path of a baseline file") if baseline else None,
        trust=read_trust(members["schemaTrust"]) if "schemaTrust" in members else SchemaTrust(),
        respect_gitignore=flag("respectGitignore", default=True),
        allow_empty=flag("allowEmpty", default=False),
        offline=flag("offline", default=False),
    )


def _notices(label: str, members: Mapping[str, Node]) -> tuple[str, ...]:
    """What the user may expect of this config and this run does not do."""
    notices: list[str] = []
    if not any(section in members for section in SECTIONS):
        notices.append(f"{label} has neither a `meta` nor a `collections` key, so it sets nothing")
    for key in members:
        guess = nearest(key, [name for name in SECTIONS if name not in members])
        if guess:
            notices.append(
                f"{label}:{members[key].line}: `{visible(key)}` is not read; "
                f"did you mean `{guess}`?"
            )
    meta = members["meta"].value if "meta" in members else None
    unapplied = [key for key in UNAPPLIED_KEYS if isinstance(meta, dict) and key in meta]
    if unapplied:
        listed = ", ".join(f"`meta.{key}`" for key in unapplied)
        notices.append(f"{label}: this run did not apply {listed}, which other tools act on")
    return tuple(notices)
