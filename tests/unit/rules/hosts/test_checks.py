"""What the checks of kinds find, and what they leave alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from artifacts import artifact
from manni.base.text import visible
from manni.documents.document import Reading
from manni.documents.front_matter import parse_document
from manni.documents.load import load
from manni.documents.yaml.quoting import spell
from manni.model.findings import Finding, Severity, Span
from manni.rules.checks.hosts import check_kind
from manni.rules.checks.hosts.lenient import lenient_read

SKILL = ".claude/skills/tidy/SKILL.md"
AGENT = ".claude/agents/r.md"
COPILOT = ".github/agents/plan.agent.md"
GEMINI = ".gemini/agents/r.md"
CURSOR = ".cursor/rules/a.mdc"
INSTRUCTIONS = ".github/instructions/a.instructions.md"
LONG = "x" * 30_001


def front(*lines: str) -> str:
    return "\n".join(("---", *lines, "---", "Body.\n"))


def skill(*lines: str) -> str:
    return front("name: tidy", "description: Tidies pages.", *lines)


def agent(*lines: str) -> str:
    return front("name: r", "description: Reviews changes.", *lines)


def found(path: str, text: str, *, in_plugin: bool = False) -> list[Finding]:
    faults = check_kind(artifact(path, text, in_plugin=in_plugin))
    assert all(len(fault.findings) == 1 for fault in faults)
    return [fault.representative for fault in faults]


WRONG = [
    # path, text, rule, line, words of the message
    (SKILL, front("name: sweep", "description: d"), "name-not-directory", 2, ["sweep", "tidy"]),
    (".claude/skills/a b/SKILL.md", front("name: tidy"), "name-not-directory", 2, ["a b"]),
    (SKILL, front("name: tidy", "Description: d"), "near-miss-key", 3, ["description"]),
    (SKILL, skill("allowed_tools: Read"), "near-miss-key", 4, ["allowed-tools"]),
    (SKILL, skill("allowedTools: Read"), "near-miss-key", 4, ["allowed-tools"]),
    (SKILL, skill("licence: MIT"), "near-miss-key", 4, ["license"]),
    (SKILL, skill("tools: [Read]"), "near-miss-key", 4, ["allowed-tools"]),
    (SKILL, skill("user-invokable: true"), "near-miss-key", 4, ["user-invocable"]),
    (SKILL, skill("licesne: MIT"), "near-miss-key", 4, ["license"]),
    (SKILL, skill("license: MIT", "License: MIT"), "near-miss-key", 5, ["as well"]),
    (AGENT, agent("allowed-tools: Read"), "near-miss-key", 4, ["tools"]),
    (AGENT, agent("max_turns: 3"), "near-miss-key", 4, ["maxTurns"]),
    (".claude/rules/a.md", front("globs: a.ts"), "near-miss-key", 2, ["paths"]),
    (CURSOR, front("paths: a.ts"), "near-miss-key", 2, ["globs"]),
    (INSTRUCTIONS, front("applyto: a", "description: d"), "near-miss-key", 2, ["applyTo"]),
    (SKILL, front("name: tidy", "description: See #12 first"), "text-cut", 3, ["#12"]),
    (SKILL, front("name: tidy", "description: a", "  b", "  see # c"), "text-cut", 3, ["# c"]),
    (SKILL, skill("metadata: {}", "evals:", "- assertion: say #1"), "text-cut", 6, ["#1"]),
    (AGENT, agent("tools: A, B", "disallowedTools: [B]"), "tools-conflict", 5, ["B"]),
    (SKILL, skill("allowed-tools: A B", "disallowed-tools: B"), "tools-conflict", 5, ["B"]),
    (
        ".qwen/agents/r.md",
        agent("tools: [A, B]", "disallowedTools: [B, A]"),
        "tools-conflict",
        5,
        ['"B", "A"'],
    ),
    (COPILOT, agent("target: github-copilot", "handoffs: []"), "inert-key", 5, ["GitHub"]),
    (COPILOT, agent("target: vscode", "mcp-servers: {}"), "inert-key", 5, ["VS Code"]),
    (COPILOT, agent("infer: false"), "deprecated-key", 4, ["user-invocable"]),
    (COPILOT, agent("user-invokable: true"), "deprecated-key", 4, ['"user-invocable"']),
    (".github/prompts/a.prompt.md", front("mode: ask"), "deprecated-key", 2, ["agent"]),
    (".opencode/agents/a.md", front("maxSteps: 3"), "deprecated-key", 2, ["steps"]),
    (".opencode/agents/a.md", front("tools: {a: true}"), "deprecated-key", 2, ["permission"]),
    ("a/x.chatmode.md", front("description: d"), "renamed-kind", 1, [".agent.md"]),
    (".claude/skills/tidy/skill.md", skill(), "skill-file-name", 1, ["SKILL.md"]),
    (INSTRUCTIONS, front("name: a"), "never-applied", 1, ["applyTo"]),
    (INSTRUCTIONS, "Body.\n", "never-applied", 1, ["applyTo"]),
    (COPILOT, agent() + LONG, "body-too-long", 1, ["30,000"]),
    (CURSOR, front('globs: "*.ts"'), "quoted-glob", 2, ['"*.ts"']),
    (CURSOR, front("globs: [a.ts, 'b.ts']"), "quoted-glob", 2, ["a.ts,b.ts"]),
    (CURSOR, front("globs:", "  - a.ts", "  - b.ts"), "quoted-glob", 2, ["a.ts,b.ts"]),
]


@pytest.mark.parametrize(("path", "text", "rule", "line", "words"), WRONG)
def test_wrong(path: str, text: str, rule: str, line: int, words: list[str]) -> None:
    [finding] = found(path, text)
    assert finding.rule_id == f"manni/{rule}"
    assert finding.severity is Severity.WARNING
    assert finding.span is not None
    assert finding.span.line == line
    for word in words:
        assert word in finding.message


SILENT = [
    (SKILL, skill("version: 1", "author: me", "risk: low", "tags: [a]", "title: T", "role: r")),
    (SKILL, skill("tools: [claude, cursor, codex-cli]")),  # hosts that a skill is for
    (SKILL, skill("mode: x", "globs: x", "color: red", "skills: [a]")),  # known to other hosts
    (SKILL, skill("tol: x", "x: y", "content: z", "path: p")),
    (".agents/skills/Tidy/SKILL.md", front("name: Tidy", "description: d")),
    (".claude/skills/tidy-up/SKILL.md", front("name: Tidy Up", "description: d")),
    (".claude/skills/caf\u00e9/SKILL.md", front("name: cafe\u0301", "description: d")),
    ("SKILL.md", skill()),
    ("skills/SKILL.md", skill()),
    (SKILL, front("description: d")),
    (SKILL, front("name: 3", "description: d")),
    (SKILL, front("name: tidy", "description: Tidies. # see 12")),
    (SKILL, front("name: tidy", "description: Tidies # TODO more")),
    (SKILL, front("name: tidy", "description: Tidies # manni: ignore[x] y")),
    (SKILL, front("name: tidy", "description: 'Tidies' # see 12")),
    (SKILL, front("name: tidy", "description: Tidies#12 and a#b")),
    (SKILL, front("name: tidy", "description: >", "  Tidies #12 now")),
    (SKILL, skill("model: opus # the big one")),
    (AGENT, agent("tools: Bash(a, b), Read", "disallowedTools: a, Bash")),
    (AGENT, agent("tools: 3", "disallowedTools: [3]")),
    (AGENT, agent("permissionMode: plan", "hooks: {}")),
    (AGENT, agent("mode: x")),
    (COPILOT, agent("target: vscode", "handoffs: []") + LONG),
    (COPILOT, agent("target: [vscode]", "metadata: {}")),
    (COPILOT, agent("mode: agent", "hidden: true")),
    (INSTRUCTIONS, front("applyTo: '**'")),
    (INSTRUCTIONS, front("description: When pages change.")),
    (INSTRUCTIONS, "\n---\napplyTo: '**'\n---\n"),  # the fence has a finding of its own
    (GEMINI, agent("tools: [read_file, mcp_a_b]", "colour: red")),
    (CURSOR, front("description: 'd'", "globs: a.ts, b.ts", "alwaysApply: false")),
    (CURSOR, front("description:", "globs:", "alwaysApply: true")),
    (CURSOR, front("globs: []")),
    (CURSOR, front("globs: ['a']", "alwaysApply: true")),
    (".claude/commands/go.md", "Do it.\n"),
    (".opencode/agents/a.md", front("description: d", "tools: [read]")),
    (".clinerules/a.md", front("globs: a")),
]


@pytest.mark.parametrize(("path", "text"), SILENT)
def test_silent(path: str, text: str) -> None:
    assert found(path, text) == []


@pytest.mark.parametrize(
    ("path", "severity", "skeleton"),
    [
        (SKILL, Severity.WARNING, '"name: tidy" "description: '),
        (".agents/skills/Tidy Up/SKILL.md", Severity.ERROR, '"name: tidy-up" "description: '),
        (".claude/agents/Code_Review.md", Severity.ERROR, '"name: code-review" "description: '),
        (COPILOT, Severity.WARNING, '"---" "description: '),
        (GEMINI, Severity.ERROR, '"name: r" "description: '),
    ],
)
def test_missing_front_matter(path: str, severity: Severity, skeleton: str) -> None:
    [finding] = found(path, "# Tidy\n")
    assert (finding.rule_id, finding.severity) == ("manni/missing-front-matter", severity)
    assert finding.span == Span(1, 1, 1, 1)
    assert finding.message.startswith("the file has no front matter")
    assert skeleton in finding.message


def test_an_empty_block_is_front_matter() -> None:
    assert found(SKILL, "---\n---\n") == []


def test_what_a_plugin_ships() -> None:
    text = agent("permissionMode: plan", "isolation: remote", "hooks: {}", "memory: user")
    findings = found("agents/.claude/agents/r.md", text, in_plugin=True)
    assert [(each.keyword, each.subject) for each in findings] == [
        ("inert-key", "permissionMode"),
        ("inert-key", "isolation"),
        ("inert-key", "hooks"),
    ]
    assert found(AGENT, agent("isolation: worktree"), in_plugin=True) == []


def test_tools_of_another_host() -> None:
    findings = found(GEMINI, agent("tools:", "  - Read", "  - Bash(git log)", "  - Task"))
    assert [each.pointer for each in findings] == ["/tools/0", "/tools/1", "/tools/2"]
    assert {(each.rule_id, each.severity) for each in findings} == {
        ("manni/foreign-tool", Severity.ERROR)
    }
    assert [each.span.line for each in findings if each.span] == [5, 6, 7]
    assert [each.fix is not None for each in findings] == [True, False, False]
    assert "read_file" in findings[0].message


def test_findings_come_in_the_order_of_the_file() -> None:
    text = front("Description: d", "name: x", "argument-hint: see #1")
    assert [each.keyword for each in found(SKILL, text)] == [
        "near-miss-key",
        "name-not-directory",
        "text-cut",
    ]


def test_a_lenient_reading() -> None:
    document = parse_document(front('description: a "b": c', "tools: [Read]").encode())
    reading = load(document, Reading.CLAUDE).lenient
    assert reading is not None
    finding = lenient_read("claude", reading)
    assert finding.rule_id == "manni/lenient-read"
    assert finding.severity is Severity.WARNING
    assert finding.span == reading.fault
    assert "quote the value: 'a \"b\": c'" in finding.message
    assert '"tools"' in finding.message
    assert finding.fix is not None
    assert [edit.text for edit in finding.fix.edits] == ["'a \"b\": c'"]


PATHS = sorted({path for path, *_ in WRONG})
KEYS = st.text(max_size=60) | st.sampled_from(["name", "tools", "globs", "target", "applyTo"])
VALUES = st.text(max_size=200) | st.lists(st.text(max_size=80), max_size=5)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(PATHS), st.dictionaries(KEYS, VALUES, max_size=5))
def test_messages_are_harmless_whatever_the_file_says(
    path: str, values: dict[str, str | list[str]]
) -> None:
    lines = (f"? {quoted(key)}\n: {quoted(value)}" for key, value in values.items())
    text = front(*lines)
    for finding in found(path, text.encode("utf-8", "ignore").decode(), in_plugin=True):
        assert visible(finding.message) == finding.message
        assert len(finding.message) < 600


def quoted(value: str | list[str]) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(map(quoted, value)) + "]"
    return spell(value, like='"')
