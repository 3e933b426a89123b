"""Settings to report: the glue between the modules."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from manni import __version__
from manni.base.errors import SchemaError
from manni.base.repository import find_root
from manni.base.text import count, visible
from manni.config.find import Search, search_config
from manni.discovery.targets import Target, Targets, resolve_targets
from manni.engine.check import Checker
from manni.engine.left_out import with_schemas
from manni.engine.pool import Progress, map_all
from manni.engine.settings import DEFAULT_BASELINE, BaselineMode, Settings, Shard, fails_on
from manni.engine.settle import Policy
from manni.engine.values import CheckResult, Late, RunContext
from manni.model.findings import FileResult, Report, summarize
from manni.rules.checks.inventory import duplicate_names, is_of_interest, unknown_skills
from manni.schemas.selection import Selector

if TYPE_CHECKING:
    from manni.engine.mend import Outcome
    from manni.manifests.join import Fetch, ManifestStore
    from manni.model.config import Config
    from manni.rules.choices import Choices


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run is about, before an artifact is read.

    Attributes:
        settings: what it was asked to do.
        config: the one that governs it, or None.
        root: the repository's root, or what stands for it; None when there is none.
        targets: its artifacts.
        notices: sentences of the search for the config.
    """

    settings: Settings
    config: Config | None
    root: Path | None
    targets: Targets
    notices: tuple[str, ...] = ()

    @property
    def covered(self) -> tuple[str, ...]:
        """The collections that the run covers whole."""
        declared = [item.name for item in self.config.collections] if self.config else []
        settings = self.settings
        if settings.paths or settings.stdin is not None or settings.exclude:
            return ()
        return tuple(n for n in declared if not settings.collections or n in settings.collections)

    @property
    def is_complete(self) -> bool:
        """Whether the run covers every artifact that a baseline may record findings of."""
        settings = self.settings
        partial = settings.paths or settings.collections or settings.exclude or settings.shard
        return not partial and settings.stdin is None

    @property
    def baseline_file(self) -> Path | None:
        """The baseline of the run: the one named, else the config's, else one that is there."""
        choice, config = self.settings.baseline, self.config
        if choice.mode is BaselineMode.IGNORE:
            return None
        if choice.path is not None:
            return self.settings.cwd / choice.path
        home = config.directory if config else self.settings.cwd
        if config is not None and config.baseline is not None:
            return home / config.baseline
        default = home / DEFAULT_BASELINE
        wanted = choice.named or choice.mode is BaselineMode.WRITE
        return default if wanted or self._finds(default) else None

    def _finds(self, default: Path) -> bool:
        """Whether a baseline that nobody names counts; not where the config was ruled out too."""
        return not self.settings.no_config and os.path.lexists(default)

    @property
    def found_baseline(self) -> bool:
        """Whether the baseline counts only for being where it is."""
        configured = self.config is not None and self.config.baseline is not None
        return not self.settings.baseline.named and not configured

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said before an artifact is checked."""
        own = self.config.notices if self.config else ()
        return (*self.notices, *own, *self.targets.notes)

    def named(self, path: Path) -> str:
        """A path as notes name it, relative to the working directory."""
        return visible(os.path.relpath(path, self.settings.cwd))

    @property
    def is_first_slice(self) -> bool:
        """Whether this run reports what only shows when all artifacts are seen."""
        return self.settings.shard is None or self.settings.shard.index == 1


def run(settings: Settings, *, progress: Progress | None = None) -> Report:
    """Check what the settings ask for.

    Raises:
        OperationalError: there can be no verdict.
    """
    plan = _plan(settings)
    selector = _selector(plan)
    manifests = _manifests(plan)
    checker = Checker(selector, manifests, _context(plan, selector))
    mine = [target for target in plan.targets.items if _is_in(target, settings.shard)]
    outcome = None
    if settings.mends:
        from manni.engine.mend import carry_out, mender

        mend = mender(checker, unsafe=settings.unsafe_fixes)
        pairs = map_all(mend, mine, jobs=settings.jobs, progress=progress)
        outcome = carry_out(settings, plan.root, mine, pairs)
        checked = outcome.checked
    else:
        checked = map_all(checker.check, mine, jobs=settings.jobs, progress=progress)
    mine, checked, left = with_schemas(mine, checked, allow_empty=settings.allow_empty)
    results = _completed(plan, checker, manifests, mine, checked)
    return _report(plan, checked, results, [*left, *(outcome.notes if outcome else ())], outcome)


def failed(settings: Settings, message: str) -> Report:
    """The report of a run without a verdict."""
    return Report(
        version=__version__,
        failure=message,
        repository=settings.repository,
        category=settings.category,
        detail=settings.detail,
        report_files=settings.report_files,
    )


def _plan(settings: Settings) -> Plan:
    found = Search()
    if settings.config is not None:
        found = Search(settings.cwd / settings.config)
    elif not settings.no_config:
        found = search_config(settings.cwd)
    config = None
    if found.path is not None:
        from manni.config.load import load_config

        config = load_config(found.path, cwd=settings.cwd)
    root = find_root(config.directory if config else settings.cwd) or settings.root
    targets = resolve_targets(settings, config, root)
    return Plan(settings, config, root, targets, found.notices)


def _selector(plan: Plan) -> Selector:
    settings = plan.settings
    return Selector(
        references=settings.schemas,
        config=plan.config,
        cwd=settings.cwd,
        root=plan.root,
        offline=settings.offline,
        allow_hosts=settings.allow_hosts,
    )


def _context(plan: Plan, selector: Selector) -> RunContext:
    settings, config = plan.settings, plan.config
    docevals = config.docevals if config else None
    return RunContext(
        no_config=settings.no_config,
        zero_config=config is None and not settings.schemas,
        collections=tuple(item.name for item in config.collections) if config else (),
        graders=settings.graders + (config.action.graders if config else ()),
        evals=docevals.evals if docevals else None,
        suites=docevals.suites if docevals else None,
        quotes=settings.quotes,
        stdin=settings.stdin,
        policy=Policy(
            choices=_choices(plan, selector),
            inline=settings.inline_ignores,
            tells_unused=not settings.schemas,
        ),
    )


def _choices(plan: Plan, selector: Selector) -> Choices | None:
    """What the run and its config say of rules."""
    settings = plan.settings
    said: list[object] = [settings.select, settings.ignore, settings.severity]
    if plan.config is not None:
        action = plan.config.action
        said += [action.select is not None, action.ignore, action.severity]
        said += [action.per_file_ignores]
    if not any(said):
        return None
    from manni.engine.selectors import choices

    return choices(settings, plan.config, selector.store)


def _manifests(plan: Plan) -> ManifestStore | None:
    settings, config = plan.settings, plan.config
    if config is None or not any(item.manifests for item in config.collections):
        return None
    from manni.manifests.join import ManifestStore

    fetch = _fetch(settings, config)
    manifests = ManifestStore(
        config,
        cwd=settings.cwd,
        fetch=fetch,
        environ=os.environ,
        token_envs=settings.token_envs,
    )
    manifests.preload(plan.covered)
    return manifests


def _fetch(settings: Settings, config: Config) -> Fetch:
    """How manifests are fetched: not at all when the run is offline."""

    def fetch_manifest(url: str, token: str | None) -> bytes:
        if settings.offline or config.offline:
            raise SchemaError("the run is offline, so that it cannot be fetched")
        from manni.schemas.addresses import Trust
        from manni.schemas.http import fetch

        return fetch(url, trust=Trust(allowed=frozenset(settings.allow_hosts)), token=token)

    return fetch_manifest


def _is_in(target: Target, shard: Shard | None) -> bool:
    """Whether the artifact is in the slice; the same on every machine and in every run."""
    if shard is None:
        return True
    return crc32(target.key.encode("utf-8", "surrogateescape")) % shard.count == shard.index - 1


def _completed(
    plan: Plan,
    checker: Checker,
    manifests: ManifestStore | None,
    mine: Sequence[Target],
    checked: Sequence[CheckResult],
) -> list[FileResult]:
    """The results with what only shows when all artifacts are seen.

    Every slice resolves all targets, and the first one alone looks at those of the others too.

    Raises:
        ConfigError: a manifest describes a document that the run did not load.
    """
    listed = [checker.result(*pair) for pair in zip(mine, checked, strict=True)]
    if not plan.is_first_slice:
        return listed
    results = {result.key: result for result in listed}
    targets = {target.key: target for target in plan.targets.items}
    others = [target for key, target in targets.items() if key not in results]
    late = list(_of_names(plan, checker, others, zip(mine, checked, strict=True)))
    if manifests is not None:
        late.insert(0, _of_manifests(plan, checker, manifests, others, checked))
    for told in late:
        for key, found in told.items():
            results[key] = checker.with_late(targets[key], results.get(key), found)
    return [results[key] for key in targets if key in results] if any(late) else listed


def _of_manifests(
    plan: Plan,
    checker: Checker,
    manifests: ManifestStore,
    others: Sequence[Target],
    checked: Sequence[CheckResult],
) -> Mapping[str, Sequence[Late]]:
    """What to report of join values that several artifacts have, by the artifacts' keys."""
    from manni.manifests.entries import duplicates

    entries = [entry for each in checked for entry in each.entries]
    for target in others:
        entries += checker.entries(target)
    manifests.require_documents(entries, plan.covered)
    return duplicates(entries)


