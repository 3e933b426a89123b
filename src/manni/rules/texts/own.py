"""This tool's own rules: reading, fences, the choice of schemas, where values are stored."""

from __future__ import annotations

from manni.model.findings import Severity
from manni.rules.texts import Entry, fenced

_READING = ("front-matter", "syntax")
_STORAGE = ("front-matter", "external-metadata")

TOOL = {
    "manni/parse-error": Entry(
        name="ParseError",
        short="The front matter cannot be read",
        why="A host that cannot read the front matter drops all of it, mostly without a word. "
        "The commonest cause is a colon followed by a space in a plain value, which YAML takes "
        "for a key of its own.",
        fix="Put quotes around the value, or mend the syntax at the line and column given.",
        wrong=fenced("name: tidy\ndescription: Makes pages ready for release: fixes titles."),
        right=fenced("name: tidy\ndescription: 'Makes pages ready for release: fixes titles.'"),
        tags=_READING,
    ),
    "manni/schema-error": Entry(
        name="SchemaError",
        short="No schema could be chosen for the file",
        why="A file that is checked against nothing would pass whatever it says. Either nothing "
        "names a schema for it, or the schema that it names in `$schema` cannot be used.",
        fix="Name a schema with an override in `manni.config.yaml`, with `-s`, or with `$schema` "
        "in the front matter; a path there stays inside the repository, and `schemaTrust` "
        "decides about addresses.",
        wrong=fenced("$schema: ../../../outside/skill.schema.json\nname: tidy"),
        right=fenced("$schema: anthropic:claude-skill:2.1\nname: tidy"),
        tags=("front-matter", "configuration"),
    ),
    "manni/unclosed-front-matter": Entry(
        name="UnclosedFrontMatter",
        short="The front matter is opened and never closed",
        why="Without the closing fence a host takes the whole file for text, and every key in it "
        "is lost.",
        fix="Write the closing fence, the same as the opening one, on a line of its own.",
        wrong="---\nname: tidy\n\n# Tidy\n",
        right="---\nname: tidy\n---\n\n# Tidy\n",
        language="markdown",
        tags=_READING,
    ),
    "manni/misplaced-front-matter": Entry(
        name="MisplacedFrontMatter",
        short="The front matter does not start at the first character",
        why="Hosts look for front matter at the very start of a file, between two lines of exactly "
        "three dashes. Behind blank lines, characters that show nothing, an HTML comment or a "
        "`%YAML` line, with longer or typographic dashes, or with line ends that only some "
        "readers know, it is text to them, although it looks right to every reviewer.",
        fix="Remove what stands before the opening fence, and write both fences as `---`.",
        wrong="\n---\nname: tidy\n---\n",
        right="---\nname: tidy\n---\n",
        language="markdown",
        tags=_READING,
    ),
    "manni/malformed-fence": Entry(
        name="MalformedFence",
        short="Trailing spaces make a fence no fence",
        why="A fence is the whole line. With spaces after it a host does not see it, and the "
        "front matter is lost or runs into the text.",
        fix="Remove the spaces at the end of the line.",
        wrong="--- \nname: tidy\n---\n",
        right="---\nname: tidy\n---\n",
        language="markdown",
        tags=_READING,
    ),
    "manni/link-outside": Entry(
        name="LinkOutside",
        short="A symbolic link leaves the repository",
        why="Following it would check, and quote in reports, a file that is not part of the "
        "repository. It is never opened.",
        fix="Replace the link with the file, or with a link to a file inside the repository.",
        wrong="ln -s /home/me/notes/SKILL.md skills/notes/SKILL.md\n",
        right="ln -s ../../shared/notes/SKILL.md skills/notes/SKILL.md\n",
        language="sh",
        tags=("files",),
    ),
}
"""Rule id to the texts of the rules about reading a file."""

_COLLECTION = """\
# manni.config.yaml
collections:
  - name: guides
    paths: ["guides/*.md"]
    externalMetadata:
      - file: guides-meta.yaml
        keys: [jira]"""

STORAGE = {
    "location:external/location": Entry(
        name="StoredInThePage",
        short="A value is stored in the page and its schema prefers a manifest",
        why="The schema marks the key `external`: it serves the checks of the repository, and "
        "readers and agents that load the page do nothing with it. Kept in the page, it is "
        "shipped to all of them. This is advice and never fails a run by itself.",
        fix="Move the key to a manifest that the collection names under `externalMetadata`.",
        wrong=fenced("name: fix-bug\nmetadata:\n  evals: The session ran the tests."),
        right="# skills.metadata.yaml\n.claude/skills/fix-bug/SKILL.md:\n  metadata:\n"
        "    evals: The session ran the tests.\n",
        severity=Severity.WARNING,
        given='{"properties": {"metadata": {"x-manni-location": "external"}}}',
        tags=_STORAGE,
    ),
    "location:page/location": Entry(
        name="StoredInManifest",
        short="A value is stored in a manifest and its schema prefers the page",
        why="The schema marks the key `page`: readers or agents that load the page act on it, "
        "and what is kept in a manifest never reaches them. This is advice and never fails a "
        "run by itself.",
        fix="Move the key from the manifest to the front matter of the page.",
        wrong="# guides-meta.yaml\nguides/start.md:\n  title: Getting started\n",
        right=fenced("title: Getting started"),
        severity=Severity.WARNING,
        given='{"properties": {"title": {"x-manni-location": "page"}}}',
        tags=_STORAGE,
    ),
    "external:owned/external": Entry(
        name="OwnedByManifest",
        short="A page carries a key that a manifest owns",
        why="With two places for one value, one of them goes stale unseen. The page's value is "
        "the one that was checked.",
        fix="Remove the key from the page, or take it out of the manifest's `keys`.",
        wrong="---\ntitle: Getting started\njira: DOC-7\n---\n",
        right="---\ntitle: Getting started\n---\n",
        given=_COLLECTION,
        given_language="yaml",
        tags=_STORAGE,
    ),
    "external:duplicate/external": Entry(
        name="DuplicateJoinValue",
        short="Two pages carry the same join value",
        why="The manifest finds a page by the value of one of its keys. When two pages carry the "
        "same value, both get metadata that was written for one of them.",
        fix="Give each page a value of its own.",
        wrong="# a.md\nslug: start\n\n# b.md\nslug: start\n",
        right="# a.md\nslug: start\n\n# b.md\nslug: next-steps\n",
        given=f"{_COLLECTION}\n        join: slug",
        given_language="yaml",
        tags=_STORAGE,
    ),
}
"""Rule id to the texts of the rules about where values are stored."""
