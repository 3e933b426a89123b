"""YAML 1.2 texts made fit for libyaml, which reads YAML 1.1 and a little less.

Everything here keeps the length of the text, so that every offset stays true, and swaps in
characters of a private plane that the text does not use; a table for `str.translate` swaps them
back in the values that come out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeAlias

from yaml import YAMLError
from yaml.cyaml import CParser  # type: ignore[attr-defined]  # its stub forgets to export it
from yaml.events import ScalarEvent

if TYPE_CHECKING:
    from yaml import MarkedYAMLError

    from manni.documents.source_map import Extent

Hidden: TypeAlias = "dict[int, int | None]"
"""From the code point that stands in to the one that it stands for, or None to drop it."""

# Line breaks of YAML 1.1 that are ordinary characters in YAML 1.2 (section 5.4), and characters
# that YAML 1.2 allows in quoted text (production nb-json) and libyaml nowhere.
_UNLIKE_1_1 = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
# In a flow collection, `?` and `:` in front of a character that no token starts with belong to a
# plain scalar (production ns-plain-first); libyaml takes them for indicators.
_PLAIN_IN_FLOW = re.compile(r"([\[{,][ \t]*+)([?:])(?=[^\s,\[\]{}])")
# What that pattern needs. These two start with one literal each, which is found far faster.
_TIGHT = (re.compile(r":[^\s,\[\]{}]"), re.compile(r"\?[^\s,\[\]{}]"))
_PRIVATE = range(0xF0000, 0xFFFFE)

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")

_BLANK_LINE = re.compile(r"[ \t]+(?=[\r\n#]|\Z)")
_AFTER_DASH = re.compile(r"[-:?][ \t]*\Z")
_BLANKS = re.compile("[ \t]+")

_DOUBLE_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+', re.DOTALL)
_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|.)", re.DOTALL
)


def control_character(text: str) -> int:
    """The offset of the first character that YAML allows nowhere (section 5.1); 0 if none."""
    match = _CONTROL.search(text)
    return match.start() if match else 0


def last_scalar(text: str) -> Extent | None:
    """The extent of the last scalar before a text stops being YAML."""
    following = CParser(hide(text)[0]).get_event
    last: Any = None
    try:
        while (event := following()) is not None:
            if type(event) is ScalarEvent:
                last = event
    except YAMLError:
        pass
    return (last.start_mark.index, last.end_mark.index) if last else None


def hide(text: str) -> tuple[str, Hidden]:
    """Swap the characters that libyaml reads otherwise than YAML 1.2 does."""
    plain: set[str] = set()
    strange: set[str] = set()
    if ("[" in text or "{" in text) and (_TIGHT[0].search(text) or _TIGHT[1].search(text)):
        plain = {match[2] for match in _PLAIN_IN_FLOW.finditer(text)}
    if not text.isascii() or "\x7f" in text:
        strange = set(_UNLIKE_1_1.findall(text))
    if not plain and not strange:
        return text, {}
    characters = sorted(plain | strange)
    stand_ins = dict(zip(characters, _unused(text, len(characters)), strict=True))
    hidden: Hidden = {stand_in: ord(char) for char, stand_in in stand_ins.items()}
    text = text.translate({ord(char): stand_ins[char] for char in strange})
    if plain:
        text = _PLAIN_IN_FLOW.sub(lambda match: match[1] + chr(stand_ins[match[2]]), text)
    return text, hidden


def _unused(text: str, number: int, taken: Iterable[int] = ()) -> list[int]:
    """Private code points that occur in a text neither themselves nor as an escape."""
    used = {*map(ord, set(text)), *taken}
    spelled = text.lower()
    found: list[int] = []
    for code in _PRIVATE:
        if len(found) == number:
            break
        if code not in used and f"{code:x}" not in spelled:
            found.append(code)
    return found


def accommodate(text: str, hidden: Hidden, error: MarkedYAMLError) -> tuple[str, Hidden] | None:
    """The text without what libyaml stumbled over, where YAML 1.2 allows that; else None.

    These are tabs between tokens (section 6.2), and a character beyond the basic plane that
    double quotes spell as two escapes, as JSON does.

    Args:
        text: the text that libyaml read.
        hidden: what is hidden in it already.
        error: what libyaml raised.
    """
    if error.problem_mark is None:
        return None
    offset = error.problem_mark.index
    if error.problem == "found invalid Unicode character escape code" and error.context_mark:
        quoted = _DOUBLE_QUOTED.match(text, error.context_mark.index)
        joined = join_pairs(text, hidden, *quoted.span()) if quoted else (text, hidden)
        return None if joined[0] == text else joined
    blanks = None
    if error.context != "while scanning a block scalar":
        blanks = _BLANK_LINE.match(text, offset)
        if blanks is None and _AFTER_DASH.search(text, max(0, offset - 80), offset):
            blanks = _BLANKS.match(text, offset)
    if blanks is None or "\t" not in blanks.group():
        return None
    spaces = blanks.group().replace("\t", " ")
    return text[: blanks.start()] + spaces + text[blanks.end() :], hidden


def join_pairs(text: str, hidden: Hidden, start: int, end: int) -> tuple[str, Hidden]:
    """Put one character in the place of each surrogate pair that escapes spell in a stretch."""
    stretch = text[start:end]
    pairs = {match.groups() for match in _ESCAPE.finditer(stretch) if match[1]}
    characters = sorted({_join(high, low) for high, low in pairs})
    if not characters:
        return text, hidden
    filler, *stand_ins = _unused(text, len(characters) + 1, hidden)
    swap = dict(zip(characters, stand_ins, strict=True))

    def stand_in(match: re.Match[str]) -> str:
        if not match[1]:
            return match.group()
        return chr(swap[_join(match[1], match[2])]) + chr(filler) * (len(match.group()) - 1)

    joined = _ESCAPE.sub(stand_in, stretch)
    shown: Hidden = {filler: None, **{stand: ord(char) for char, stand in swap.items()}}
    return text[:start] + joined + text[end:], hidden | shown


def _join(high: str, low: str) -> str:
    return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)
