"""What only shows when all artifacts of a run are seen: names given twice, skills that are none.

Each artifact gives its `Names`; the rest are pure functions of these and of where they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

from manni.base.spelling import nearest
from manni.base.text import shorten, visible
from manni.discovery.kinds import SKILL_KINDS, Kind
from manni.model.findings import TOOL_SCHEMA, Fault, Finding, Locator, Severity, fast_pickle

_NAMED = SKILL_KINDS | {
    "antigravity-agent",
    "claude-agent",
    "copilot-agent",
    "cursor-agent",
    "factory-droid",
    "gemini-agent",
    "qwen-agent",
}
"""The kinds of which a host keeps one file a name."""

_WITH_SKILLS = frozenset({"claude-agent"})
"""The kinds whose key `skills` names skills."""

_SHOWN = 100


@fast_pickle
@dataclass(frozen=True, slots=True)
class Names:
    """What an artifact is called, and the skills that it names.

    Attributes:
        name: its own; None where it has none.
        skills: as they are written, each once.
    """

    name: str | None
    skills: tuple[str, ...] = ()


class Placed(Protocol):
    """Where an artifact is; see `manni.discovery.target.Target`."""

    @property
    def key(self) -> str:
        """What results are known by."""
        ...

    @property
    def label(self) -> str:
        """The path as people read it."""
        ...

    @property
    def kind(self) -> str | None:
        """The id of its kind."""
        ...

    @property
    def tree(self) -> str:
        """The directory in which no two files of the kind should have one name."""
        ...


@dataclass(frozen=True, slots=True)
class Named:
    """What to report of one artifact about a name in it.

    Attributes:
        keyword: the rule's.
        pointer: the JSON Pointer of the key.
        name: that it is about.
        message: the sentence that reports show.
    """

    keyword: str
    pointer: str
    name: str
    message: str

    def fault(self, locator: Locator) -> Fault:
        """The finding about it, placed by the artifact's own metadata."""
        finding = Finding(
            schema=TOOL_SCHEMA,
            keyword=self.keyword,
            message=self.message,
            pointer=self.pointer,
            severity=Severity.WARNING,
            subject=self.name,
            place=locator.place(self.pointer),
            identity=locator.identity(self.pointer),
        )
        return Fault((finding,))


def is_of_interest(kind: str | None) -> bool:
    """Whether the names in artifacts of a kind are of interest to the others."""
    return kind in _NAMED or kind in _WITH_SKILLS


def names_of(kind: Kind, value: Mapping[str, object]) -> Names | None:
    """The names in the metadata of one artifact; None where there are none of interest."""
    name = value.get("name") if kind.id in _NAMED else None
    skills = tuple(_skills(value.get("skills"))) if kind.id in _WITH_SKILLS else ()
    if not isinstance(name, str):
        return Names(None, skills) if skills else None
    return Names(name, skills)


def _skills(value: object) -> Iterable[str]:
    listed = value.split(",") if isinstance(value, str) else value
    if not isinstance(listed, list):
        return ()
    names = (each.strip() for each in listed if isinstance(each, str))
    return dict.fromkeys(filter(None, names))


def duplicate_names(found: Iterable[tuple[Placed, Names]]) -> dict[str, tuple[Named, ...]]:
    """The artifacts whose name another one of the same kind and tree has already.

    Args:
        found: each artifact with its names, sorted by path.

    Returns:
        What to report of each but the first that has a name, by its key.
    """
    first: dict[tuple[str | None, str, str], str] = {}
    told: dict[str, tuple[Named, ...]] = {}
    for placed, names in found:
        if names.name is None or not placed.tree:
            continue
        earlier = first.setdefault((placed.kind, placed.tree, names.name), placed.label)
        if earlier != placed.label:
            message = (
                f"`{_shown(names.name)}` is also the name of `{visible(earlier)}`, and the host "
                "keeps one of them; give each a name of its own"
            )
            told[placed.key] = (Named("duplicate-name", "/name", names.name, message),)
    return told


def unknown_skills(
    found: Iterable[tuple[Placed, Names]], placed: Iterable[Placed]
) -> dict[str, tuple[Named, ...]]:
    """The artifacts that name skills which are none of the repository's.

    Args:
        found: each artifact with its names.
        placed: every artifact of the repository, those without names too.

    Returns:
        What to report of each, by its key; nothing where the repository has no skills at all.
    """
    using: list[tuple[Placed, Names]] = []
    known = {_folder(each.label) for each in placed if each.kind in SKILL_KINDS}
    if not known:
        return {}
    for each, names in found:
        if each.kind in SKILL_KINDS and names.name is not None:
            known.add(names.name)
        if names.skills:
            using.append((each, names))
    return {
        each.key: told for each, names in using if (told := tuple(_unknown(names.skills, known)))
    }


def _unknown(skills: Iterable[str], known: set[str]) -> Iterator[Named]:
    for name in skills:
        # A skill of a plugin may be from anywhere; a path ends with the skill's own name.
        if ":" in name or name in known or name.rpartition("/")[2] in known:
            continue
        guess = nearest(name, sorted(known))
        hint = f"; did you mean `{visible(guess)}`?" if guess else ""
        yield Named(
            "unknown-skill",
            "/skills",
            name,
            f"`{_shown(name)}` is no skill of this repository, so that the agent starts without "
            f"it{hint or '; correct the name, or add the skill'}",
        )


def _folder(path: str) -> str:
    """The name of the directory that a file is in; `""` at the top."""
    return path.rpartition("/")[0].rpartition("/")[2]


def _shown(name: str) -> str:
    return visible(shorten(name, _SHOWN))
