"""From findings to edits: which fix a finding gets, applying fixes, their diff, writing files."""
