"""From a document's faults to its mended bytes: never worse, and never twice."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from manni.base.json_types import Json
from manni.documents.front_matter import Document, DocumentFault, parse_document
from manni.documents.load import load
from manni.fixes.offers import with_fixes
from manni.fixes.passes import UNREAD, mend
from manni.model.findings import Fault, Finding

NAMES = {"title": "string", "count": "integer", "flag": "boolean", "tags": "array"}
LEVELS = ("low", "medium", "high")


def problems(value: dict[str, Json]) -> list[Finding]:
    """What a small schema finds: four types, one enumeration, and no other key."""
    kinds = {"string": str, "integer": int, "boolean": bool, "array": list}
    found = [
        Finding("s", "type", f"must be {kind}", f"/{name}", subject=kind)
        for name, kind in NAMES.items()
        if name in value and type(value[name]) is not kinds[kind]
    ]
    if "level" in value and value["level"] not in LEVELS:
        found.append(Finding("s", "enum", "must be allowed", "/level", allowed=LEVELS))
    known = (*NAMES, "level")
    return found + [
        Finding("s", "additionalProperties", "unknown", "", subject=name, allowed=known)
        for name in value
        if name not in known
    ]


def check(data: bytes) -> list[Finding]:
    document = Document()
    try:
        document = parse_document(data)
        metadata = load(document)
    except DocumentFault as fault:
        faults = with_fixes([Fault((fault.finding,))], document, None)
    else:
        found = [*document.findings, *(problems(metadata.value) if document.format else ())]
        faults = with_fixes([Fault((each,)) for each in found], document, metadata)
    return [fault.representative for fault in faults]


KEYS = st.sampled_from([*NAMES, "level", "titel", "Flag", "levle", "other", "tag"])
VALUES = st.one_of(
    st.sampled_from(
        ["1.10", "x", "True", '"true"', "'3'", "[a]", "a, b", "hihg", "medum", "a: b", "", "null"]
    ),
    st.sampled_from(
        ["{{ x }}", "@x", "`x`", "[a] [b]", "'it's'", "a  # c", "&a 1", "|\n  x", "a\n  b: c"]
    ),
    st.text(st.sampled_from("a1 :#'\"\\[]{},&*!-@%\t\u4e2d"), max_size=8),
)
BLOCKS = st.lists(st.tuples(KEYS, VALUES), max_size=5).map(
    lambda pairs: "".join(f"{key}: {value}\n" for key, value in pairs)
)


def score(findings: tuple[Finding, ...] | list[Finding]) -> tuple[bool, int]:
    return any(finding.rule_id in UNREAD for finding in findings), len(findings)


@given(
    block=BLOCKS,
    fences=st.sampled_from(["---\n{}---\n", "--- \n{}---\n", "\n\n---\n{}---\n", "---\n{}---"]),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
    bom=st.sampled_from([b"", b"\xef\xbb\xbf"]),
    unsafe=st.booleans(),
)
@settings(max_examples=300)
def test_mending_is_never_worse_and_never_twice(
    *, block: str, fences: str, end: str, bom: bytes, unsafe: bool
) -> None:
    body = "" if fences.endswith("-") else "\nbody \t: x\n"
    data = bom + (fences.format(block) + body).replace("\n", end).encode()
    before = check(data)
    mended = mend(data, check, unsafe=unsafe)
    assert score(mended.findings) <= score(before) or score(before)[0]
    assert list(mended.findings) == check(mended.data)
    assert mended.data.startswith(bom)
    assert mended.data.endswith(body.replace("\n", end).encode())
    assert mended.done
    again = mend(mended.data, check, unsafe=unsafe)
    assert (again.data, again.fixed) == (mended.data, ())
    assert (mended.data == data) == (not mended.fixed)
    if not unsafe:
        assert all(finding.fix and finding.fix.safe for finding in mended.fixed)
