"""Text from a repository, made harmless for people's eyes and terminals."""

from __future__ import annotations

import re

# C0 and C1 controls, line and paragraph separators, bidirectional controls and marks, zero-width
# characters, tags, interlinear marks, the byte-order mark and lone surrogates: all that could move
# a cursor, break a line, reorder what is shown or hide text.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)

_SHORT = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}


def _escape(match: re.Match[str]) -> str:
    char = match.group()
    code = ord(char)
    if char in _SHORT:
        return _SHORT[char]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def visible(text: str) -> str:
    """The text on one line, with every character that could act spelled as an escape.

    The result holds no control character, no line break, no bidirectional or zero-width mark and
    no lone surrogate, so it can be printed to any terminal and encoded as UTF-8.
    """
    return text if text.isascii() and text.isprintable() else _UNSAFE.sub(_escape, text)


def count(number: int, noun: str) -> str:
    """`1 file`, `2 files`: a number with its noun."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def shorten(text: str, limit: int) -> str:
    """The text, cut to at most `limit` code points; an ellipsis marks the cut."""
    return text if len(text) <= limit else text[: limit - 1] + "\u2026"
