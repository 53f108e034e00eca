"""Generate the reference of the settings: `python -m ops.dev.settings` writes `docs/operate/settings.md`."""

import re
from pathlib import Path
from typing import Any, Final

from ops.settings_help import settings_by_section
from projections.platform.declarations import NONE, Variable

PAGE: Final = Path(__file__).parents[2] / "docs" / "operate" / "settings.md"
HEAD: Final = """# Settings

Every process reads its settings from the environment when it starts. An invalid value ends the
process with a message that names the variable and the value. `esporles serve --help` and
`esporles run --help` print this list. An empty variable counts as unset, except that an empty `1`
or `0` means `0`. Of several names, the first that is set counts.

Generated from `projections/platform/settings.py` by `python -m ops.dev.settings`. Do not edit by hand.
"""
DOCUMENT: Final = re.compile(r"`docs/([\w-]+)/([\w-]+)\.md`")
"""A page named in the meaning of a setting; shown as a link."""
TABLE: Final = "| variable | value | default | meaning |\n|---|---|---|---|"


def row(variable: Variable[Any]) -> str:
    """Return a setting as a row of the table, with links to the pages that its meaning names."""
    names = ", ".join(f"`{name}`" for name in variable.names)
    default = NONE if variable.default_word == NONE else f"`{variable.default_word}`"
    meaning = DOCUMENT.sub(lambda match: f"[{match[2]}](../{match[1]}/{match[2]}.md)", variable.meaning)
    return f"| {names} | {variable.kind.form} | {default} | {meaning} |"


def page() -> str:
    """Return the reference page."""
    parts = [HEAD]
    for title, variables in settings_by_section().items():
        parts.append("\n".join((f"## {title}", "", TABLE, *map(row, variables))) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page())
