"""The one table of options: the command line, the inputs of the action and the docs read it."""

from __future__ import annotations

from itertools import chain

from manni.engine.option_types import (
    Form,
    Input,
    Option,
    read_baseline,
    read_category,
    read_format,
    read_host,
    read_jobs,
    read_shard,
    read_variable,
    read_written_baseline,
)
from manni.engine.settings import BaselineChoice, BaselineMode
from manni.model.findings import Detail, Severity
from manni.reports import REPORTERS

_FORMATS = "; ".join(f"`{each.name}`: {each.summary}" for each in REPORTERS.values())

GROUPS: dict[str, tuple[Option, ...]] = {
    "files": (
        Option(
            "paths",
            ("paths",),
            "Files, directories and globs to check, relative to the working directory. Without "
            "any, the collections of the config are checked, and without a config every skill and "
            "agent definition.",
            value="PATH",
            many=True,
            input=Input("paths", Form.LIST),
        ),
        Option(
            "collections",
            ("--collection",),
            "Collections of the config to check instead of all of them, by name. Not together "
            "with paths.",
            value="NAME",
            many=True,
            input=Input("collections", Form.LIST),
        ),
        Option(
            "exclude",
            ("--exclude",),
            "Files to leave out of what a walk or glob finds.",
            value="GLOB",
            many=True,
        ),
        Option(
            "force_exclude",
            ("--force-exclude",),
            "Leave out what `exclude` and ignore files name even where it is named as a path.",
            const=True,
        ),
        Option(
            "respect_gitignore",
            ("--no-gitignore",),
            "Check files that `.gitignore` names too.",
            const=False,
        ),
        Option("allow_empty", ("--allow-empty",), "Do not fail when nothing matches.", const=True),
        Option(
            "shard",
            ("--shard",),
            "`K/N` is the K-th of N slices of the artifacts, to spread a very large repository "
            "over the jobs of a matrix.",
            value="K/N",
            read=read_shard,
            input=Input("shard"),
        ),
        Option(
            "jobs",
            ("--jobs",),
            "The number of processes (on Linux). Without it, the usable cores, for 200 artifacts "
            "each.",
            value="N",
            read=read_jobs,
        ),
        Option(
            "working-directory",
            (),
            "The directory to run in.",
            input=Input("working-directory", Form.FILE),
        ),
    ),
    "schemas and config": (
        Option(
            "schemas",
            ("-s", "--schema"),
            "Schemas that every artifact is checked against, whatever the config says: ids such as "
            "`anthropic:claude-skill:2.1`, files or URLs.",
            value="REF",
            many=True,
            input=Input("schemas", Form.LIST),
        ),
        Option(
            "config",
            ("-c", "--config"),
            "The config file. Without it, `manni.config.yaml` is looked for in the working "
            "directory and above, up to the repository's root.",
            value="FILE",
            input=Input("config", note="`none` uses no config.", off="--no-config"),
        ),
        Option("no_config", ("--no-config",), "Use no config.", const=True),
        Option(
            "offline",
            ("--offline",),
            "Refuse schemas and manifests at URLs, so that nothing is fetched.",
            const=True,
            input=Input("offline", Form.FLAG, "false"),
        ),
        Option(
            "token_envs",
            ("--token-env",),
            "Environment variables, by name, whose values a `tokenEnv` of the config may send; no "
            "others are sent then.",
            value="NAME",
            many=True,
            read=read_variable,
            input=Input("token-envs", Form.LIST, note="Without any, none is sent."),
        ),
        Option(
            "allow_hosts",
            ("--allow-host",),
            "Hosts that schemas and manifests may be fetched from although their addresses are "
            "not public.",
            value="HOST",
            many=True,
            read=read_host,
            input=Input("allow-hosts", Form.LIST),
        ),
        Option(
            "graders",
            ("--grader",),
            "Graders of your own, by name, that evals may use without a warning.",
            value="NAME",
            many=True,
            input=Input("graders", Form.LIST),
        ),
    ),
    "reports": (
        Option(
            "outputs",
            ("-f", "--format"),
            f"The report's format ({_FORMATS}); each may have its own `-o`.",
            value="FORMAT",
            many=True,
            read=read_format,
        ),
        Option(
            "outputs",
            ("-o", "--output"),
            "The file that the report of the `-f` before it goes to.",
            value="FILE",
            many=True,
        ),
        Option("quiet", ("-q", "--quiet"), "Do not list files that pass.", const=True),
        Option(
            "colour",
            ("--color",),
            "Whether the pretty report is coloured.",
            choices=("auto", "always", "never"),
            default="auto",
        ),
        Option(
            "sarif-file",
            (),
            "Where the SARIF log for code scanning is written; empty for no log. It is written "
            "after every run, also one without findings or without a verdict.",
            input=Input("sarif-file", Form.FILE, "manni.sarif"),
        ),
        Option(
            "json-file",
            (),
            "Where the findings are written as JSON.",
            input=Input("json-file", Form.FILE),
        ),
        Option(
            "junit-file",
            (),
            "Where a JUnit report is written.",
            input=Input("junit-file", Form.FILE),
        ),
        Option(
            "annotations",
            (),
            "Whether findings are shown as annotations on the changed lines.",
            input=Input("annotations", Form.FLAG, "true"),
        ),
        Option(
            "summary",
            (),
            "Whether the step summary is written.",
            input=Input("summary", Form.FLAG, "true"),
        ),
        Option(
            "detail",
            ("--detail",),
            "What annotations, the SARIF log and the step summary list: `faults`, one entry for "
            "each mistake, or `findings`, one for each rule that a mistake breaks.",
            choices=tuple(each.value for each in Detail),
            default="faults",
            input=Input("detail", default="faults"),
        ),
        Option(
            "fail_on",
            ("--fail-on",),
            "The least severity that fails the run: `error`, `warning`, `notice` or `never`. A run "
            "without a verdict fails in any case.",
            choices=(*(each.value for each in Severity), "never"),
            default="error",
            input=Input("fail-on", default="error"),
        ),
        Option(
            "category",
            ("--category",),
            "The code scanning category of the SARIF log.",
            value="NAME",
            read=read_category,
            default="validate",
            input=Input("category", note="Give each step, or each job of a matrix, its own."),
        ),
        Option(
            "baseline",
            ("--baseline",),
            "A file of recorded findings that do not count, relative to the working directory.",
            value="FILE",
            read=read_baseline,
            const=BaselineChoice(named=True),
            input=Input("baseline", note="`none` ignores the config's.", off="--no-baseline"),
        ),
        Option(
            "baseline",
            ("--write-baseline",),
            "Record the findings of this run in a file.",
            value="FILE",
            read=read_written_baseline,
            const=BaselineChoice(BaselineMode.WRITE),
        ),
        Option(
            "baseline",
            ("--no-baseline",),
            "Ignore the baseline of the config.",
            const=BaselineChoice(BaselineMode.IGNORE),
        ),
        Option(
            "args",
            (),
            "Further arguments of `manni meta validate`, quoted as in a shell, such as "
            "`--allow-empty`.",
            input=Input("args"),
        ),
    ),
}
"""Every option, by the heading of the help that it stands under."""

OPTIONS = tuple(chain.from_iterable(GROUPS.values()))
"""Every option, in the order of the help and of `action.yml`."""

INPUTS = {each.input.name: (each.input, each) for each in OPTIONS if each.input is not None}
"""The inputs of the action with the options that they are of, by name."""
