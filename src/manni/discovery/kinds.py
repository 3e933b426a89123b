"""The kinds of files that hosts read, one row a kind: where they are and what holds for them.

Where two rows fit a path, `recognition` says which decides; the order here is that of listings.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from manni.base.spelling import nearest
from manni.base.text import shorten, visible
from manni.model.findings import Severity

Reading = Literal["yaml", "claude", "lenient"]
"""How a host reads front matter: as YAML; as YAML and, where that fails, with loose values quoted;
as YAML and, where that fails, line by line."""

SKILL_FILE = "SKILL.md"

_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of file.

    Attributes:
        id: such as `claude-agent`.
        host: the id of the host that the kind belongs to; `portable` for what hosts share.
        title: what people call such a file, in the plural.
        page: the host's page about the format.
        schemas: the ids of its schemas, each with the severity that all its findings are lowered
            to, or None where they stay what they are.
        folders: where its files are: a directory's name, or its parent's name and its own.
        plugin_folders: directories at the top of a Claude Code plugin that hold its files too.
        name: the only name that files in these folders may have; None for any.
        anywhere: ends of the names of files that are of this kind wherever they are.
        extension: of its files in these folders.
        nested: whether directories below these folders count.
        skipped_start: how names of files start that the host passes over; `""` for none.
        reading: how its front matter is read.
        tells_leniency: whether it is reported that a file is no YAML and was read all the same.
        may_be_list: whether the document may be a list.
        uses_folder: whether a check looks at the name of the file's folder.
        uses_body: whether a check looks at the length of the body.
    """

    id: str
    host: str
    title: str
    page: str
    schemas: tuple[tuple[str, Severity | None], ...]
    folders: tuple[str, ...] = ()
    plugin_folders: tuple[str, ...] = ()
    name: str | None = None
    anywhere: tuple[str, ...] = ()
    extension: str = ".md"
    nested: bool = True
    skipped_start: str = ""
    reading: Reading = "yaml"
    tells_leniency: bool = True
    may_be_list: bool = False
    uses_folder: bool = False
    uses_body: bool = False

    @property
    def globs(self) -> tuple[str, ...]:
        """Where its files are, as globs from the repository's root."""
        below = "**/" if self.nested else ""
        files = f"{below}{self.name or f'*{self.extension}'}"
        return (
            # A name that counts everywhere needs no folder.
            *(f"**/{each}/{files}" for each in self.folders if self.name not in self.anywhere),
            *(f"<plugin>/{each}/{files}" for each in self.plugin_folders),
            *(f"**/{each if each == self.name else f'*{each}'}" for each in self.anywhere),
        )


def _as_is(*schemas: str) -> tuple[tuple[str, None], ...]:
    return tuple((schema, None) for schema in schemas)


