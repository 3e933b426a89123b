"""Which rules a command line and a config choose, held against those that there are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from manni.base.errors import ConfigError, SchemaError, UsageError
from manni.base.spelling import nearest
from manni.base.text import shorten, visible
from manni.discovery.globs import Matcher
from manni.engine.settings import Settings
from manni.model.config import Action, Config
from manni.model.findings import TOOL_SCHEMA
from manni.rules.choices import Choices, is_glob
from manni.rules.registry import VOCABULARIES
from manni.rules.texts import EVALS, HOSTS, KEYWORDS, READING, STORAGE, texts
from manni.schemas.builtin import entries
from manni.schemas.naming import is_url
from manni.schemas.store import SchemaStore


def choices(settings: Settings, config: Config | None, store: SchemaStore) -> Choices | None:
    """What a run and its config say of rules; None when they say nothing.

    An option of the command line takes the place of the config's `select` or `ignore`, and its
    severities are asked first.

    Raises:
        UsageError: the command line names a rule or a schema that does not exist.
        ConfigError: the config does.
    """
    action = config.action if config else Action()
    found = Choices(
        select=settings.select or action.select,
        ignore=settings.ignore or action.ignore,
        severity=(dict(settings.severity), action.severity),
        per_file=tuple((Matcher([glob]), names) for glob, names in action.per_file_ignores.items()),
    )
    if not found:
        return None
    for option, name in _of_settings(settings):
        if wrong := _wrong(name, store, settings.cwd):
            raise UsageError(f"{option} {wrong}")
    for key, name in _of_config(action):
        if config and (wrong := _wrong(name, store, config.directory)):
            raise ConfigError(f"`action.{key}` {wrong}", where=config.label)
    return found


def _of_settings(settings: Settings) -> Iterator[tuple[str, str]]:
    yield from (("--select", name) for name in settings.select)
    yield from (("--ignore", name) for name in settings.ignore)
    yield from (("--severity", name) for name, _ in settings.severity)


def _of_config(action: Action) -> Iterator[tuple[str, str]]:
    yield from (("select", name) for name in action.select or ())
    yield from (("ignore", name) for name in action.ignore)
    yield from (("severity", name) for name in action.severity)
    for names in action.per_file_ignores.values():
        yield from (("per-file-ignores", name) for name in names)


def _wrong(name: str, store: SchemaStore, base: Path) -> str | None:
    """What is wrong with a selector; None when it is a glob, or names what there is."""
    schema, _, keyword = name.rpartition("/")
    own = {*texts(READING), *texts(HOSTS), *texts(STORAGE)}
    schemas = {TOOL_SCHEMA, *(rule.rpartition("/")[0] for rule in texts(STORAGE))}
    if is_glob(name) or name in own or name in schemas or _is_schema(name, store, base):
        return None
    near: str | None
    keywords = {*texts(KEYWORDS), *(texts(EVALS) if schema in VOCABULARIES else ())}
    ids = sorted({*(entry.id for entry in entries()), *store.registered})
    if schema and schema != TOOL_SCHEMA and _is_schema(schema, store, base):
        if keyword in keywords:
            return None
        near, keyword = schema, nearest(keyword, sorted(keywords)) or ""
    else:
        near = nearest(schema, ids) if keyword in keywords else None
    hint = f"{near}/{keyword}" if near and keyword else nearest(name, sorted(own | schemas) + ids)
    advice = f"; did you mean '{hint}'?" if hint else "; docs/rules.md lists the rules"
    shown = visible(shorten(name, 200))
    return f"names '{shown}', and there is no such rule or schema{advice}"


def _is_schema(name: str, store: SchemaStore, base: Path) -> bool:
    """Whether a name is that of a schema: one that is built in or registered, a file, a URL."""
    if is_url(name):
        return True
    try:
        store.check(name, base)
        return ":" in name or (base / name).is_file()
    except (SchemaError, OSError, ValueError):
        return False
