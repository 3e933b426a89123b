"""The eval vocabularies: schemas whose artifacts have more checks than schemas can state."""

from __future__ import annotations

ARTIFACT_EVALS = "manni:artifact-evals:1.0.0"
"""Id of the vocabulary whose keys stand below `metadata`; it is about sessions."""

ARTIFACT_EVALS_STRICT = "manni:artifact-evals-strict:1.0.0"
"""Id of the overlay whose schema closes the list of graders."""

PAGE_EVALS = "manni:evals:1.0.0-proposal.4"
"""Id of the vocabulary whose keys stand at the root; it is about pages."""

EVAL_VOCABULARIES = frozenset({ARTIFACT_EVALS, PAGE_EVALS})
