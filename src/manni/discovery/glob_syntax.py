"""From the text of a glob to the brace-free patterns that it stands for, segment by segment.

`bracex` expands braces and `wcmatch` translates what stands within one segment; a `**` between
segments is the matcher's own business, so that no more than one segment is ever matched twice.
A group that holds a `/`, such as `@(a/b|c)`, means the same as braces do and becomes some.

All limits are there because patterns come from repositories that nobody vouches for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

MAX_LENGTH = 1024
"""The longest pattern, in code points."""

MAX_ALTERNATIVES = 1000
"""How many patterns the braces of one pattern may stand for."""

MAX_CHARACTERS = 20_000
"""How long those patterns may be in sum."""

MAX_SEGMENTS = 64
"""How many segments one of them may have."""

MAX_DEPTH = 16
"""How deep groups and braces may nest."""

MAX_GROUPS = 32
"""How many groups one pattern may hold."""

MAX_EFFORT = 30_000
"""What matching a path may take at most, as `_effort` estimates it; about 1 ms for each 1,000."""

_START, _STEP, _SCAN, _STAR, _REPEAT = 10, 50, 100, 100, 150
_LONGEST_NAME = 255

Segment = str | re.Pattern[str] | None
"""A literal name, what a name must match from its start, or None for a `**`."""

_PIECE = re.compile(
    r"\\.|\[[!^]?\]?(?:\[:[a-z]+:\]|\\.|[^]\\/])*\]|[@?*+!]?\(|\*+|.",
    re.DOTALL,
)
_ONE_STAR = re.compile(r"[-\w. ]*\*[-\w. ]*")
_EXTENSION = re.compile(r"\.[^\\/.]+")
_RANGE = re.compile(r"\[:[a-z]+:\]|(\\?(?P<low>.))-\\?(?P<high>[^]])", re.DOTALL)


class GlobError(ValueError):
    """A pattern that cannot be used; the message says why, without the pattern."""


@dataclass(frozen=True, slots=True)
class Glob:
    """A parsed pattern.

    Attributes:
        source: the pattern as written.
        alternatives: the brace-free patterns that it stands for, each a tuple of segments.
        is_glob: whether it holds anything but literal characters.
    """

    source: str
    alternatives: tuple[tuple[Segment, ...], ...]
    is_glob: bool


@lru_cache(maxsize=4096)
def parse(pattern: str) -> Glob:
    """Parse an entry of a list of patterns.

    An entry without wildcards stands for that path and everything below it; the entry `.`
    stands for everything.

    Args:
        pattern: `/` separated; a leading `./` is dropped.

    Raises:
        GlobError: it is beyond a limit, leads upwards, could take forever to match, or holds a
            range that runs backwards.
    """
    if len(pattern) > MAX_LENGTH:
        raise GlobError(f"is longer than {MAX_LENGTH} characters")
    pieces = _pieces(re.sub(r"\A(?:\./)+", "", pattern))
    plain = _rewrite(pieces, _closers(pieces))
    if len(plain) > MAX_CHARACTERS:
        raise GlobError("has braces that stand for too much")
    choices = _expand(plain)
    split = [_split(choice) for choice in choices]
    is_glob = choices != [plain] or any(map(_is_wild, (part for parts in split for part in parts)))
    if not is_glob:
        names = [_literal(part) for part in split[0]]
        return Glob(pattern, ((*(name for name in names if name not in ("", ".")), None),), is_glob)
    # No path has an empty segment or a `.`.
    split = [parts for parts in split if not {"", "."}.intersection(map(_literal, parts))]
    if sum(map(_effort, split)) > MAX_EFFORT:
        raise GlobError("holds more wildcards and groups than can be matched quickly; split it")
    return Glob(pattern, tuple(map(_segments, split)), is_glob)


def _pieces(text: str) -> list[str]:
    pieces = _PIECE.findall(text)
    if pieces and pieces[-1] == "\\":
        pieces[-1] = "\\\\"
    for piece in pieces:
        if piece[0] == "[" and len(piece) > 1:
            for match in _RANGE.finditer(piece, 1, len(piece) - 1):
                low, high = match["low"], match["high"]
                if low and high and low > high:
                    raise GlobError(f"has a range that runs backwards: {low}-{high}")
    return pieces


def _closers(pieces: Sequence[str]) -> dict[int, int]:
    """Where each group that is closed ends, by where it starts."""
    found: dict[int, int] = {}
    groups: list[int] = []
    braces = deepest = 0
    for index, piece in enumerate(pieces):
        if piece[-1] == "(" and piece[0] != "\\":
            groups.append(index)
        elif piece == ")" and groups:
            found[groups.pop()] = index
        elif piece == "{":
            braces += 1
        elif piece == "}":
            braces = max(0, braces - 1)
        deepest = max(deepest, braces + len(groups))
    if deepest > MAX_DEPTH:
        raise GlobError(f"nests groups more than {MAX_DEPTH} deep")
    if len(found) > MAX_GROUPS:
        raise GlobError(f"holds more than {MAX_GROUPS} groups")
    return found


def _rewrite(
    pieces: Sequence[str], closers: dict[int, int], start: int = 0, end: int | None = None
) -> str:
    """The pattern with every group named, and without braces inside of groups."""
    end = len(pieces) if end is None else end
    parts: list[str] = []
    index = start
    while index < end:
        piece = pieces[index]
        close = closers.get(index)
        if close is None:
            parts.append(re.sub(r"\($", r"\\(", piece) if piece[0] != "\\" else piece)
            index += 1
            continue
        branches = [
            expanded
            for first, last in _branches(pieces, closers, index, close)
            for expanded in _expand(_rewrite(pieces, closers, first, last))
        ]
        kind = piece[:-1] or "@"
        inner, rest = pieces[index + 1 : close], "".join(pieces[close + 1 :])
        if kind == "!" and rest.strip(")") and not ("*" in inner and _EXTENSION.fullmatch(rest)):
            # As in picomatch, what is followed by more must not even start with a branch.
            branches = [f"{branch.removesuffix('*')}*" for branch in branches]
        parts.append(_group(kind, branches))
        index = close + 1
    return "".join(parts)


def _branches(
    pieces: Sequence[str], closers: dict[int, int], start: int, close: int
) -> Iterator[tuple[int, int]]:
    """Where the branches of a group start and end."""
    first = index = start + 1
    while index < close:
        if pieces[index] == "|":
            yield (first, index)
            first = index + 1
        index = closers.get(index, index) + 1
    yield (first, close)


def _group(kind: str, branches: list[str]) -> str:
    if not any("/" in branch for branch in branches):
        if any(_is_upward(branch) for branch in branches):
            raise GlobError("leads out of the directory that it is relative to with `..`")
        return f"{kind}({'|'.join(branches)})"
    if kind not in "@?":
        raise GlobError(f"holds a `/` inside of `{kind}(...)`, which stays within one segment")
    if kind == "?":
        branches = [*branches, ""]
    if len(branches) == 1:
        return branches[0]
    return f"{{{','.join(_escape_commas(branch) for branch in branches)}}}"


def _escape_commas(text: str) -> str:
    return "".join(f"\\{piece}" if piece == "," else piece for piece in _PIECE.findall(text))


def _expand(text: str) -> list[str]:
    if "{" not in text:
        return [text]
    import bracex

    try:
        found = list(bracex.iexpand(text, keep_escapes=True, limit=MAX_ALTERNATIVES))
    except bracex.ExpansionLimitException:
        found = []
    if not found:
        raise GlobError(f"has braces that stand for more than {MAX_ALTERNATIVES} patterns")
    if sum(map(len, found)) > MAX_CHARACTERS:
        raise GlobError("has braces that stand for too much")
    return list(dict.fromkeys(found))


def _split(text: str) -> list[list[str]]:
    """The segments of a brace-free pattern, each as its pieces."""
    parts: list[list[str]] = [[]]
    for piece in _PIECE.findall(text):
        if piece in {"/", "\\/"}:
            parts.append([])
        else:
            parts[-1].append(piece)
    for part in parts:
        if _is_upward("".join(part)):
            raise GlobError("leads out of the directory that it is relative to with `..`")
    if len(parts) > MAX_SEGMENTS and any(map(_is_wild, parts)):
        raise GlobError(f"has more than {MAX_SEGMENTS} segments")
    return parts


def _is_upward(segment: str) -> bool:
    return segment.replace("\\", "") == ".."


def _is_wild(pieces: Sequence[str]) -> bool:
    return any(_is_class(piece) or piece[0] in "*?" or _is_group(piece) for piece in pieces)


def _is_group(piece: str) -> bool:
    return len(piece) == 2 and piece[1] == "(" and piece[0] != "\\"


def _is_class(piece: str) -> bool:
    return piece[0] == "[" and len(piece) > 1


def _literal(pieces: Sequence[str]) -> str:
    return "".join(piece[1:] if piece[0] == "\\" else piece for piece in pieces)


def _segments(parts: list[list[str]]) -> tuple[Segment, ...]:
    segments: list[Segment] = []
    for part in parts:
        if part == ["**"]:
            if not segments or segments[-1] is not None:
                segments.append(None)
        elif _is_wild(part):
            segments.append(_translate("".join("*" if set(t) == {"*"} else t for t in part)))
        else:
            segments.append(_literal(part))
    return tuple(segments)


@lru_cache(maxsize=4096)
def _translate(segment: str) -> re.Pattern[str]:
    """What matches a segment that holds wildcards; not anchored at its end."""
    if _ONE_STAR.fullmatch(segment):
        # Most patterns hold nothing else, and the import takes longer than many a run.
        body = re.escape(segment).replace(r"\*", "[^/]*?")
        return re.compile(f"(?=[^/]){body}", re.DOTALL)
    from wcmatch import glob

    flags = glob.EXTGLOB | glob.DOTGLOB | glob.CASE
    (regex,), _ = glob.translate(segment, flags=flags)
    body = regex.removeprefix("^(?s:").removesuffix("[/]*?)$")
    # `$` would also match before a newline at the end.
    body = body.replace("(?:$|[/])", r"(?=/|\Z)")
    if "(" in segment:
        # No file system has longer names; groups are only tried on what may be one.
        body = rf"(?=[^/]{{1,{_LONGEST_NAME}}}(?:/|\Z)){body}"
    return re.compile(body, re.DOTALL)


def _effort(parts: Sequence[Sequence[str]]) -> int:
    """What matching one brace-free pattern against a path may take at most."""
    effort = _START
    is_deep = False
    for part in parts[: -1 if parts[-1] == ["**"] else None]:
        if part == ["**"]:
            effort += _SCAN
            is_deep = True
        elif _is_wild(part):
            effort += max(_SCAN, _ways(part[:-1] if part[-1][0] == "*" else part))
        elif is_deep:
            effort += _STEP
    return effort


def _ways(pieces: Sequence[str]) -> int:
    """In how many ways a backtracking matcher may try a part of a segment."""
    if not any(_is_group(piece) for piece in pieces):
        # The translation never comes back to a star but to the last.
        return _STAR if any(piece[0] == "*" for piece in pieces) else 1
    closers = _closers(pieces)
    ways = 1
    index = 0
    while index < len(pieces) and ways <= MAX_EFFORT:
        close = closers.get(index)
        if close is None:
            ways *= _STAR if pieces[index][0] == "*" else 1
        else:
            spans = _branches(pieces, closers, index, close)
            ways *= _group_ways(pieces[index][0], [pieces[first:last] for first, last in spans])
            index = close
        index += 1
    return ways


def _group_ways(kind: str, branches: Sequence[Sequence[str]]) -> int:
    if kind in "*+":
        _check_repeat(branches)
        return _REPEAT
    if kind == "!":
        # What follows a star in a look ahead is tried once.
        branches = [
            branch[:-1]
            if branch and branch[-1] == "*" and not any(map(_is_group, branch))
            else branch
            for branch in branches
        ]
    # Of texts that start differently, only one can match at a place.
    ways = 1 if _start_differently(branches) else sum(map(_ways, branches))
    return ways + (_STAR if kind == "!" else kind == "?")


def _start_differently(branches: Sequence[Sequence[str]]) -> bool:
    if any(map(_is_wild, branches)):
        return False
    texts = sorted({_literal(branch) for branch in branches})
    return not any(later.startswith(text) for text, later in pairwise(texts))


def _check_repeat(branches: Sequence[Sequence[str]]) -> None:
    """Refuse what may be repeated in more than one way to the same end."""
    if any(piece[0] == "*" or _is_group(piece) for branch in branches for piece in branch):
        raise GlobError("repeats a group that holds wildcards or groups, which could take forever")
    if len(branches) > 1 and not _start_differently(branches):
        raise GlobError("repeats a group whose branches may start alike, which could take forever")
