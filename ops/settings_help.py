"""The settings by section, as in `esporles serve --help` and `docs/operate/settings.md`."""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from projections.platform.declarations import Variable
from projections.platform.settings import VARIABLES

SECTIONS: Final[Mapping[str, str]] = {
    "data": "Data",
    "host": "Addresses",
    "listen_fds": "Processes and hosts",
    "bots": "Bots and analyses",
    "changes_per_minute": "Limits",
    "openid_issuer": "Sign-in with a provider",
    "log_origin": "Transparency",
    "logs": "Logs, metrics, traces",
    "mail": "Mail and push",
}
"""The first field of each section -> its title.

A setting belongs to the section in which it is declared.
"""


def settings_by_section() -> Mapping[str, Sequence[Variable[Any]]]:
    """Return the declared settings by the title of their section."""
    variables_by_section: dict[str, list[Variable[Any]]] = {title: [] for title in SECTIONS.values()}
    title = ""
    for field, variable in VARIABLES.items():
        title = SECTIONS.get(field, title)
        variables_by_section[title].append(variable)
    return variables_by_section


def settings_help() -> str:
    """Return all settings by section as plain text: names, form, default and meaning."""
    lines = ["settings, read from the environment:"]
    for title, variables in settings_by_section().items():
        lines += ["", f"{title}:"]
        for variable in variables:
            lines += [
                f"  {' or '.join(variable.names)}: {variable.kind.form} (default: {variable.default_word})",
                f"      {variable.meaning}",
            ]
    return "\n".join(lines).replace("`", "")


def show_settings(parser: ArgumentParser) -> None:
    """Add the settings to the help of a command that reads them all."""
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = settings_help()
