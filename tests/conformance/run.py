"""The official JSON-Schema-Test-Suite, run through the engine: `make conformance`.

The suite is in the source distribution of `jsonschema` that `suite.txt` names, downloaded once to a
cache. Left out are the cases that need documents from a server. What differs must be listed in
`differences.json`, with a reason, and what is listed must differ.
"""

from __future__ import annotations

import hashlib
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

ANNOTATION = "string is only an annotation by default"
"""Cases that say the opposite of what this tool is for: it asserts `format` in every dialect."""


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


def suite(place: Path) -> Path:
    """The directory of the suite, downloaded when it is not in the cache.

    Args:
        place: where to unpack it.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "manni-conformance"
    listed = (HERE / "suite.txt").read_text(encoding="utf-8")
    name, _, digest = listed.partition(" --hash=sha256:")
    archive = cache / f"{name.replace('==', '-')}.tar.gz"
    if not archive.is_file():
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        options = [
            "--no-deps",
            "--no-binary",
            "jsonschema",
            "--require-hashes",
            "--dest",
            str(cache),
        ]
        subprocess.run([*pip, *options, "-r", str(HERE / "suite.txt")], check=True)
    if hashlib.sha256(archive.read_bytes()).hexdigest() != digest.strip():
        sys.exit(f"{archive} is not the file that suite.txt names; delete it")
    with tarfile.open(archive) as opened:
        opened.extractall(place, filter="data")
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
                    if test["description"].endswith(ANNOTATION):
                        continue
                    name = f"{relative}: {group['description']}: {test['description']}"
                    yield Case(name, draft, group["schema"], test["data"], test["valid"], required)


def differences(case: Case, place: Path) -> Iterator[tuple[str, str]]:
    """In what the engine differs from the suite: the kind of difference, and what was said."""
    document = {"$schema": DIALECTS[case.draft], "allOf": [case.schema]}
    if isinstance(case.schema, dict):
        document = {"$schema": DIALECTS[case.draft], **case.schema}
    (place / "schema.json").write_text(json.dumps(document), encoding="utf-8")
    try:
        validator = compile_schema(SchemaStore(place).load("schema.json", place))
    except SchemaError as error:
        yield "verdicts", str(error)
        return
    if validator.is_valid(case.value) is not case.valid:
        yield "verdicts", f"expected {'valid' if case.valid else 'invalid'}"
    if bool(validator.faults(case.value, Locator())) is case.valid:
        yield "verdicts", "findings and verdict disagree"
    # The same with `jsonschema` alone.
    validator._native = None
    if bool(validator.faults(case.value, Locator())) is case.valid:
        yield "explanations", f"explained as {'invalid' if case.valid else 'valid'}"


def main() -> int:
    """Run the suite; 1 when something is not as it should be."""
    listed = json.loads((HERE / "differences.json").read_text(encoding="utf-8"))
    accepted = {
        (kind, name)
        for kind, reasons in listed.items()
        for names in reasons.values()
        for name in names
    }
    met: dict[tuple[str, str], str] = {}
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="manni-conformance-") as place:
        for case in cases(suite(Path(place))):
            counts["required" if case.required else "optional"] += 1
            for kind, text in differences(case, Path(place)):
                met[kind, case.name] = text
                counts[kind] += 1
                if case.required or (kind, case.name) not in accepted:
                    sys.stdout.write(f"{kind}: {case.name}: {text}\n")
    stale = accepted - met.keys()
    for kind, name in sorted(stale):
        sys.stdout.write(f"{kind}: listed, and does not differ any more: {name}\n")
    wrong = met.keys() - accepted
    sys.stdout.write(
        f"{counts['required']} required and {counts['optional']} optional cases; "
        f"{counts['verdicts']} verdicts and {counts['explanations']} explanations differ, "
        f"{len(wrong)} of them unlisted\n"
    )
    return 1 if wrong or stale else 0


if __name__ == "__main__":
    sys.exit(main())
