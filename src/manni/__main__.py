"""`python -m manni` is `manni`."""

from manni.cli.main import process

process()
