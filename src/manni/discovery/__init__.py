"""Which files a run checks."""
