"""manni-action: the front matter of agent artifacts, checked against JSON Schemas."""

__version__ = "0.1.0"
