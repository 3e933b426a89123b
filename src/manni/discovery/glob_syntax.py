"""The grammar of the family's globs: from text to a tree that matchers are built from.

A pattern is split into segments at `/`. Within one: `*`, `?`, `[a-z]`, `[^a-z]`, `[!a-z]`,
`[[:alpha:]]`, groups `@(a|b) ?(a) *(a) +(a) !(a)` and `(a|b)`, braces `{a,b}` and `{1..3}`; a
backslash makes the next character literal. `**` as a whole segment crosses segments. Names that
start with a dot are like any other.

All limits are there because patterns come from repositories that nobody vouches for.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from manni.discovery.glob_nodes import (
    Braces,
    Class,
    Glob,
    GlobError,
    Group,
    Look,
    Negation,
    Node,
    Nodes,
    Segment,
    Text,
    Wild,
    flatten,
)

MAX_LENGTH = 1024
"""The longest pattern, in code points."""

MAX_ALTERNATIVES = 1000
"""How many patterns the braces of one pattern may stand for."""

MAX_NODES = 20_000
"""How large those patterns may be in sum."""

MAX_DEPTH = 16
"""How deep groups and braces may nest."""

MAX_GROUPS = 32
"""How many groups one pattern may hold."""


_POSIX = {
    "alnum": (("0", "9"), ("A", "Z"), ("a", "z")),
    "alpha": (("A", "Z"), ("a", "z")),
    "ascii": (("\0", "\x7f"),),
    "blank": ((" ", " "), ("\t", "\t")),
    "cntrl": (("\0", "\x1f"), ("\x7f", "\x7f")),
    "digit": (("0", "9"),),
    "graph": (("!", "~"),),
    "lower": (("a", "z"),),
    "print": ((" ", "~"),),
    "punct": (("!", "/"), (":", "@"), ("[", "`"), ("{", "~")),
    "space": ((" ", " "), ("\t", "\r")),
    "upper": (("A", "Z"),),
    "word": (("0", "9"), ("A", "Z"), ("_", "_"), ("a", "z")),
    "xdigit": (("0", "9"), ("A", "F"), ("a", "f")),
}

# A group with a star before one plain extension, as in `!(*.d).ts`, looks ahead through it.
_EXTENSION = re.compile(r"\.[^\\/.]+")
_PLAIN = re.compile(r"[^\\/*?\[{(|)+@!]+")
_PLAIN_CLASS = re.compile(r"[^-*+?.^${}()|\[\]\\!:]+")
_POSIX_CLASS = re.compile(r"\[:([a-z]+):\]")


def parse(pattern: str) -> Glob:
    """Parse one pattern.

    Args:
        pattern: `/` separated; a leading `./` is dropped.

    Raises:
        GlobError: it is too long, nests too deeply, stands for too many patterns, or holds a
            range that runs backwards.
    """
    if len(pattern) > MAX_LENGTH:
        raise GlobError(f"is longer than {MAX_LENGTH} characters")
    text = pattern
    while text.startswith("./"):
        text = text[2:]
    if sum(text[opener] == "(" for opener in _closers(text)) > MAX_GROUPS:
        raise GlobError(f"holds more than {MAX_GROUPS} groups")
    nodes = _Parser(text).sequence()
    alternatives = tuple(_segments(choice) for choice in _expand(nodes))
    is_glob = any(not isinstance(node, Text) and node is not Wild.SLASH for node in nodes)
    return Glob(pattern, alternatives, is_glob)


def _segments(nodes: Sequence[Node]) -> tuple[Segment, ...]:
    """Split at `/`; a `**` that is not a whole segment is a `*`, and `**/**` is `**`."""
    parts: list[list[Node]] = [[]]
    for node in nodes:
        if node is Wild.SLASH:
            parts.append([])
        else:
            parts[-1].append(node)
    segments: list[Segment] = []
    for part in parts:
        if part != [Wild.STARS]:
            segments.append(tuple(Wild.STAR if node is Wild.STARS else node for node in part))
        elif not segments or segments[-1] is not None:
            segments.append(None)
    return tuple(segments)


def _expand(nodes: Nodes) -> list[list[Node]]:
    """The sequences without braces that a sequence stands for."""
    choices: list[list[Node]] = [[]]
    for node in nodes:
        if isinstance(node, Braces):
            tails = [tail for branch in node.branches for tail in _expand(branch)]
            if len(choices) * len(tails) > MAX_ALTERNATIVES:
                raise GlobError(f"has braces that stand for more than {MAX_ALTERNATIVES} patterns")
            choices = [[*head, *tail] for head in choices for tail in tails]
        else:
            for choice in choices:
                choice.append(node)
        if sum(map(len, choices)) > MAX_NODES:
            raise GlobError("has braces that stand for too much")
    return choices


def _branches(branches: Sequence[Nodes]) -> tuple[Nodes, ...]:
    """What the branches of a group stand for, ready to match."""
    return tuple(flatten(_segments(choice)) for nodes in branches for choice in _expand(nodes))


_GROUPS = {
    "@": {},
    "": {},
    "?": {"optional": True},
    "*": {"optional": True, "repeats": True},
    "+": {"repeats": True},
}


class _Parser:
    """Recursive descent over one pattern, or over a piece of one.

    Args:
        text: what is parsed.
        tail: what follows it in the whole pattern.
        depth: how many groups and braces are around it.
    """

    def __init__(self, text: str, tail: str = "", depth: int = 0) -> None:
        if depth > MAX_DEPTH:
            raise GlobError(f"nests groups more than {MAX_DEPTH} deep")
        self._text = text
        self._tail = tail
        self._depth = depth
        self._at = 0
        self._closers = _closers(text)

    def sequence(self) -> Nodes:
        """Everything, where `|` is an ordinary character."""
        nodes: list[Node] = []
        while self._at < len(self._text):
            nodes.extend(self._next())
        return tuple(nodes)

    def _next(self) -> tuple[Node, ...]:
        """The nodes of the construct at the current place."""
        text, start = self._text, self._at
        char = text[start]
        plain = _PLAIN.match(text, start)
        if plain:
            self._at = plain.end()
            return (Text(plain.group()),)
        if char in "@?*+!" and text.startswith("(", start + 1):
            closer = self._closers.get(start + 1)
            if closer is not None:
                return (self._group(char, start + 2, closer),)
        self._at = start + 1
        if char == "\\":
            return self._escaped()
        if char == "*":
            return self._stars()
        if char in "[{(":
            return self._bracketed(char, start)
        return (_SINGLE.get(char) or Text(char),)

    def _escaped(self) -> tuple[Node, ...]:
        if self._at == len(self._text):
            return (Text("\\"),)
        self._at += 1
        char = self._text[self._at - 1]
        return (Wild.SLASH if char == "/" else Text(char),)

    def _stars(self) -> tuple[Node, ...]:
        start = self._at - 1
        while self._text.startswith("*", self._at) and self._at + 1 not in self._closers:
            self._at += 1
        return (Wild.STARS if self._at - start == 2 else Wild.STAR,)

    def _bracketed(self, char: str, start: int) -> tuple[Node, ...]:
        if char == "[":
            end = _class_end(self._text, start)
            if end is not None:
                self._at = end + 1
                return (_character_class(self._text[start + 1 : end]),)
        closer = self._closers.get(start)
        if char == "(" and closer is not None:
            return (self._group("", start + 1, closer),)
        if char == "{" and closer is not None:
            braces = self._braces(start, closer)
            if braces is not None:
                self._at = closer + 1
                return (braces,)
        return (Text(char),)

    def _braces(self, start: int, closer: int) -> Braces | None:
        """The alternatives between two braces, or None when they are ordinary characters."""
        from bracex import ExpansionLimitException, expand

        # Like a shell, bracex drops empty words, so a letter stands before each.
        whole = "x" + self._text[start : closer + 1]
        try:
            pieces = expand(whole, keep_escapes=True, limit=MAX_ALTERNATIVES)
        except ExpansionLimitException:
            raise GlobError(
                f"has braces that stand for more than {MAX_ALTERNATIVES} patterns"
            ) from None
        if pieces == [whole]:
            return None
        tail = self._text[closer + 1 :] + self._tail
        return Braces(tuple(self._inner(piece[1:], tail).sequence() for piece in pieces))

    def _inner(self, text: str, tail: str) -> _Parser:
        return _Parser(text, tail, self._depth + 1)

    def _group(self, kind: str, start: int, closer: int) -> Node:
        inner = self._text[start:closer]
        tail = self._text[closer:] + self._tail
        branches = [self._inner(part, tail).sequence() for part in _split_branches(inner)]
        self._at = closer + 1
        if kind != "!":
            return Group(_branches(branches), **_GROUPS[kind])
        rest = tail[1:]
        crosses = "/" in inner and len(inner) > 1
        if crosses or not rest.strip(")"):
            look = Look.WHOLE
        elif "*" in inner and _EXTENSION.fullmatch(rest):
            look = Look.REST
        else:
            look = Look.PREFIX
        return Negation(_branches(branches), look, crosses)


_SINGLE: dict[str, Node] = {"/": Wild.SLASH, "?": Wild.ANY}


def _closers(text: str) -> dict[int, int]:
    """The place of the matching closer for each `(` and `{` that has one.

    Raises:
        GlobError: they nest too deeply.
    """
    closers: dict[int, int] = {}
    stack: list[int] = []
    heights = [0] * (len(text) + 1)
    at = 0
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 1
        elif char == "[":
            at = _class_end(text, at) or at
        elif char in "({":
            stack.append(at)
        elif char in ")}":
            wanted = "(" if char == ")" else "{"
            if stack and text[stack[-1]] == wanted:
                opener = stack.pop()
                closers[opener] = at
                around = stack[-1] if stack else -1
                heights[around] = max(heights[around], heights[opener] + 1)
        at += 1
    if max(heights) > MAX_DEPTH:
        raise GlobError(f"nests groups more than {MAX_DEPTH} deep")
    return closers


def _split_branches(inner: str) -> list[str]:
    """Split the inside of a group at each `|` that is not inside of another construct."""
    closers = _closers(inner)
    parts: list[str] = []
    start = at = 0
    while at < len(inner):
        char = inner[at]
        if char == "\\":
            at += 1
        elif char == "[":
            at = _class_end(inner, at) or at
        elif char == "(":
            at = closers.get(at, at)
        elif char == "|":
            parts.append(inner[start:at])
            start = at + 1
        at += 1
    return [*parts, inner[start:]]


def _class_end(text: str, start: int) -> int | None:
    """The place of the `]` that closes the class at `start`, or None when nothing does."""
    at = start + 1
    if text[at : at + 1] in ("!", "^"):
        at += 1
    if text[at : at + 1] == "]":
        at += 1
    while at < len(text) and text[at] not in "]/":
        if text[at] == "\\":
            at += 1
        elif text.startswith("[:", at):
            at = max(at, text.find(":]", at + 2, at + 12) + 1)
        at += 1
    return at if text[at : at + 1] == "]" else None


def _character_class(body: str) -> Node:
    """The class with this content; a plain one also matches its own text, brackets included."""
    negated = body[0] in "!^" and len(body) > 1
    ranges = _ranges(body[1:] if negated else body)
    node = Class(ranges, negated)
    if _PLAIN_CLASS.fullmatch(body):
        return Group(((Text(f"[{body}]"),), (node,)))
    return node


def _ranges(body: str) -> tuple[tuple[str, str], ...]:
    ranges: list[tuple[str, str]] = []
    at = 0
    while at < len(body):
        named = _POSIX_CLASS.match(body, at)
        if named and named[1] in _POSIX:
            ranges.extend(_POSIX[named[1]])
            at = named.end()
            continue
        low, at = _class_char(body, at)
        high = low
        if body.startswith("-", at) and at + 1 < len(body):
            high, at = _class_char(body, at + 1)
        if high < low:
            raise GlobError(f"has a range that runs backwards: {low}-{high}")
        ranges.append((low, high))
    return tuple(ranges)


def _class_char(body: str, at: int) -> tuple[str, int]:
    """One character of a class, which a backslash may precede, and the place after it."""
    if body[at] == "\\" and at + 1 < len(body):
        at += 1
    return body[at], at + 1
