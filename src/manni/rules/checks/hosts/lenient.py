"""`lenient-read`: front matter that is no YAML and that one host reads all the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from manni.documents.faults import show
from manni.documents.yaml.quoting import quote
from manni.model.findings import TOOL_SCHEMA, Finding, Place, Severity

if TYPE_CHECKING:
    from manni.documents.readings import LenientRead

_HOSTS = {
    "claude": "Claude Code quotes such values by itself",
    "copilot": "VS Code takes this line as it is written",
}
_SHOWN = 5


def lenient_read(host: str, reading: LenientRead) -> Finding:
    """The finding of a front matter that was read leniently.

    Args:
        host: the id of the host that reads it: `claude` or `copilot`.
        reading: what happened.
    """
    quoted = [quote(text) for _, text in reading.loose]
    mend = f"quote the value: {_shown(quoted[0])}" if quoted else "put quotes around the value"
    reads = _HOSTS.get(host, "its own host reads the line as it is written")
    message = f"this is no YAML: {reads}, and other readers drop the front matter; {mend}"
    if reading.turned:
        names = ", ".join(show(key) for key in reading.turned[:_SHOWN])
        more = len(reading.turned) - _SHOWN
        also = f" and {more} more" if more > 0 else ""
        message += f"; as it stands, the values of {names}{also} turn into text as well"
    return Finding(
        schema=TOOL_SCHEMA,
        keyword="lenient-read",
        message=message,
        severity=Severity.WARNING,
        place=Place(reading.fault),
        identity="",
        fix=reading.fix,
    )


def _shown(text: str) -> str:
    return show(text)[1:-1]
