"""`manni action`: one step of a workflow."""

from __future__ import annotations

from argparse import RawDescriptionHelpFormatter
from collections.abc import Sequence
from textwrap import fill

from manni import __version__
from manni.engine.arguments import Parser
from manni.engine.options import INPUTS


def run(argv: Sequence[str]) -> int:
    """Run the step that the environment describes, or help.

    Raises:
        UsageError: there are arguments; nothing is run or written then.
    """
    parser = Parser(
        prog="manni action",
        description="Run as a step of a workflow. It takes no arguments: its inputs are\n"
        "environment variables, INPUT_PATHS for the input `paths` and so on.",
        epilog=_inputs(),
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"manni {__version__}")
    parser.read(argv)
    from manni.action.step import run_action

    return run_action()


def _inputs() -> str:
    """The inputs with their defaults, for the end of the help."""
    lines = ["inputs:"]
    for name, option in INPUTS.items():
        default = f" Default: {option.input_default}." if option.input_default else ""
        text = option.input_description.replace("`", "'") + default
        lines += [f"  {name}", fill(text, 78, initial_indent=" " * 6, subsequent_indent=" " * 6)]
    return "\n".join(lines)
