"""The container's side: a step of a workflow."""
