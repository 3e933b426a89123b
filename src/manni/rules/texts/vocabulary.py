"""The rules of the eval vocabularies that their schemas cannot state."""

from __future__ import annotations

from manni.model.findings import Severity
from manni.rules.texts import Entry, fenced

_TAGS = ("front-matter", "evals")

VOCABULARY = {
    "unique-id": Entry(
        name="DuplicateEvalId",
        short="Two evals of one artifact carry the same id",
        why="Verdicts are stored under the id. With two entries of one id, each overwrites the "
        "other's verdict.",
        fix="Give the second entry an id of its own, or remove it when it is a copy.",
        wrong=fenced(
            "metadata:\n  evals:\n    - {id: ran-tests, assertion: The tests ran.}\n"
            "    - {id: ran-tests, assertion: The tests passed.}"
        ),
        right=fenced(
            "metadata:\n  evals:\n    - {id: ran-tests, assertion: The tests ran.}\n"
            "    - {id: passed-tests, assertion: The tests passed.}"
        ),
        tags=_TAGS,
    ),
    "provenance-target": Entry(
        name="UnknownProvenanceTarget",
        short="The provenance names an eval that does not exist",
        why="`meta-provenance` tells reviewers what a machine proposed. An id that no eval has, "
        "or a confidence for something that the entry does not list, leaves them with nothing "
        "to review; mostly the eval was renamed.",
        fix="Write the id of an existing eval; key `confidence` by what the same entry lists "
        "under `evals` or `fields`.",
        wrong=fenced(
            "metadata:\n  evals:\n    - {id: ran-tests, assertion: The tests ran.}\n"
            "  meta-provenance:\n    - {generated-by: claude-fable-5, evals: [run-tests]}"
        ),
        right=fenced(
            "metadata:\n  evals:\n    - {id: ran-tests, assertion: The tests ran.}\n"
            "  meta-provenance:\n    - {generated-by: claude-fable-5, evals: [ran-tests]}"
        ),
        tags=_TAGS,
    ),
    "provenance-pointer": Entry(
        name="DanglingProvenancePointer",
        short="The provenance points at a value that is not there",
        why="A pointer under `fields` names a value that a machine proposed. When nothing is "
        "there, the value was moved or removed and the trail is out of date.",
        fix="Correct the JSON Pointer, or remove it together with its confidence.",
        wrong=fenced(
            "description: Fix a bug.\nmetadata:\n  meta-provenance:\n"
            "    - {generated-by: claude-fable-5, fields: [/summary]}"
        ),
        right=fenced(
            "description: Fix a bug.\nmetadata:\n  meta-provenance:\n"
            "    - {generated-by: claude-fable-5, fields: [/description]}"
        ),
        severity=Severity.WARNING,
        tags=_TAGS,
    ),
    "stale-hash": Entry(
        name="StaleAssertionHash",
        short="The assertion changed after its check was generated",
        why="`generated-assertion-hash` is the SHA-256 of the assertion that the command was "
        "generated from. When they differ, the command may check something else than the "
        "assertion says.",
        fix="Generate the command again, or, when it still fits, write the hash of the "
        "assertion as it is now.",
        wrong=fenced(
            "metadata:\n  evals:\n    - id: ran-tests\n      assertion: The tests ran twice.\n"
            "      grader: command\n      command: [check, '{trace}']\n"
            "      generated-assertion-hash: "
            "sha256-752b22ad3f825c808c168e065f2cbbca0bbaa42b64a74e55e2284f585d060ff0"
        ),
        right=fenced(
            "metadata:\n  evals:\n    - id: ran-tests\n      assertion: The tests ran.\n"
            "      grader: command\n      command: [check, '{trace}']\n"
            "      generated-assertion-hash: "
            "sha256-752b22ad3f825c808c168e065f2cbbca0bbaa42b64a74e55e2284f585d060ff0"
        ),
        severity=Severity.WARNING,
        tags=_TAGS,
    ),
    "unknown-grader": Entry(
        name="UnknownGrader",
        short="No grader of this name is known",
        why="The list of graders is open, so that the schema lets a misspelled name pass; the "
        "grading tool refuses it only when it runs.",
        fix="Write a known name. A grader of your own is written `tool:<name>`, or named to this "
        "check with `--grader` or the action's `graders` input.",
        wrong=fenced(
            "metadata:\n  evals:\n    - {id: used-read, grader: tool-useage, options: {tool: Read},"
            "\n       assertion: A file was read.}"
        ),
        right=fenced(
            "metadata:\n  evals:\n    - {id: used-read, grader: tool-usage, options: {tool: Read},"
            "\n       assertion: A file was read.}"
        ),
        severity=Severity.WARNING,
        tags=_TAGS,
    ),
    "placeholder": Entry(
        name="MissingPlaceholder",
        short="The command does not receive what it should check",
        why="A command of an artifact's eval finds the session by `{trace}`, and a command of a "
        "page's eval finds the page by `{file}`. Without it, or with the other one, it checks "
        "the same thing every time.",
        fix="Pass `{trace}` to a command in an artifact and `{file}` to a command in a page.",
        wrong=fenced(
            "metadata:\n  evals:\n    - {id: clean, grader: command, command: [check, '{file}']}"
        ),
        right=fenced(
            "metadata:\n  evals:\n    - {id: clean, grader: command, command: [check, '{trace}']}"
        ),
        severity=Severity.WARNING,
        tags=_TAGS,
    ),
    "skipped": Entry(
        name="EvalSkipped",
        short="Evals are switched off",
        why="A skipped eval looks like one that passes. It is reported so that nobody forgets "
        "it; this is a reminder and never fails a run by itself.",
        fix="Remove the key when the eval is to run again.",
        wrong=fenced("metadata:\n  eval-skip: true\n  evals: The session ran the tests."),
        right=fenced("metadata:\n  evals: The session ran the tests."),
        severity=Severity.NOTICE,
        tags=_TAGS,
    ),
    "use": Entry(
        name="UndefinedReference",
        short="A page uses an eval or a suite that the config does not define",
        why="`use` and `eval-suite` stand for definitions in the config's `docevals` section. "
        "Without the definition nothing is graded.",
        fix="Write the name of a defined eval or suite, or define it.",
        wrong=fenced("evals:\n  - use: link-resolve"),
        right=fenced("evals:\n  - use: links-resolve"),
        given="# manni.config.yaml\ndocevals:\n  evals:\n    links-resolve:\n"
        "      assertion: Every link resolves.",
        given_language="yaml",
        tags=_TAGS,
    ),
}
"""Keyword to the texts of the rules that both eval vocabularies share."""
