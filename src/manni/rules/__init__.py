"""Every rule: its texts, its checks, and what would satisfy it."""
