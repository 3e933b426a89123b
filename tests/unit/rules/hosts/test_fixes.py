"""The fixes of the checks of kinds: the file with one is what its author meant, and no more."""

from __future__ import annotations

import pytest

from artifacts import artifact
from manni.fixes.edits import apply
from manni.rules.checks.hosts import check_kind

SKILL = ".claude/skills/tidy/SKILL.md"
CURSOR = ".cursor/rules/a.mdc"
GEMINI = ".gemini/agents/r.md"

FIXED = [
    # path, a line or several, the same with the fix, whether it is safe
    (SKILL, "name: sweep", "name: tidy", False),
    (SKILL, "name: 'sweep' # so", "name: 'tidy' # so", False),
    (SKILL, "License: MIT", "license: MIT", True),
    (SKILL, '"License": MIT', '"license": MIT', True),
    (SKILL, "disallowed_tools:\r\n  - Read", "disallowed-tools:\r\n  - Read", True),
    (SKILL, "tools: Read", "allowed-tools: Read", True),
    (SKILL, "description: see #12 now", 'description: "see #12 now"', True),
    (SKILL, "description: see # later  ", 'description: "see # later"  ', False),
    (SKILL, 'description: a "b" #1', "description: 'a \"b\" #1'", True),
    (SKILL, "description: it's\n  a #1", 'description: "it\'s\n  a #1"', True),
    (".claude/rules/a.md", "globs: a.ts", "paths: a.ts", True),
    (".github/prompts/a.prompt.md", "mode: ask", "agent: ask", True),
    (".github/a.agent.md", "user-invokable: true", "user-invocable: true", True),
    (".opencode/agents/a.md", "maxSteps: 3", "steps: 3", True),
    (GEMINI, "tools: [read_file, 'Bash']", "tools: [read_file, 'run_shell_command']", True),
    (GEMINI, "tools:\n- Edit\n", "tools:\n- replace\n", True),
    (CURSOR, 'globs: "**/*.ts"', "globs: **/*.ts", False),
    (CURSOR, "globs: [a.ts, '*.{b,c}']", "globs: a.ts,*.{b,c}", False),
    (CURSOR, "globs:\n  - a.ts\n  - 'b.ts'\nx: y", "globs: a.ts,b.ts\nx: y", False),
    (CURSOR, 'globs: "a.ts, *.{b,c}"', "globs: a.ts,*.{b,c}", False),
]


@pytest.mark.parametrize(("path", "wrong", "right", "safe"), FIXED)
def test_fixed(path: str, wrong: str, right: str, safe: bool) -> None:
    before, after = f"---\n{wrong}\n---\nBody.\n", f"---\n{right}\n---\nBody.\n"
    fixes = [
        fault.representative.fix
        for fault in check_kind(artifact(path, before))
        if fault.representative.fix
    ]
    [fix] = fixes
    assert fix.safe is safe
    assert apply(before.encode(), fixes).data.decode() == after


@pytest.mark.parametrize(("path", "wrong", "right", "safe"), FIXED)
def test_what_is_fixed_is_silent(path: str, wrong: str, right: str, safe: bool) -> None:
    del wrong, safe
    if path != CURSOR:  # bare patterns are no YAML
        assert check_kind(artifact(path, f"---\n{right}\n---\nBody.\n")) == ()


UNFIXED = [
    (SKILL, "name: sweep\nlicense: a\nLicense: b", "near-miss-key"),
    (".claude/skills/A B/SKILL.md", "name: sweep", "name-not-directory"),
    (SKILL, "name: &a sweep", "name-not-directory"),
    (SKILL, "name: |\n  sweep", "name-not-directory"),
    (CURSOR, "globs: ['a', 3]", "quoted-glob"),
    (CURSOR, "globs: ['a'] # both", "quoted-glob"),
    (CURSOR, "globs:\n  - a # one\n  - b", "quoted-glob"),
    (".github/prompts/a.prompt.md", "mode: ask\nagent: b", "deprecated-key"),
]


@pytest.mark.parametrize(("path", "block", "rule"), UNFIXED)
def test_without_a_fix(path: str, block: str, rule: str) -> None:
    findings = [
        fault.representative for fault in check_kind(artifact(path, f"---\n{block}\n---\n"))
    ]
    assert [each.fix for each in findings if each.keyword == rule] == [None]


def test_front_matter_that_is_no_yaml_has_findings_without_a_fix() -> None:
    [fault] = check_kind(artifact(SKILL, '+++\nname = "sweep"\n+++\n'))
    assert fault.representative.keyword == "name-not-directory"
    assert fault.representative.fix is None
