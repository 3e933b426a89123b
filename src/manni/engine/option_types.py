"""What an option is, and what its values mean.

Every `read_` function raises `argparse.ArgumentTypeError` with a sentence without a full stop.
"""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from manni.base.spelling import nearest
from manni.base.text import visible
from manni.engine.settings import BaselineChoice, BaselineMode, Output, Shard
from manni.model.findings import Severity
from manni.reports import REPORTERS

NONE = "none"
"""The value of an input that turns off what the config would name otherwise."""

_FLAGS = ("true", "false")
_OFF = "off"


class Form(StrEnum):
    """How an input of the action spells its value, as it is told to people."""

    TEXT = ""
    LIST = "One a line; on a single line, separated by spaces."
    FLAG = "`true` or `false`."
    FILE = "Relative to the workspace."


@dataclass(frozen=True, slots=True)
class Option:
    """One option of `manni meta validate`, or input of the action, or both.

    Attributes:
        field: of `Settings` or `Invocation` that takes its value. With dashes for underscores, the
            name of the input.
        usage: on the command line, as in `-s --schema REF...`: names, then what its value is called
            (words to choose from with bars between them, in brackets where it may be left out,
            with dots where it may be repeated). A switch has no value, what is no option has no
            name, and an input alone has neither.
        help: what it is for, in sentences of Markdown.
        read: turns the text of one value into what the field holds; it raises `ArgumentTypeError`
            with a sentence, without a full stop, about a text that is none.
        default: what the field holds without it.
        const: what a switch, or an option with its value left out, stands for.
        form: how the input spells its value; None where the action has no such input.
        note: sentences that hold for the input alone, in Markdown.
        off: the option that the value `none` of the input stands for, if any.
    """

    field: str
    usage: str
    help: str
    read: Callable[[str], object] = str
    default: str | None = None
    const: object = True
    form: Form | None = None
    note: str = ""
    off: str | None = None

    @property
    def names(self) -> list[str]:
        """Its names on the command line, the long one last."""
        return [word for word in self.usage.split() if word.startswith("-")]

    @property
    def value(self) -> str:
        """What its value is called, without marks; empty for a switch and for an input alone."""
        return self.usage.removeprefix(" ".join(self.names)).strip(" [].")

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that it takes; empty for any text."""
        return tuple(self.value.split("|")) if "|" in self.value else ()

    @property
    def is_repeatable(self) -> bool:
        """Whether it may be given again, so that the field holds a tuple."""
        return self.usage.endswith("...")

    def convert(self, text: str) -> object:
        """What one value means.

        Raises:
            ArgumentTypeError: it is not understood; the message is a sentence without an end.
        """
        if self.choices and text not in self.choices:
            raise ArgumentTypeError(f"there is no '{visible(text)}'; {one_of(text, self.choices)}")
        return self.read(text)

    def arguments(self, text: str) -> list[str]:
        """The arguments that one item of the input stands for; none for an input alone.

        Raises:
            ArgumentTypeError: it is not understood.
        """
        if self.off and text == NONE:
            return [self.off]
        if self.form is Form.FLAG:
            flag = text.lower()
            if flag not in _FLAGS:
                raise ArgumentTypeError(f"there is no '{visible(text)}'; {one_of(flag, _FLAGS)}")
            return self.names[-1:] if (flag == "true") is self.const else []
        self.convert(text)
        if self.value and not self.names:
            return [text]
        return [f"{name}={text}" for name in self.names[-1:]]

    @property
    def description(self) -> str:
        """What the help and the docs say of it on the command line, in Markdown."""
        repeated = "May be repeated." if self.names and self.is_repeatable else ""
        default = f"Default: `{self.default}`." if self.default else ""
        return " ".join(filter(None, (self.help, repeated, default)))

    @property
    def input_description(self) -> str:
        """What `action.yml` says of it, in Markdown."""
        return " ".join(filter(None, (self.help, self.note, self.form)))

    @property
    def input_default(self) -> str:
        """What the input is when it is left out, as `action.yml` spells it."""
        return self.default or ("" if self.form is not Form.FLAG else str(not self.const).lower())


def one_of(word: str, words: Sequence[str]) -> str:
    """What to write instead of a word: the nearest that is allowed, else any of them."""
    near = nearest(word, words)
    return f"did you mean '{near}'?" if near else f"use one of {', '.join(words)}"


def _count(text: str) -> int:
    """A whole number from 1, or 0 where the text is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0


def read_shard(text: str) -> Shard:
    """Read `K/N`, two whole numbers with 1 <= K <= N."""
    index, total = map(_count, text.partition("/")[::2])
    if 1 <= index <= total:
        return Shard(index, total)
    message = f"'{visible(text)}' is not a slice; write K/N with 1 <= K <= N, such as 1/8"
    raise ArgumentTypeError(message)


def read_category(text: str) -> str:
    """Read the category of a SARIF log, without slashes at its ends and all of it printable."""
    category = text.strip("/ ")
    if category and visible(category) == category:
        return category
    raise ArgumentTypeError(f"'{visible(text)}' is no category; use a short name such as validate")


def read_jobs(text: str) -> int:
    """Read a number of processes, from 1."""
    if jobs := _count(text):
        return jobs
    message = f"'{visible(text)}' is not a number of processes; use a whole number from 1"
    raise ArgumentTypeError(message)


def read_format(text: str) -> Output:
    """Read the name of a report format, as a report that has no file yet."""
    if text in REPORTERS:
        return Output(text)
    raise ArgumentTypeError(f"there is no format '{visible(text)}'; {one_of(text, [*REPORTERS])}")


def read_variable(text: str) -> str:
    """Read the name of a variable; a text that is none may be a token itself, and is not shown."""
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", text):
        return text
    message = "a value is no name of an environment variable; write its name, such as DOCS_TOKEN"
    raise ArgumentTypeError(message)


def read_host(text: str) -> str:
    """Read a host as the addresses of requests have it: lower case, without brackets."""
    host = text.lower().removeprefix("[").removesuffix("]")
    if re.fullmatch(r"[\w-]+(\.[\w-]+)*", host) or _is_address(host):
        return host
    message = f"'{visible(text)}' is no host; write its name alone, such as schemas.example.com"
    raise ArgumentTypeError(message)


def read_selectors(text: str) -> tuple[str, ...]:
    """Read rule ids, schema ids and globs of them, with commas between them."""
    names = tuple(name for each in text.split(",") if (name := each.strip()))
    if names:
        return names
    raise ArgumentTypeError("a list of rules is empty; write a rule id, a schema id or a glob")


def read_severity(text: str) -> tuple[str, Severity | None]:
    """Read `RULE=LEVEL`."""
    name, _, level = text.rpartition("=")
    if not name:
        message = f"'{visible(text)}' is no RULE=LEVEL, such as manni/malformed-fence=warning"
        raise ArgumentTypeError(message)
    levels = (*Severity, _OFF)
    if level not in levels:
        raise ArgumentTypeError(f"there is no severity '{visible(level)}'; {one_of(level, levels)}")
    return name, None if level == _OFF else Severity(level)


def _is_address(text: str) -> bool:
    from ipaddress import ip_address

    try:
        return bool(ip_address(text))
    except ValueError:
        return False


def read_baseline(text: str) -> BaselineChoice:
    """Read the file of a baseline to hold findings against."""
    return BaselineChoice(BaselineMode.USE, text, named=True)


def read_written_baseline(text: str) -> BaselineChoice:
    """Read the file of a baseline to write."""
    return BaselineChoice(BaselineMode.WRITE, text)
