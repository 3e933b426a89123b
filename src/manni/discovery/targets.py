"""The artifacts of a run: those of whole collections, or those that paths name.

A directory that a path names is walked for what some choice of schemas covers: files of a kind,
members of collections, files that an override matches, and every document when schemas are given
for all.
A glob finds whatever it matches, and a file is checked for being named.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from manni.base.errors import TargetError, UsageError
from manni.base.repository import find_root
from manni.base.spelling import nearest
from manni.base.text import visible
from manni.discovery.collections import Members, patterns_at, relative
from manni.discovery.globs import Matcher
from manni.discovery.hits import Hit, is_inside, judge_link, trouble_finding
from manni.discovery.kinds import BY_ID, SKILL_KINDS
from manni.discovery.nothing import nothing_found
from manni.discovery.reach import Scope, Steps, any_of
from manni.discovery.recognition import Recognizer
from manni.discovery.target import Request, Target, Targets
from manni.discovery.tracked import Tracked
from manni.discovery.typed_paths import (
    compiled,
    is_pattern,
    matches,
    near,
    relative_path,
    split_pattern,
)
from manni.discovery.walk import Rules, walk

if TYPE_CHECKING:
    from manni.model.config import Collection, Config
    from manni.model.findings import Finding

__all__ = ["Request", "Target", "Targets", "resolve_targets"]

STDIN_LABEL = "<stdin>"
BUILT_IN_NOTE = (
    "There is no manni.config.yaml, so the run covers what coding agents read: skills, agents, "
    "commands, rules, instructions, prompts and steering files (`manni meta schemas` lists them)."
)
DOCUMENTS = "**/*.{md,markdown,mdx,mdc}"
"""The files that are documents by their names."""


def resolve_targets(
    request: Request, config: Config | None = None, root: Path | None = None
) -> Targets:
    """Find the artifacts of a run.

    Args:
        request: what to check.
        config: the config that governs the run, or None.
        root: the top of the repository around the config, else around the working directory;
            None when there is none.

    Raises:
        UsageError: a path or a pattern is malformed, or collections are named wrongly.
        TargetError: a path does not exist, an ignore file cannot be read, or there is nothing to
            check and that is not allowed.
    """
    finder = _Finder(request, config, root)
    if request.collections and (request.paths or request.stdin is not None):
        raise UsageError("--collection covers whole collections; leave out the paths")
    if request.paths:
        for path in request.paths:
            finder.add_path(path)
    elif request.stdin is None and config is not None and not _covers_kinds(config):
        finder.add_collections(_chosen(request.collections, config))
    elif request.stdin is None:
        if request.collections and config is None:
            raise UsageError("--collection needs a config, and there is no manni.config.yaml")
        if config is not None:
            _chosen(request.collections, config)
        finder.add_kinds()
    notes = (
        () if config is not None or request.paths or request.stdin is not None else (BUILT_IN_NOTE,)
    )
    return finder.targets(notes)


def _covers_kinds(config: Config) -> bool:
    """Whether a run covers kinds instead of collections."""
    return not config.collections and config.action.kinds is not None


def _chosen(names: tuple[str, ...], config: Config) -> tuple[Collection, ...]:
    """The collections that are named, or all."""
    known = {collection.name: collection for collection in config.collections}
    for name in names:
        if name not in known:
            guess = nearest(name, known)
            hint = f", did you mean `{visible(guess)}`?" if guess else ""
            listed = ", ".join(f"`{visible(item)}`" for item in known) or "none"
            raise UsageError(
                f"--collection names no collection of {config.label}: `{visible(name)}`{hint} "
                f"(it declares {listed})"
            )
    return tuple(known[name] for name in dict.fromkeys(names)) if names else config.collections


class _Finder:
    """Collects what a run checks."""

    def __init__(self, request: Request, config: Config | None, root: Path | None) -> None:
        self._request = request
        self._config = config
        self._cwd = str(request.cwd)
        self._home = str(config.directory) if config else self._cwd
        self._root = str(root or self._home)
        self._real_root = os.path.realpath(self._root)
        self._members = Members(self._home, config.collections if config else ())
        self._recognizer = Recognizer(self._root)
        kinds = config.action.kinds if config else None
        self._kinds = frozenset(BY_ID if kinds is None else kinds)
        named = config.action.collections if config else ()
        self._kind_of_collection = {each.collection: each.kind for each in named}
        self._has_all = False
        self._excluded = compiled(request.exclude, "--exclude")
        self._excluded_below = self._excluded.below()
        self._respects = request.respect_gitignore
        if self._respects is None:
            self._respects = config is None or config.respect_gitignore
        self._tracked = lru_cache(maxsize=None)(Tracked)
        self._hits: dict[str, Hit] = {}
        self._named: set[str] = set()
        self._tried: list[str] = []

    def add_path(self, text: str) -> None:
        """Add what one path of the command line stands for."""
        if not text.strip():
            raise UsageError("a path is empty")
        self._tried.append(text)
        path = os.path.normpath(os.path.join(self._cwd, text))  # noqa: PTH118
        is_directory = os.path.isdir(path)  # noqa: PTH112
        if os.path.lexists(path) and (is_directory or not text.endswith("/")):
            self._add_existing(path, is_directory=is_directory)
        elif is_pattern(text):
            self._add_glob(text)
        else:
            raise TargetError(f"there is no file or directory `{visible(text)}`{near(path)}")

    def _add_existing(self, path: str, *, is_directory: bool) -> None:
        hit = Hit(path)
        if os.path.realpath(path) != path:
            hit = judge_link(path, self._boundary(path))
        if not is_directory and self._request.force_exclude:
            # It counts where a walk from the top would come upon it.
            top = self._root if is_inside(path, self._root) else os.path.dirname(path)  # noqa: PTH120
            self._add_directory(top, only=tuple((relative(path, top) or "").split("/")))
        elif hit.trouble or not is_directory:
            self._hits[path] = hit
            self._named.add(path)
        else:
            self._add_directory(path)

    def _add_directory(self, path: str, only: Steps = ()) -> None:
        """Add what is below a directory and has schemas to be checked against.

        Args:
            path: of the directory, absolute.
            only: the way to the one file below it that is asked for.
        """
        tests: list[Callable[[str], object]] = [self._members.of]
        patterns = [*self._members.reach(path), *self._recognizer.reach()]
        config = self._config
        files = [file for item in config.overrides for file in item.files] if config else []
        if files:
            self._extend(tests, patterns, Matcher(files), self._home, path)
        if self._request.schemas or self._request.no_config or (config and config.schemas):
            self._extend(tests, patterns, Matcher([DOCUMENTS]), path, path)
        wants = any_of([*tests, self._is_of_kinds])
        if not only:
            self._walk(path, patterns, wants, by_kind=True)
            return
        kept = lambda file: wants(file) and not self._members.exclude(file)  # noqa: E731
        self._walk(path, [only], kept, asked=False)

    def _extend(
        self,
        tests: list[Callable[[str], object]],
        patterns: list[Steps],
        matcher: Matcher,
        base: str,
        start: str,
    ) -> None:
        tests.append(partial(matches, matcher, base))
        patterns += patterns_at(start, base, [matcher])

    def _add_glob(self, text: str) -> None:
        literal, rest = split_pattern(text)
        base = os.path.normpath(os.path.join(self._cwd, literal))  # noqa: PTH118
        if not os.path.isdir(base):  # noqa: PTH112
            return
        hit = judge_link(base, self._boundary(base)) if os.path.realpath(base) != base else None
        if hit and hit.trouble:
            self._hits[base] = hit
            return
        matcher = Matcher([rest])
        self._walk(base, matcher.alternatives(), partial(matches, matcher, base), asked=False)

    def add_collections(self, collections: tuple[Collection, ...]) -> None:
        """Add the members of collections of the config."""
        members = Members(self._home, collections)
        self._tried += [pattern for item in collections for pattern in item.paths]
        self._walk(self._home, members.reach(self._home), members.of, members.excludes_all_below)

    def add_kinds(self) -> None:
        """Add the files of every kind that the run covers below the working directory."""
        self._walk(self._cwd, self._recognizer.reach(), self._is_of_kinds, by_kind=True)
        self._has_all = self._cwd == self._root and not self._request.exclude

    def _is_of_kinds(self, path: str) -> bool:
        found = self._recognizer.of(path)
        return found is not None and found.kind.id in self._kinds

    def _walk(
        self,
        start: str,
        patterns: Iterable[Steps],
        wants: Callable[[str], object],
        skips: Callable[[str], bool] | None = None,
        *,
        asked: bool = True,
        by_kind: bool = False,
    ) -> None:
        rules = Rules(
            scope=Scope.of(patterns),
            selects=lambda path: bool(wants(path)) and not self._excludes(self._excluded, path),
            skips=lambda path: (
                self._excludes(self._excluded_below, path) or (skips is not None and skips(path))
            ),
            root=self._boundary(start),
            tracked=self._tracked,
            gitignore=self._ignore_top(start) if self._respects else None,
            asked=asked,
            means=self._recognizer.meaning if by_kind else _means_nothing,
            tells=self._recognizer.is_folder if by_kind else _tells_nothing,
        )
        for hit in walk(start, rules):
            known = self._hits.get(hit.path)
            if known is None or known.ignored:
                self._hits[hit.path] = hit

    def _excludes(self, matcher: Matcher, path: str) -> bool:
        return bool(matcher.patterns) and matches(matcher, self._cwd, path)

    def _boundary(self, path: str) -> str:
        """The directory that links may not leave, for something at an absolute path."""
        if is_inside(path, self._root):
            return self._real_root
        return os.path.realpath(path if os.path.isdir(path) else os.path.dirname(path))  # noqa: PTH112, PTH120

    def _ignore_top(self, start: str) -> str:
        if is_inside(start, self._root):
            return self._root
        return str(find_root(Path(start)) or start)

    def targets(self, notes: tuple[str, ...]) -> Targets:
        """Everything that was added, in order.

        Raises:
            TargetError: there is nothing, and that is not allowed.
        """
        ignored = sum(hit.ignored for hit in self._hits.values())
        kept = [hit for _, hit in sorted(self._hits.items()) if not hit.ignored]
        items = tuple(self._once(map(self._target, kept), kept))
        if self._request.stdin is not None:
            items = (self._stdin(), *items)
        request, config = self._request, self._config
        allowed = request.allow_empty or (config is not None and config.allow_empty)
        # Where named files may be left out, all of them may be.
        if not items and not allowed and not (request.force_exclude and request.paths):
            raise TargetError(nothing_found(request, config, self._tried, ignored))
        return Targets(items, ignored, notes, self._has_all)

    def _once(self, targets: Iterable[Target], hits: Iterable[Hit]) -> Iterable[Target]:
        """Leave out what a link reaches again, unless it was named or means something else."""
        found = tuple(zip(targets, hits, strict=True))
        seen = {(hit.path, *_meaning(target)) for target, hit in found if hit.real is None}
        for target, hit in found:
            if hit.real is not None and hit.trouble is None and hit.path not in self._named:
                key = (hit.real, *_meaning(target))
                if key in seen:
                    continue
                seen.add(key)
            yield target

    def _target(self, hit: Hit) -> Target:
        path = hit.path
        own = self._members.of(path)
        label = relative_path(path, self._cwd)
        key = label if self._home == self._cwd else relative_path(path, self._home)
        root_path = relative(path, self._root)
        # Schemas that are given for the whole run leave nothing for a kind to say.
        recognized = None if self._request.schemas else self._recognizer.of(path)
        kind = recognized.kind.id if recognized else None
        said = next(filter(None, map(self._kind_of_collection.get, own)), kind)
        fits = recognized if said == kind else None
        return Target(
            path=path,
            # One text for equal names: a run may hold very many of them.
            label=label,
            root_path=label if root_path == label else root_path,
            key=key,
            collections=own,
            finding=self._trouble(hit, is_file=recognized is not None),
            kind=said,
            in_plugin=fits is not None and fits.in_plugin,
            tree=fits.tree if fits else "",
            optional=self._is_optional(path, kind),
        )

    def _is_optional(self, path: str, kind: str | None) -> bool:
        """Whether only what is in a file can make it an artifact."""
        request = self._request
        known = kind is not None or bool(request.schemas) or path in self._named
        return request.no_config and not known

    def _trouble(self, hit: Hit, *, is_file: bool) -> Finding | None:
        if hit.trouble is None:
            return None
        of_kind = is_file or self._recognizer.is_folder(hit.path)
        return trouble_finding(hit, hit.trouble, of_kind=of_kind)

    def _stdin(self) -> Target:
        return Target(path=None, label=STDIN_LABEL, root_path=None, key=STDIN_LABEL)


def _tells_nothing(_path: str) -> bool:
    return False


def _means_nothing(_path: str) -> None:
    return None


def _meaning(target: Target) -> tuple[object, ...]:
    """What one file may be checked as, so that it is checked once for each."""
    return (target.collections, "skill" if target.kind in SKILL_KINDS else target.kind)
