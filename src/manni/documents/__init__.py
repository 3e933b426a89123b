"""From the bytes of an artifact to its metadata, with a place for every value."""
