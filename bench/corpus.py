"""Artifacts to measure with; the same arguments give the same bytes."""

from __future__ import annotations

import random
from pathlib import Path

_WORDS = ("open", "close", "move", "copy", "sort", "join", "merge", "count", "draft", "publish")

_FAULTS_IN_100 = ("effort: extreme", "user-invocable: perhaps", "name: twice", "note: a: b")


_MORE = (
    ("grader: tool-usage", "options: {{ tool: Read, expect: used }}"),
    ("type: capability", "weight: 2"),
    ("examples:", "  pass:", "    - {}.", "  fail: {}."),
    ("target: last-message", "severity: warning"),
)
"""What each of the four evals of a skill holds beside its id and assertion."""


def write(directory: Path, count: int, *, evals: bool) -> Path:
    """Write skills below a directory, four or, with evals, five in a hundred with a mistake.

    Args:
        directory: where `skills/` is made.
        count: of skills.
        evals: whether each carries four evals and a trail of who proposed them.
    """
    chance = random.Random(count)
    for number in range(count):
        skill = directory / "skills" / f"s{number:06}" / "SKILL.md"
        skill.parent.mkdir(parents=True)
        skill.write_text(_skill(chance, number, evals=evals), encoding="utf-8")
    return directory


def _prose(chance: random.Random, words: int) -> str:
    return " ".join(chance.choices(_WORDS, k=words))


def _skill(chance: random.Random, number: int, *, evals: bool) -> str:
    lines = [f"name: skill-{number}", f"description: Helps to {_prose(chance, 34)}."]
    if chance.random() < 0.4:
        lines.append("allowed-tools: Read Grep")
    fault = chance.randrange(100)
    if fault < len(_FAULTS_IN_100):
        lines.append(_FAULTS_IN_100[fault])
    if evals:
        lines += ["metadata:", "  evals:"]
        for each, more in enumerate(_MORE):
            lines += [
                f"    - id: eval-{each}" if fault != 4 or each else "    - type: regression",
                f"      assertion: The session did {_prose(chance, 9)}.",
                *(f"      {line.format(_prose(chance, 8))}" for line in more),
            ]
        lines += [
            "  meta-provenance:",
            "    - generated-by: model-5",
            "      evals: [eval-1, eval-2]",
            f"      confidence: {{ eval-1: 0.{chance.randrange(50, 99)}, eval-2: 0.75 }}",
        ]
    body = "\n\n".join(f"## {_prose(chance, 4)}\n\n{_prose(chance, 180)}." for _ in range(6))
    return "---\n" + "\n".join(lines) + f"\n---\n\n# Skill\n\n{body}\n"
