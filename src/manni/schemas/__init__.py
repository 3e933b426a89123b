"""Which schemas an artifact is checked against, and where they come from."""