def _of_names(
    plan: Plan,
    checker: Checker,
    others: Sequence[Target],
    checked: Iterable[tuple[Target, CheckResult]],
) -> Iterator[Mapping[str, Sequence[Late]]]:
    """What to report of names in artifacts of a kind, by the artifacts' keys."""
    found = [(target, each.names) for target, each in checked if each.names is not None]
    found += [
        (target, names)
        for target in others
        if is_of_interest(target.kind) and (names := checker.names(target)) is not None
    ]
    found.sort(key=lambda each: each[0].label)
    yield duplicate_names(found)
    if plan.targets.has_all:
        yield unknown_skills(found, plan.targets.items)


def _report(
    plan: Plan,
    checked: Sequence[CheckResult],
    results: Sequence[FileResult],
    told: Sequence[str],
    outcome: Outcome | None,
) -> Report:
    settings = plan.settings
    notes = [*plan.notes, *told]
    settled, prunable = _against_baseline(plan, results, notes)
    notes += dict.fromkeys(notice for each in checked for notice in each.notices)
    schemas = {info.reference: info for each in checked for info in each.infos}
    summary = summarize(settled, ignored=plan.targets.ignored, prunable=prunable)
    return Report(
        results=settled,
        summary=replace(summary, fixed=outcome.fixed) if outcome and not settings.diff else summary,
        version=__version__,
        config=plan.config.using if plan.config else None,
        notes=tuple(notes),
        schemas=tuple(schemas.values()),
        repository=settings.repository,
        category=settings.category,
        detail=settings.detail,
        report_files=settings.report_files,
        keeps_suppressed=settings.sarif_suppressed,
        diff=outcome.diff if outcome else None,
        fail_on=fails_on(settings, plan.config),
    )


def _against_baseline(
    plan: Plan, results: Sequence[FileResult], notes: list[str]
) -> tuple[tuple[FileResult, ...], int]:
    """The results without their recorded findings, and how many of those no longer occur.

    A new baseline is written first.
    """
    choice = plan.settings.baseline
    path = plan.baseline_file
    if path is None:
        return (tuple(results), 0)
    from manni.reports import baseline

    if choice.mode is BaselineMode.WRITE:
        previous = baseline.read(path, required=False)
        recorded = baseline.record(results, previous, complete=plan.is_complete)
        baseline.write(path, recorded, version=__version__)
        notes.append(f"{count(len(recorded), 'finding')} recorded in {plan.named(path)}")
    else:
        recorded = baseline.read(path, required=choice.named)
        if plan.found_baseline:
            notes.append(
                f"what {plan.named(path)} records does not count; --no-baseline ignores the file"
            )
    applied = baseline.apply(results, recorded, complete=plan.is_complete)
    if applied.stale:
        notes.append(
            f"{count(len(applied.stale), 'recorded finding')} no longer found; "
            f"--write-baseline takes what is mended out of {plan.named(path)}"
        )
    return (applied.results, len(applied.stale))
