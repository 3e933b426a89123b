"""The artifacts of a run: those of whole collections, or those that paths name.

A directory that a path names is walked for what some choice of schemas covers: members of
collections, files that an override matches, and every document when schemas are given for all.
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
from manni.base.text import count, visible
from manni.discovery.collections import BuiltInMembers, Members, patterns_at, relative
from manni.discovery.globs import GlobError, Matcher, check, is_glob, literal_prefix
from manni.discovery.hits import Hit, is_inside, judge_link, trouble_finding
from manni.discovery.reach import Scope, Steps, any_of
from manni.discovery.target import Request, Target, Targets
from manni.discovery.tracked import Tracked
from manni.discovery.walk import Rules, walk

if TYPE_CHECKING:
    from manni.model.config import Collection, Config

__all__ = ["Request", "Target", "Targets", "resolve_targets"]

STDIN_LABEL = "<stdin>"
BUILT_IN_NOTE = (
    "There is no manni.config.yaml, so the run covers the built-in collections: SKILL.md files, "
    "and the agents of .claude/agents and of plugins."
)
DOCUMENTS = "**/*.{md,markdown,mdx,mdc}"
"""The files that are documents by their names."""

_SHOWN = 20


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
    notes: tuple[str, ...] = ()
    if request.collections and (request.paths or request.stdin is not None):
        raise UsageError("--collection covers whole collections; leave out the paths")
    if request.paths:
        for path in request.paths:
            finder.add_path(path)
    elif request.stdin is None and config is not None:
        finder.add_collections(_chosen(request.collections, config))
    elif request.stdin is None:
        if request.collections:
            raise UsageError("--collection needs a config, and there is no manni.config.yaml")
        finder.add_built_in()
        notes = (BUILT_IN_NOTE,)
    return finder.targets(notes)


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
        self._built_in = BuiltInMembers(self._root)
        self._excluded = _compile(request.exclude, "--exclude")
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
        elif _is_glob(text):
            self._add_glob(text)
        else:
            raise TargetError(f"there is no file or directory `{visible(text)}`{_near(path)}")

    def _add_existing(self, path: str, *, is_directory: bool) -> None:
        hit = Hit(path)
        if os.path.realpath(path) != path:
            hit = judge_link(path, self._boundary(path))
        if hit.trouble or not is_directory:
            self._hits[path] = hit
            self._named.add(path)
        else:
            self._add_directory(path)

    def _add_directory(self, path: str) -> None:
        """Add what is below a directory and has schemas to be checked against."""
        tests: list[Callable[[str], object]] = [self._built_in.of, self._members.of]
        patterns = [*self._members.reach(path), *self._built_in.reach(path)]
        config = self._config
        files = [file for item in config.overrides for file in item.files] if config else []
        if files:
            self._extend(tests, patterns, Matcher(files), self._home, path)
        if self._request.schemas or (config and config.schemas):
            self._extend(tests, patterns, Matcher([DOCUMENTS]), path, path)
        self._walk(path, patterns, any_of(tests))

    def _extend(
        self,
        tests: list[Callable[[str], object]],
        patterns: list[Steps],
        matcher: Matcher,
        base: str,
        start: str,
    ) -> None:
        tests.append(partial(_matches, matcher, base))
        patterns += patterns_at(start, base, [matcher])

    def _add_glob(self, text: str) -> None:
        literal, rest = _split_glob(text)
        base = os.path.normpath(os.path.join(self._cwd, literal))  # noqa: PTH118
        if not os.path.isdir(base):  # noqa: PTH112
            return
        hit = judge_link(base, self._boundary(base)) if os.path.realpath(base) != base else None
        if hit and hit.trouble:
            self._hits[base] = hit
            return
        matcher = Matcher([rest])
        self._walk(base, matcher.alternatives(), partial(_matches, matcher, base), asked=False)

    def add_collections(self, collections: tuple[Collection, ...]) -> None:
        """Add the members of collections of the config."""
        members = Members(self._home, collections)
        self._tried += [pattern for item in collections for pattern in item.paths]
        self._walk(self._home, members.reach(self._home), members.of, members.excludes_all_below)

    def add_built_in(self) -> None:
        """Add the members of the built-in collections below the working directory."""
        self._tried += ["**/SKILL.md", "**/.claude/agents/**/*.md", "the agents of plugins"]
        self._walk(self._cwd, self._built_in.reach(self._cwd), self._built_in.of)

    def _walk(
        self,
        start: str,
        patterns: Iterable[Steps],
        wants: Callable[[str], object],
        skips: Callable[[str], bool] | None = None,
        *,
        asked: bool = True,
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
        )
        for hit in walk(start, rules):
            known = self._hits.get(hit.path)
            if known is None or known.ignored:
                self._hits[hit.path] = hit

    def _excludes(self, matcher: Matcher, path: str) -> bool:
        return bool(matcher.patterns) and _matches(matcher, self._cwd, path)

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
        allowed = self._request.allow_empty or (self._config and self._config.allow_empty)
        if not items and not allowed:
            raise TargetError(self._nothing(ignored))
        return Targets(items, ignored, notes)

    def _once(self, targets: Iterable[Target], hits: Iterable[Hit]) -> Iterable[Target]:
        """Leave out what a link reaches again, unless it was named or is of other collections."""
        found = tuple(zip(targets, hits, strict=True))
        seen = {(hit.path, target.collections) for target, hit in found if hit.real is None}
        for target, hit in found:
            if hit.real is not None and hit.trouble is None and hit.path not in self._named:
                key = (hit.real, target.collections)
                if key in seen:
                    continue
                seen.add(key)
            yield target

    def _target(self, hit: Hit) -> Target:
        path = hit.path
        own, built_in = self._members.of(path), self._built_in.of(path)
        label = _relative_path(path, self._cwd)
        key = label if self._home == self._cwd else _relative_path(path, self._home)
        root_path = relative(path, self._root)
        return Target(
            path=path,
            # One text for equal names: a run may hold very many of them.
            label=label,
            root_path=label if root_path == label else root_path,
            key=key,
            collections=tuple(dict.fromkeys(own + built_in)) if own else built_in,
            finding=trouble_finding(hit, hit.trouble) if hit.trouble else None,
        )

    def _stdin(self) -> Target:
        return Target(path=None, label=STDIN_LABEL, root_path=None, key=STDIN_LABEL)

    def _nothing(self, ignored: int) -> str:
        """Why there is nothing to check."""
        config = self._config
        if config is not None and not config.collections and not self._tried:
            return (
                f"{config.label} declares no collections, so there is nothing to check; "
                "declare one, or name files"
            )
        if any(os.path.isdir(os.path.join(self._cwd, path)) for path in self._request.paths):  # noqa: PTH112, PTH118
            advice = "give schemas for everything with -s, or name the files by a glob"
        else:
            advice = "mend the patterns, or allow this with --allow-empty"
        tried = ", ".join(f"`{visible(pattern)}`" for pattern in self._tried[:_SHOWN])
        more = len(self._tried) - _SHOWN
        filters = list(self._filters(ignored))
        filtered = f" (left out: {'; '.join(filters)})" if filters else ""
        return (
            f"no file to check matches {tried}{f' and {more} more' if more > 0 else ''}"
            f"{filtered}; {advice}"
        )

    def _filters(self, ignored: int) -> Iterable[str]:
        if ignored:
            yield f"{count(ignored, 'file')} by .gitignore"
        if self._request.exclude:
            yield f"--exclude {' '.join(map(visible, self._request.exclude))}"
        collections = self._config.collections if self._config else ()
        excluded = [pattern for item in collections for pattern in item.exclude]
        if excluded and not self._request.paths:
            yield f"exclude {', '.join(map(visible, excluded[:_SHOWN]))}"


def _matches(matcher: Matcher, base: str, path: str) -> bool:
    key = relative(path, base)
    return key is not None and matcher.match(key)


def _relative_path(path: str, base: str) -> str:
    inside = relative(path, base)
    return inside or os.path.relpath(path, base)


def _compile(patterns: Iterable[str], option: str) -> Matcher:
    kept = tuple(patterns)
    for pattern in kept:
        try:
            check(pattern)
        except GlobError as error:
            raise UsageError(f"{option} `{visible(pattern)}` {error}") from error
    return Matcher(kept)


def _is_glob(text: str) -> bool:
    _, rest = literal_prefix(text)
    try:
        return rest != ".." and is_glob(rest)
    except GlobError as error:
        raise UsageError(f"the path `{visible(text)}` {error}") from error


def _split_glob(text: str) -> tuple[str, str]:
    """The directory that a glob of the command line starts in, and the glob below it."""
    if text.startswith("!") and not text.startswith("!("):
        raise UsageError(f"the path `{visible(text)}` starts with `!`; use --exclude instead")
    literal, rest = literal_prefix(text)
    try:
        check(rest)
    except GlobError as error:
        raise UsageError(f"the path `{visible(text)}` {error}") from error
    return (literal or ("/" if text.startswith("/") else "."), rest)


def _near(path: str) -> str:
    """A hint at the entry of the same directory that was probably meant."""
    directory, name = os.path.split(path)
    try:
        names = sorted(os.listdir(directory))  # noqa: PTH208 - names are wanted, not paths
    except OSError:
        return f"; there is no directory `{visible(os.path.basename(directory))}`"  # noqa: PTH119
    guess = nearest(name, names)
    return f"; did you mean `{visible(guess)}`?" if guess else ""
