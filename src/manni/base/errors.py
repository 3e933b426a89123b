"""The one family of errors that end a run without a verdict (exit code 2)."""

from __future__ import annotations


class OperationalError(Exception):
    """The run cannot produce a verdict.

    The message is one clear sentence for a person: where, what, and how to mend it. The command
    line prints it as `manni: <message>` and exits with 2; nothing else ever catches it.

    Args:
        message: the sentence, without the place.
        where: the file, or `file:line` or `file:line:column` (1-based), that it is about.
    """

    def __init__(self, message: str, *, where: str | None = None) -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.where = where


def defect(error: Exception) -> str:
    """What is said of an error that nobody foresaw, in place of a traceback."""
    return (
        f"this is a defect of manni itself ({type(error).__name__}: {error}). "
        "Please report it, with the output of the same command under MANNI_DEBUG=1."
    )


class UsageError(OperationalError):
    """The command line, or an input of the action, is wrong."""


class ConfigError(OperationalError):
    """`manni.config.yaml`, or a file that it names, is wrong."""


class SchemaError(OperationalError):
    """A schema cannot be found, read, trusted or compiled."""


class TargetError(OperationalError):
    """A path cannot be checked, or nothing matched."""
