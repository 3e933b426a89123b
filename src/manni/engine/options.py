"""The one table of options: the command line, the inputs of the action and the docs read it."""

from __future__ import annotations

from itertools import chain

from manni.engine.option_types import (
    Form,
    Option,
    read_baseline,
    read_category,
    read_format,
    read_host,
    read_jobs,
    read_selectors,
    read_severity,
    read_shard,
    read_variable,
    read_written_baseline,
)
from manni.engine.settings import BaselineChoice, BaselineMode
from manni.reports import REPORTERS

_FORMATS = "; ".join(f"`{each.name}`: {each.summary}" for each in REPORTERS.values())

GROUPS: dict[str, tuple[Option, ...]] = {
    "files": (
        Option(
            "paths",
            "PATH...",
            "Files, directories and globs to check, relative to the working directory. Without "
            "any, the collections of the config are checked, and without a config every skill and "
            "agent definition.",
            form=Form.LIST,
        ),
        Option(
            "collections",
            "--collection NAME...",
            "Collections of the config to check instead of all of them, by name. Not together "
            "with paths.",
            form=Form.LIST,
        ),
        Option("exclude", "--exclude GLOB...", "Files to leave out of what a walk or glob finds."),
        Option(
            "force_exclude",
            "--force-exclude",
            "Leave out what `exclude` and ignore files name even where it is named as a path.",
        ),
        Option(
            "respect_gitignore",
            "--no-gitignore",
            "Check files that `.gitignore` names too.",
            const=False,
        ),
        Option("allow_empty", "--allow-empty", "Do not fail when nothing matches."),
        Option(
            "shard",
            "--shard K/N",
            "`K/N` is the K-th of N slices of the artifacts, to spread a very large repository "
            "over the jobs of a matrix.",
            read=read_shard,
            form=Form.TEXT,
        ),
        Option(
            "jobs",
            "--jobs N",
            "The number of processes (on Linux). Without it, the usable cores, for 200 artifacts "
            "each.",
            read=read_jobs,
        ),
        Option("working-directory", "", "The directory to run in.", form=Form.FILE),
    ),
    "schemas and config": (
        Option(
            "schemas",
            "-s --schema REF...",
            "Schemas that every artifact is checked against, whatever the config says: ids such as "
            "`anthropic:claude-skill:2.1`, files or URLs.",
            form=Form.LIST,
        ),
        Option(
            "config",
            "-c --config FILE",
            "The config file. Without it, `manni.config.yaml` is looked for in the working "
            "directory and above, up to the repository's root.",
            form=Form.TEXT,
            note="`none` uses no config.",
            off="--no-config",
        ),
        Option("no_config", "--no-config", "Use no config."),
        Option(
            "offline",
            "--offline",
            "Refuse schemas and manifests at URLs, so that nothing is fetched.",
            form=Form.FLAG,
        ),
        Option(
            "token_envs",
            "--token-env NAME...",
            "Environment variables, by name, whose values a `tokenEnv` of the config may send; no "
            "others are sent then.",
            read=read_variable,
            form=Form.LIST,
            note="Without any, none is sent.",
        ),
        Option(
            "allow_hosts",
            "--allow-host HOST...",
            "Hosts that schemas and manifests may be fetched from although their addresses are "
            "not public.",
            read=read_host,
            form=Form.LIST,
        ),
        Option(
            "graders",
            "--grader NAME...",
            "Graders of your own, by name, that evals may use without a warning.",
            form=Form.LIST,
        ),
    ),
    "rules": (
        Option(
            "select",
            "--select RULE...",
            "The only rules that count: rule ids, schema ids, or globs of them, with commas "
            "between them. In place of the config's `action.select`.",
            read=read_selectors,
        ),
        Option(
            "ignore",
            "--ignore RULE...",
            "Rules that do not count, likewise. In place of the config's `action.ignore`.",
            read=read_selectors,
        ),
        Option(
            "severity",
            "--severity RULE=LEVEL...",
            "How much a rule, or each rule of a schema or glob, matters: `error`, `warning`, "
            "`notice` or `off`. It wins over the config's `action.severity`.",
            read=read_severity,
        ),
        Option(
            "inline_ignores",
            "--no-inline-ignores",
            "Count what comments such as `# manni: ignore[rule] reason` in artifacts ignore.",
            const=False,
            form=Form.FLAG,
            note="This is what `false` does, for pull requests from strangers.",
        ),
    ),
    "fixes": (
        Option(
            "fix",
            "--fix",
            "Make the fixes that keep the meaning, in the files themselves, and report what is "
            "left.",
        ),
        Option(
            "unsafe_fixes",
            "--unsafe-fixes",
            "Make the fixes that are guesses too, such as the nearest of the allowed values.",
        ),
        Option(
            "diff",
            "--diff",
            "Print what the fixes would change as a unified diff for `git apply`, and write "
            "nothing; exit code 1 when there is any change.",
        ),
    ),
    "reports": (
        Option(
            "outputs",
            "-f --format FORMAT...",
            f"The report's format ({_FORMATS}); each may have its own `-o`.",
            read=read_format,
        ),
        Option(
            "outputs",
            "-o --output FILE...",
            "The file that the report of the `-f` before it goes to.",
        ),
        Option("quiet", "-q --quiet", "Do not list files that pass."),
        Option(
            "statistics",
            "--statistics",
            "Count the findings of each rule, and those with a fix, after the report; on standard "
            "error where that is for programs.",
        ),
        Option(
            "colour",
            "--color auto|always|never",
            "Whether reports for people are coloured.",
            default="auto",
        ),
        Option(
            "sarif-file",
            "",
            "Where the SARIF log for code scanning is written; empty for no log. It is written "
            "after every run, also one without findings or without a verdict.",
            form=Form.FILE,
            default="manni.sarif",
        ),
        Option("json-file", "", "Where the findings are written as JSON.", form=Form.FILE),
        Option("junit-file", "", "Where a JUnit report is written.", form=Form.FILE),
        Option(
            "annotations",
            "",
            "Whether findings are shown as annotations on the changed lines.",
            form=Form.FLAG,
            default="true",
        ),
        Option(
            "summary", "", "Whether the step summary is written.", form=Form.FLAG, default="true"
        ),
        Option(
            "detail",
            "--detail faults|findings",
            "What annotations, the SARIF log and the step summary list: `faults`, one entry for "
            "each mistake, or `findings`, one for each rule that a mistake breaks.",
            default="faults",
            form=Form.TEXT,
        ),
        Option(
            "fail_on",
            "--fail-on error|warning|notice|never",
            "The least severity that fails the run: `error`, `warning`, `notice` or `never`. A run "
            "without a verdict fails in any case. Default: `action.fail-on` of the config, else "
            "`error`.",
            form=Form.TEXT,
        ),
        Option(
            "category",
            "--category NAME",
            "The code scanning category of the SARIF log.",
            read=read_category,
            default="validate",
            form=Form.TEXT,
            note="Give each step, or each job of a matrix, its own.",
        ),
        Option(
            "sarif_suppressed",
            "--sarif-suppressed",
            "Keep findings that comments in artifacts ignore in the SARIF log, marked as "
            "suppressed. Code scanning takes them for open alerts; other readers do not.",
            form=Form.FLAG,
        ),
        Option(
            "baseline",
            "--baseline [FILE]",
            "A file of recorded findings that do not count, relative to the working directory. "
            "Without it, the config's, else `.manni-baseline.json` beside the config if it is "
            "there.",
            read=read_baseline,
            const=BaselineChoice(named=True),
            form=Form.TEXT,
            note="`none` uses no baseline.",
            off="--no-baseline",
        ),
        Option(
            "baseline",
            "--write-baseline [FILE]",
            "Record the findings of this run in a file.",
            read=read_written_baseline,
            const=BaselineChoice(BaselineMode.WRITE),
        ),
        Option(
            "baseline",
            "--no-baseline",
            "Use no baseline.",
            const=BaselineChoice(BaselineMode.IGNORE),
        ),
        Option(
            "args",
            "",
            "Further arguments of `manni meta validate`, quoted as in a shell, such as "
            "`--allow-empty`.",
            form=Form.TEXT,
        ),
    ),
}
"""Every option, by the heading of the help that it stands under."""

OPTIONS = tuple(chain.from_iterable(GROUPS.values()))
"""Every option, in the order of the help and of `action.yml`."""

INPUTS = {each.field.replace("_", "-"): each for each in OPTIONS if each.form is not None}
"""The inputs of the action, by name."""
