"""External metadata: manifests, and joining them to artifacts."""
