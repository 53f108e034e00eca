"""Run the console examples of README.md and update their output there: `python -m ops.dev.readme`.

`tests/ops/dev/test_readme.py` fails if the file differs from the output of the commands.
"""

import re
import shlex
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

README: Final = Path(__file__).parents[2] / "README.md"
EXAMPLE: Final = re.compile(r"```console\n\$ (?P<command>[^\n]+)\n(?P<output>.*?)```", re.DOTALL)


def print_example(command: str, folder: str) -> str:
    """Return the output of a README command, run in a folder; `| head -N` keeps the first lines.

    Raises `AssertionError` for a command of another program, `CalledProcessError` if it fails.
    """
    command, _, line_count = command.partition(" | head -")
    args = shlex.split(command)
    assert args[0] == "esporles", f"{command!r} is not a command of ours"
    result = subprocess.run(
        [sys.executable, "-m", "ops.cli", *args[1:]], cwd=folder, capture_output=True, text=True, check=True
    )
    lines = result.stdout.splitlines(keepends=True)
    return "".join(lines[: int(line_count)] if line_count else lines)


def renew(text: str) -> str:
    """Return the README with the current output of every example; all run in one folder, in order."""
    with TemporaryDirectory() as folder:

        def example(match: re.Match[str]) -> str:
            return f"```console\n$ {match['command']}\n{print_example(match['command'], folder)}```"

        return EXAMPLE.sub(example, text)


if __name__ == "__main__":
    README.write_text(renew(README.read_text()))
