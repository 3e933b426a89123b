"""From settings to a report."""
