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
from manni.reports import REPORTERS

NONE = "none"
"""The value of an input that turns off what the config would name otherwise."""

_FLAGS = ("true", "false")


class Form(StrEnum):
    """How an input of the action spells its value, as it is told to people."""

    TEXT = ""
    LIST = "One a line; on a single line, separated by spaces."
    FLAG = "`true` or `false`."
    FILE = "Relative to the workspace."


@dataclass(frozen=True, slots=True)
class Input:
    """How the action takes an option.

    Attributes:
        name: of the input.
        form: how its value is spelled.
        default: what it is when it is left out, as `action.yml` spells it.
        note: sentences that hold for the input alone, in Markdown.
        off: the option that the value `none` stands for, if any.
    """

    name: str
    form: Form = Form.TEXT
    default: str = ""
    note: str = ""
    off: str | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """One option of `manni meta validate`, or input of the action, or both.

    Attributes:
        field: of `Settings` or `Invocation` that takes its value; for an input alone, its name.
        names: on the command line, such as `-s` and `--schema`; one without a dash stands for all
            arguments that are no options; empty where only the action has it.
        help: what it is for, in sentences of Markdown.
        value: what the help calls its value; empty for a switch and for a choice.
        many: whether it may be repeated; its values are then a tuple.
        choices: the words that it takes; empty for any text.
        read: turns the text of one value into what the field holds; it raises `ArgumentTypeError`
            with a sentence, without a full stop, about a text that is none.
        default: what the field holds without it.
        const: what a switch, or an option with its value left out, stands for; None where a value
            is needed.
        input: how the action takes it, or None where it does not.
    """

    field: str
    names: tuple[str, ...]
    help: str
    value: str = ""
    many: bool = False
    choices: tuple[str, ...] = ()
    read: Callable[[str], object] = str
    default: object = None
    const: object = None
    input: Input | None = None

    def convert(self, text: str) -> object:
        """What one value means.

        Raises:
            ArgumentTypeError: it is not understood; the message is a sentence without an end.
        """
        if self.choices and text not in self.choices:
            raise ArgumentTypeError(f"there is no '{visible(text)}'; {one_of(text, self.choices)}")
        return self.read(text)

    @property
    def is_positional(self) -> bool:
        """Whether it stands for the arguments that are no options."""
        return self.names == (self.field,)

    def arguments(self, text: str) -> list[str]:
        """The arguments that one item of the input stands for; none for an input alone.

        Raises:
            ArgumentTypeError: it is not understood.
        """
        form, off = (self.input.form, self.input.off) if self.input else (Form.TEXT, None)
        if off and text == NONE:
            return [off]
        if form is Form.FLAG:
            flag = text.lower()
            if flag not in _FLAGS:
                raise ArgumentTypeError(f"there is no '{visible(text)}'; {one_of(flag, _FLAGS)}")
            return [*self.names[-1:]] if flag == "true" else []
        self.convert(text)
        if self.is_positional:
            return [text]
        return [f"{name}={text}" for name in self.names[-1:]]

    @property
    def description(self) -> str:
        """What the help and the docs say of it on the command line, in Markdown."""
        repeated = "May be repeated." if self.many and not self.is_positional else ""
        default = f"Default: `{self.default}`." if isinstance(self.default, str) else ""
        return " ".join(filter(None, (self.help, repeated, default)))

    @property
    def input_description(self) -> str:
        """What `action.yml` says of it, in Markdown."""
        said = (self.help, self.input.note, self.input.form) if self.input else ()
        return " ".join(filter(None, said))


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
