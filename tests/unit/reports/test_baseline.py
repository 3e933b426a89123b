"""Baselines: read, written, applied and pruned."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from manni.base.errors import ConfigError, UsageError
from manni.model.findings import Fault, FileResult, Finding, Severity
from manni.reports import baseline
from manni.reports.baseline import Baseline
from manni.reports.fingerprints import baseline_fingerprint

LEAF = Finding("s", "required", "must have required property 'id'", pointer="/a/0", subject="id")
SUMMARY = Finding("s", "if", 'must match "else" schema', pointer="/a/0")
WARNING = Finding("location:external", "location", "stored", severity=Severity.WARNING)
NOTICE = Finding("v", "skipped", "skipped", severity=Severity.NOTICE)
FAULT = Fault((LEAF, SUMMARY))


def artifact(key: str, *faults: Fault) -> FileResult:
    return FileResult(label=key, key=key, faults=faults)


def recorded(**entries: list[Finding]) -> Baseline:
    return Baseline(
        {key: frozenset(map(baseline_fingerprint, found)) for key, found in entries.items()}
    )


def test_what_is_written_is_sorted_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "baseline.json"
    value = Baseline({"z/é.md": frozenset({"f" * 16, "0" * 16}), "a.md": frozenset({"1" * 16})})
    baseline.write(path, value, version="1.2.3")
    assert path.read_text(encoding="utf-8") == (
        '{\n  "version": 1,\n  "generatedWith": "manni 1.2.3",\n  "entries": {\n'
        '    "a.md": [\n      "1111111111111111"\n    ],\n'
        '    "z/é.md": [\n      "0000000000000000",\n      "ffffffffffffffff"\n    ]\n  }\n}\n'
    )
    assert baseline.read(path, required=True) == value
    assert len(value) == 3
    assert [entry.name for entry in tmp_path.iterdir()] == ["baseline.json"]


@given(st.dictionaries(st.text(st.characters(), max_size=8), st.just(frozenset({"a" * 16}))))
@settings(max_examples=50)
def test_any_file_name_survives(entries: dict[str, frozenset[str]]) -> None:
    path = Path(os.environ.get("TMPDIR", "/tmp")) / f"manni-baseline-{os.getpid()}.json"  # noqa: S108
    # Two surrogate halves that stand together are one character to any JSON reader.
    entries = {key: value for key, value in entries.items() if _keeps(key)}
    try:
        baseline.write(path, Baseline(entries), version="0")
        assert baseline.read(path, required=True).entries == entries
    finally:
        path.unlink(missing_ok=True)


def _keeps(key: str) -> bool:
    return bool(json.loads(json.dumps(key)) == key)


def test_writing_keeps_a_link_and_the_mode(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.write_text("old", encoding="utf-8")
    real.chmod(0o640)
    link.symlink_to(real)
    baseline.write(link, Baseline(), version="0")
    assert link.is_symlink()
    assert json.loads(real.read_text(encoding="utf-8"))["entries"] == {}
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_a_new_file_has_the_mode_of_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    baseline.write(tmp_path / "b.json", Baseline(), version="0")
    assert (tmp_path / "b.json").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_directory_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"b\.json: the baseline cannot be written: no such file"):
        baseline.write(tmp_path / "none" / "b.json", Baseline(), version="0")


def test_a_failed_write_leaves_nothing_behind(tmp_path: Path) -> None:
    target = tmp_path / "b.json"
    target.mkdir()
    (target / "x").touch()
    with pytest.raises(UsageError, match="the baseline cannot be written"):
        baseline.write(target, Baseline(), version="0")
    assert [entry.name for entry in tmp_path.iterdir()] == ["b.json"]


def test_a_missing_file(tmp_path: Path) -> None:
    assert baseline.read(tmp_path / "b.json", required=False) == Baseline()
    with pytest.raises(UsageError, match=r"b\.json: there is no such baseline\. Make one with"):
        baseline.read(tmp_path / "b.json", required=True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", r"b\.json:1:1: the baseline is not valid JSON"),
        (b'{\n "version": 1,,', r"b\.json:2:15: the baseline is not valid JSON"),
        (b"\xff\xfe", "is not UTF-8"),
        (b"[" * 200_000, "is not readable JSON"),
        (b'{"version": ' + b"1" * 5000 + b"}", "is not readable JSON"),
        (b"[]", "malformed: it must be a mapping"),
        (b'{"entries": {}}', '"version" must be 1'),
        (b'{"version": true, "entries": {}}', '"version" must be 1'),
        (b'{"version": 2, "entries": {}}', '"version" must be 1'),
        (b'{"version": 1}', '"entries" must be a mapping'),
        (b'{"version": 1, "entries": []}', '"entries" must be a mapping'),
        (b'{"version": 1, "entries": {"a\\n": {}}}', r'"a\\n" in "entries" must be a list'),
        (b'{"version": 1, "entries": {"a": [1]}}', "must hold fingerprints of 16"),
        (b'{"version": 1, "entries": {"a": ["XYZ"]}}', "must hold fingerprints of 16"),
    ],
)
def test_malformed_files(tmp_path: Path, text: bytes, message: str) -> None:
    path = tmp_path / "b.json"
    path.write_bytes(text)
    with pytest.raises(ConfigError, match=message) as caught:
        baseline.read(path, required=False)
    assert len(str(caught.value).splitlines()) == 1


def test_what_is_no_regular_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(ConfigError, match="the baseline cannot be read"):
            baseline.read(path, required=True)


def test_a_file_without_end_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(baseline, "_SIZE_LIMIT", 1024 * 1024)
    path = tmp_path / "b.json"
    path.write_bytes(b" " * (1024 * 1024 + 1))
    with pytest.raises(ConfigError, match="cannot be read: it is larger than 1 MiB"):
        baseline.read(path, required=True)


def test_a_path_with_a_nul_is_an_error_and_not_a_crash() -> None:
    with pytest.raises(ConfigError, match="the baseline cannot be read"):
        baseline.read(Path("a\0b"), required=True)


def test_a_byte_order_mark_and_further_keys_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    path.write_text('\ufeff{"version": 1, "entries": {"a": []}, "more": 1}', encoding="utf-8")
    assert baseline.read(path, required=True).entries == {"a": frozenset()}


def test_errors_and_warnings_are_recorded_and_notices_are_not() -> None:
    results = [artifact("a", FAULT, Fault((WARNING,)), Fault((NOTICE,))), artifact("b")]
    assert baseline.record(results) == recorded(a=[LEAF, SUMMARY, WARNING])


def test_a_partial_run_keeps_what_it_did_not_cover() -> None:
    previous = recorded(a=[LEAF], b=[LEAF], c=[LEAF])
    results = [artifact("a", Fault((WARNING,))), artifact("b")]
    assert baseline.record(results, previous, complete=False) == recorded(a=[WARNING], c=[LEAF])
    assert baseline.record(results, previous, complete=True) == recorded(a=[WARNING])


def test_recorded_findings_are_taken_out_and_counted() -> None:
    results = [artifact("a", FAULT, Fault((WARNING,))), artifact("b", FAULT)]
    applied = baseline.apply(results, recorded(a=[LEAF, SUMMARY]), complete=True)
    assert applied.results == (
        replace(results[0], faults=(Fault((WARNING,)),), baselined=2),
        results[1],
    )
    assert applied.stale == Baseline()


def test_a_set_records_each_finding_of_its_fingerprint() -> None:
    results = [artifact("a", Fault((LEAF,)), Fault((replace(LEAF, message="again"),)))]
    applied = baseline.apply(results, recorded(a=[LEAF]), complete=True)
    assert applied.results[0].faults == ()
    assert applied.results[0].baselined == 2
    assert applied.results[0].ok


@pytest.mark.parametrize(
    ("lead", "gone", "rest"),
    [
        (0, LEAF, Fault((SUMMARY,), 0)),
        (0, SUMMARY, Fault((LEAF,), 0)),
        (1, LEAF, Fault((SUMMARY,), 0)),
        (1, SUMMARY, Fault((LEAF,), 0)),
    ],
)
def test_the_rest_of_a_fault_has_a_lead(lead: int, gone: Finding, rest: Fault) -> None:
    results = [artifact("a", Fault((LEAF, SUMMARY), lead))]
    applied = baseline.apply(results, recorded(a=[gone]), complete=True)
    assert applied.results[0].faults == (rest,)


def test_notices_are_never_taken_out() -> None:
    results = [artifact("a", Fault((NOTICE,)))]
    applied = baseline.apply(results, recorded(a=[NOTICE]), complete=True)
    assert applied.results == tuple(results)
    assert applied.stale == recorded(a=[NOTICE])


def test_what_no_longer_occurs_is_stale() -> None:
    value = recorded(a=[LEAF, SUMMARY], gone=[LEAF])
    results = [artifact("a", Fault((LEAF,)))]
    partial = baseline.apply(results, value, complete=False).stale
    assert partial == recorded(a=[SUMMARY])
    whole = baseline.apply(results, value, complete=True).stale
    assert whole == recorded(a=[SUMMARY], gone=[LEAF])


def test_recording_and_applying_leaves_notices_alone() -> None:
    results = [artifact("a", FAULT, Fault((WARNING,)), Fault((NOTICE,)))]
    applied = baseline.apply(results, baseline.record(results), complete=True)
    assert applied.results[0].findings == (NOTICE,)
    assert len(applied.stale) == 0
