"""Generate the reference of the commands: `python -m ops.dev.command_page` writes `docs/operate/commands.md`."""

from __future__ import annotations

from argparse import SUPPRESS, Action, ArgumentParser, HelpFormatter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from ops.cli import COMMANDS, DEVELOPERS_COMMANDS, parser_of

PAGE: Final = Path(__file__).parents[2] / "docs" / "operate" / "commands.md"
HEAD: Final = """# Commands

`.venv/bin/esporles COMMAND` runs a command, and `esporles COMMAND --help` prints its part of this
page. Every command takes `--json`, which prints one JSON document and nothing else. The exit status
is 0 on success, 1 on a negative finding and 2 on wrong usage.

Generated from the parsers in `ops/` by `python -m ops.dev.command_page`. Do not edit by hand.
"""
TABLE: Final = "| argument | meaning |\n|---|---|"
EVERYWHERE: Final = frozenset({"-h", "--json"})
"""Options of every command, which the head of the page explains."""


class Collector(HelpFormatter):
    """A formatter that collects the arguments of a parser instead of formatting them."""

    collected: list[Action]

    def add_arguments(self, actions: Iterable[Action]) -> None:
        """Keep the arguments of a group."""
        self.collected.extend(actions)


def actions_of(parser: ArgumentParser) -> list[Action]:
    """Return all arguments of a parser, with the subcommands as one; this changes the parser's formatter."""
    actions: list[Action] = []

    class OfParser(Collector):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.collected = actions

    parser.formatter_class = OfParser
    parser.format_help()
    return actions


def arguments_of(parser: ArgumentParser) -> list[Action]:
    """Return the arguments of a parser, except the common ones."""
    actions = actions_of(parser)
    return [action for action in actions if EVERYWHERE.isdisjoint(action.option_strings) and action.help != SUPPRESS]


def form_of(action: Action) -> str:
    """Return an argument as it is typed: its option names, if any, and its value."""
    name = action.metavar or ("|".join(map(str, action.choices)) if action.choices else action.dest.upper())
    value = "" if action.nargs == 0 else " ".join(name) if isinstance(name, tuple) else str(name)
    if action.nargs in {"*", "+"}:
        value = f"{value} …"
    return " ".join(filter(None, (", ".join(action.option_strings), value)))


def row(action: Action) -> str:
    """Return an argument as a Markdown row: its form and its help."""
    variables: Mapping[str, Any] = vars(action)
    cells = (f"`{form_of(action)}`", (action.help or "") % variables)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells).strip() + " |"


def section(command: str, parser: ArgumentParser) -> str:
    """Return a command in Markdown: heading, description and arguments, followed by its subcommands."""
    arguments = arguments_of(parser)
    parts = [f"### `{command}`", parser.description or ""]
    choices = [action for action in arguments if isinstance(action.choices, Mapping)]
    rows = [row(action) for action in arguments if action not in choices]
    if rows:
        parts.append("\n".join((TABLE, *rows)))
    parts += [
        section(f"{command} {name}", each) for action in choices for name, each in dict(action.choices or ()).items()
    ]
    return "\n\n".join(filter(None, parts))


def page() -> str:
    """Return the reference page, with the commands of operators before those of developers."""
    parts = [HEAD]
    for title, names in (("Commands of operators", COMMANDS), ("Commands of developers", DEVELOPERS_COMMANDS)):
        parts += [f"## {title}\n", *(f"{section(name, parser_of(name))}\n" for name in names)]
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page())
