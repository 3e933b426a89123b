"""What each stage of a run takes for one artifact, in microseconds, measured in one process."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from manni.base.json_types import Json
from manni.discovery.targets import resolve_targets
from manni.documents.front_matter import Document, DocumentFault, parse_document, read_file
from manni.documents.load import load
from manni.engine.check import Checker
from manni.engine.settings import Settings
from manni.engine.values import RunContext
from manni.model.findings import Report, summarize
from manni.reports import REPORTERS
from manni.schemas.selection import Selector
from manni.schemas.store import SchemaStore
from manni.validation import compile_schema

ROUNDS = 5

_T = TypeVar("_T")
_R = TypeVar("_R")


def table(places: dict[str, Path], schemas: dict[str, tuple[str, ...]]) -> list[str]:
    """The lines of a table: a row for each stage, a column for each corpus.

    Args:
        places: the directory of each corpus, by its name.
        schemas: the references that each is checked against.
    """
    columns = {name: _column(place, schemas[name]) for name, place in places.items()}
    stages = list(next(iter(columns.values())))
    lines = [f"{'microseconds a file':28}" + "".join(f"{name:>12}" for name in columns)]
    lines += [
        f"{stage:28}" + "".join(f"{column[stage]:12.1f}" for column in columns.values())
        for stage in stages
    ]
    return lines


def _column(place: Path, schemas: tuple[str, ...]) -> dict[str, float]:
    gc.set_threshold(200_000)
    settings = Settings(cwd=place, paths=("skills",), schemas=schemas, no_config=True)
    targets = resolve_targets(settings).items
    paths = [target.path for target in targets if target.path is not None]
    contents = [read_file(path) for path in paths]
    documents = [parse_document(content) for content in contents]
    values = [value for document in documents if (value := _value(document)) is not None]
    store = SchemaStore(place)
    validators = [compile_schema(store.load(reference, place)) for reference in schemas]
    checker = Checker(Selector(references=schemas, cwd=place), None, RunContext(no_config=True))
    checker.check(targets[0])

    figures = {
        "find": _whole(lambda: resolve_targets(settings), len(targets)),
        "read": _each(read_file, paths),
        "cut at the fences": _each(parse_document, contents),
        "values": _each(_value, documents),
        "valid or not": _each(lambda value: [each.is_valid(value) for each in validators], values),
    }
    start = time.perf_counter()
    checked = [checker.check(target) for target in targets]
    figures["read to result"] = (time.perf_counter() - start) / len(targets) * 1e6
    results = tuple(map(checker.result, targets, checked))
    report = Report(results=results, summary=summarize(results), version="0")
    for name in ("pretty", "json", "sarif"):
        render = REPORTERS[name].load()
        figures[f"report as {name}"] = _whole(partial(render, report), len(targets))
    return figures


def _value(document: Document) -> dict[str, Json] | None:
    try:
        return load(document).value
    except DocumentFault:
        return None


def _each(function: Callable[[_T], _R], items: Sequence[_T]) -> float:
    return _whole(lambda: [function(item) for item in items], len(items))


def _whole(function: Callable[[], object], count: int) -> float:
    taken = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        function()
        taken.append(time.perf_counter() - start)
    return statistics.median(taken) / count * 1e6