KINDS = (
    Kind(
        id="portable-skill",
        host="portable",
        title="Skills that several hosts read",
        page="https://agentskills.io/specification",
        schemas=_as_is("manni:portable-skill:1.0"),
        folders=(
            ".agents/skills",
            ".github/skills",
            ".cursor/skills",
            ".codex/skills",
            ".opencode/skill",
            ".opencode/skills",
            ".gemini/skills",
            ".kiro/skills",
            ".factory/skills",
            ".roo/skills",
            ".qwen/skills",
        ),
        name=SKILL_FILE,
        uses_folder=True,
    ),
    Kind(
        id="claude-skill",
        host="claude",
        title="Skills of Claude Code, and those in no folder of another host",
        page="https://code.claude.com/docs/en/skills",
        schemas=(
            ("anthropic:claude-skill:2.1", None),
            ("manni:portable-skill:1.0", Severity.WARNING),
        ),
        folders=(".claude/skills",),
        name=SKILL_FILE,
        anywhere=(SKILL_FILE,),
        uses_folder=True,
    ),
    Kind(
        id="claude-agent",
        host="claude",
        title="Subagents of Claude Code",
        page="https://code.claude.com/docs/en/sub-agents",
        schemas=_as_is("anthropic:claude-subagent:2.1"),
        folders=(".claude/agents",),
        plugin_folders=("agents",),
        reading="claude",
    ),
    Kind(
        id="claude-command",
        host="claude",
        title="Commands of Claude Code",
        page="https://code.claude.com/docs/en/slash-commands",
        schemas=_as_is("anthropic:claude-command:1.0"),
        folders=(".claude/commands",),
        plugin_folders=("commands",),
        reading="claude",
    ),
    Kind(
        id="claude-rule",
        host="claude",
        title="Rules of Claude Code",
        page="https://code.claude.com/docs/en/memory",
        schemas=_as_is("anthropic:claude-rule:1.0"),
        folders=(".claude/rules",),
        reading="claude",
    ),
    Kind(
        id="claude-output-style",
        host="claude",
        title="Output styles of Claude Code",
        page="https://code.claude.com/docs/en/output-styles",
        schemas=_as_is("anthropic:claude-output-style:1.0"),
        folders=(".claude/output-styles",),
        plugin_folders=("output-styles",),
        nested=False,
        reading="claude",
    ),
    Kind(
        id="copilot-agent",
        host="copilot",
        title="Custom agents of GitHub Copilot and VS Code",
        page="https://docs.github.com/en/copilot/reference/custom-agents-configuration",
        schemas=_as_is("github:copilot-agent:1.0"),
        folders=(".github/agents",),
        anywhere=(".agent.md", ".chatmode.md"),
        uses_body=True,
    ),
    Kind(
        id="copilot-instructions",
        host="copilot",
        title="Instructions of GitHub Copilot and VS Code",
        page="https://code.visualstudio.com/docs/copilot/customization/custom-instructions",
        schemas=_as_is("github:copilot-instructions:1.0"),
        anywhere=(".instructions.md",),
        reading="lenient",
    ),
    Kind(
        id="copilot-prompt",
        host="copilot",
        title="Prompt files of VS Code",
        page="https://code.visualstudio.com/docs/copilot/customization/prompt-files",
        schemas=_as_is("github:copilot-prompt:1.0"),
        anywhere=(".prompt.md",),
    ),
    Kind(
        id="cursor-rule",
        host="cursor",
        title="Rules of Cursor",
        page="https://cursor.com/docs/context/rules",
        schemas=_as_is("cursor:rule:1.0"),
        folders=(".cursor/rules",),
        extension=".mdc",
        reading="lenient",
        tells_leniency=False,
    ),
    Kind(
        id="cursor-agent",
        host="cursor",
        title="Subagents of Cursor",
        page="https://cursor.com/docs/context/subagents",
        schemas=_as_is("cursor:agent:1.0"),
        folders=(".cursor/agents",),
        nested=False,
    ),
    Kind(
        id="cursor-command",
        host="cursor",
        title="Commands of Cursor",
        page="https://cursor.com/docs/agent/chat/commands",
        schemas=_as_is("cursor:command:1.0"),
        folders=(".cursor/commands",),
    ),
    Kind(
        id="gemini-agent",
        host="gemini",
        title="Subagents of Gemini CLI",
        page="https://geminicli.com/docs/core/subagents/",
        schemas=_as_is("google:gemini-agent:1.0"),
        folders=(".gemini/agents",),
        nested=False,
        skipped_start="_",
        may_be_list=True,
    ),
    Kind(
        id="opencode-agent",
        host="opencode",
        title="Agents of OpenCode",
        page="https://opencode.ai/docs/agents/",
        schemas=_as_is("opencode:agent:1.0"),
        folders=(".opencode/agent", ".opencode/agents"),
    ),
    Kind(
        id="opencode-command",
        host="opencode",
        title="Commands of OpenCode",
        page="https://opencode.ai/docs/commands/",
        schemas=_as_is("opencode:command:1.0"),
        folders=(".opencode/command", ".opencode/commands"),
    ),
    Kind(
        id="kiro-steering",
        host="kiro",
        title="Steering files of Kiro",
        page="https://kiro.dev/docs/steering/",
        schemas=_as_is("kiro:steering:1.0"),
        folders=(".kiro/steering",),
    ),
    Kind(
        id="kiro-agent",
        host="kiro",
        title="Custom agents of Kiro",
        page="https://kiro.dev/docs/custom-agents/",
        schemas=_as_is("kiro:agent:1.0"),
        folders=(".kiro/agents",),
    ),
    Kind(
        id="windsurf-rule",
        host="windsurf",
        title="Rules of Windsurf and its successors",
        page="https://docs.windsurf.com/windsurf/cascade/memories",
        schemas=_as_is("windsurf:rule:1.0"),
        folders=(".windsurf/rules", ".devin/rules", ".agent/rules", ".agents/rules"),
        reading="lenient",
        tells_leniency=False,
    ),
    Kind(
        id="cline-rule",
        host="cline",
        title="Rules of Cline",
        page="https://docs.cline.bot/features/cline-rules",
        schemas=_as_is("cline:rule:1.0"),
        folders=(".clinerules",),
    ),
    Kind(
        id="antigravity-agent",
        host="antigravity",
        title="Subagents of Antigravity",
        page="https://antigravity.google/docs/subagents",
        schemas=_as_is("google:antigravity-agent:1.0"),
        folders=(".agents/agents",),
        nested=False,
    ),
    Kind(
        id="qwen-agent",
        host="qwen",
        title="Subagents of Qwen Code",
        page="https://qwenlm.github.io/qwen-code-docs/en/users/features/sub-agents/",
        schemas=_as_is("qwen:agent:1.0"),
        folders=(".qwen/agents",),
    ),
    Kind(
        id="factory-droid",
        host="factory",
        title="Custom droids of Factory",
        page="https://docs.factory.ai/cli/configuration/custom-droids",
        schemas=_as_is("factory:droid:1.0"),
        folders=(".factory/droids",),
        nested=False,
    ),
    Kind(
        id="junie-agent",
        host="junie",
        title="Subagents of Junie",
        page="https://junie.jetbrains.com/docs/junie-cli-subagents.html",
        schemas=_as_is("junie:agent:1.0"),
        folders=(".junie/agents",),
    ),
    Kind(
        id="augment-agent",
        host="augment",
        title="Subagents of Augment",
        page="https://docs.augmentcode.com/cli/subagents",
        schemas=_as_is("augment:agent:1.0"),
        folders=(".augment/agents",),
    ),
    Kind(
        id="augment-rule",
        host="augment",
        title="Rules of Augment",
        page="https://docs.augmentcode.com/setup-augment/guidelines",
        schemas=_as_is("augment:rule:1.0"),
        folders=(".augment/rules",),
    ),
    Kind(
        id="roo-command",
        host="roo",
        title="Commands of Roo Code",
        page="https://docs.roocode.com/features/slash-commands",
        schemas=_as_is("roo:command:1.0"),
        folders=(".roo/commands",),
    ),
)

BY_ID = MappingProxyType({kind.id: kind for kind in KINDS})
"""Every kind, by its id."""

SKILL_KINDS = frozenset(kind.id for kind in KINDS if kind.name == SKILL_FILE)
"""The ids of the kinds of skills."""


def unknown_kind(name: str) -> str:
    """What to say of a kind that does not exist, to follow the name of where it stands."""
    guess = nearest(name, BY_ID)
    hint = f", did you mean `{guess}`?" if guess else ""
    kinds = ", ".join(f"`{each}`" for each in BY_ID)
    return f"is `{visible(shorten(name, _SHOWN))}`, which is no kind{hint} (the kinds are {kinds})"
