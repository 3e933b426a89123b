"""`manni.config.yaml`: found, read, checked."""
