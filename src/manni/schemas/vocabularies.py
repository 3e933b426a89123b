"""Words of schemas that have a meaning here: the ids of the eval vocabularies, and keywords."""

from __future__ import annotations

ARTIFACT_EVALS = "manni:artifact-evals:1.0.0"
"""Id of the vocabulary whose keys stand below `metadata`; it is about sessions."""

ARTIFACT_EVALS_STRICT = "manni:artifact-evals-strict:1.0.0"
"""Id of the overlay whose schema closes the list of graders."""

PAGE_EVALS = "manni:evals:1.0.0-proposal.4"
"""Id of the vocabulary whose keys stand at the root; it is about pages."""

EVAL_VOCABULARIES = frozenset({ARTIFACT_EVALS, PAGE_EVALS})

LOCATION = "x-manni-location"
"""The annotation that says where a top-level property is best stored."""

SEVERITY = "x-manni-severity"
"""The annotation that lowers the severity of what its schema finds."""

REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
"""The keywords that hold a reference to another schema."""
