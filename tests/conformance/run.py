"""The official JSON-Schema-Test-Suite, run through the engine: `make conformance`.

The suite comes with the source distribution of `jsonschema`, named and hashed in
`suite.txt`, which is downloaded once to a cache. The required cases must all be right. Optional
ones may differ only as `differences.json` lists, each with a reason; one that is listed and does
not differ fails the run as well.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from manni.base.errors import SchemaError
from manni.model.findings import Place, Span
from manni.schemas.store import SchemaStore
from manni.validation import compile_schema

HERE = Path(__file__).parent
DIALECTS = {
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}
REMOTE = "localhost:1234"
"""Where the suite expects documents that a test runner serves."""


class Case(NamedTuple):
    """One value held against one schema, and what the suite says about it."""

    name: str
    draft: str
    schema: Any
    value: Any
    valid: bool
    required: bool


class Locator:
    """Places everything at the start."""

    def place(self, _: str) -> Place:
        return Place(Span(1, 1, 1, 1))

    def identity(self, pointer: str) -> str:
        return pointer


def suite() -> Path:
    """The directory of the suite, downloaded when it is not in the cache."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "manni-conformance"
    archives = sorted(cache.glob("jsonschema-*.tar.gz"))
    if not archives:
        cache.mkdir(parents=True, exist_ok=True)
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        options = ["--no-deps", "--no-binary", "jsonschema", "--require-hashes", "--dest", cache]
        subprocess.run([*pip, *options, "-r", HERE / "suite.txt"], check=True)
        archives = sorted(cache.glob("jsonschema-*.tar.gz"))
    place = Path(tempfile.mkdtemp(prefix="manni-conformance-"))
    with tarfile.open(archives[-1]) as archive:
        archive.extractall(place, filter="data")
    return next(place.glob("jsonschema-*")) / "json" / "tests"


def cases(tests: Path) -> Iterator[Case]:
    """The cases of all drafts but those that need documents from a server."""
    for draft in DIALECTS:
        for file in sorted((tests / draft).rglob("*.json")):
            relative = file.relative_to(tests)
            required = "optional" not in relative.parts
            for group in json.loads(file.read_text(encoding="utf-8")):
                if REMOTE in json.dumps(group["schema"]):
                    continue
                for test in group["tests"]:
                    name = f"{relative}: {group['description']}: {test['description']}"
                    yield Case(name, draft, group["schema"], test["data"], test["valid"], required)


def verdict(case: Case, place: Path) -> bool | str:
    """What the engine says: valid or not; a sentence when the schema is refused."""
    schema = case.schema
    if isinstance(schema, dict):
        document = {"$schema": DIALECTS[case.draft], **schema}
    else:
        keyword = "allOf"
        document = {"$schema": DIALECTS[case.draft], keyword: [schema]}
        if case.draft == "draft4":
            return "draft 4 has no boolean schemas"
    (place / "schema.json").write_text(json.dumps(document), encoding="utf-8")
    try:
        validator = compile_schema(SchemaStore(place).load("schema.json", place))
        valid = validator.is_valid(case.value)
        return _explained(validator, case.value) if not valid else True
    except SchemaError as error:
        return str(error)


def _explained(validator: Any, value: Any) -> bool | str:
    """False, or a sentence when nothing but the verdict says so."""
    from manni.validation.limits import CLOCK

    CLOCK.start()
    if not validator._explanation.faults(value, Locator()):
        UNEXPLAINED.append(value)
        assert validator.faults(value, Locator())
        LAST[0] = "unexplained"
    return False


UNEXPLAINED: list[Any] = []
LAST = [""]


def main() -> int:
    """Run the suite; 1 when something is not as it should be."""
    place = Path(tempfile.mkdtemp(prefix="manni-conformance-"))
    listed = json.loads((HERE / "differences.json").read_text(encoding="utf-8"))
    accepted = {name: reason for reason, names in listed.items() for name in names}
    counts: Counter[str] = Counter()
    wrong: dict[str, str] = {}
    for case in cases(suite()):
        kind = "required" if case.required else "optional"
        counts[kind] += 1
        LAST[0] = ""
        found = verdict(case, place)
        if found is not case.valid:
            wrong[case.name] = f"{kind}: expected {case.valid}, got {found}"
        elif LAST[0]:
            print("UNEXPLAINED", case.name)
    unlisted = {name: text for name, text in wrong.items() if name not in accepted}
    for name, text in unlisted.items():
        print(f"wrong: {name}: {text}")
    stale = [name for name in accepted if name not in wrong]
    for name in stale:
        print(f"listed, but not wrong any more: {name}")
    print(f"unexplained: {len(UNEXPLAINED)}")
    print(f"{counts['required']} required, {counts['optional']} optional, {len(wrong)} wrong")
    return 1 if unlisted or stale else 0


if __name__ == "__main__":
    sys.exit(main())
