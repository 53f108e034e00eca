"""Where templates are found: in the `templates` folder of the subject or title they belong to, under its name."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from jinja2 import BaseLoader, FileSystemLoader, PrefixLoader

API: Final = Path(__file__).parent.parent
FOLDER: Final = "templates"


def template_folders(root: Path = API) -> dict[str, Path]:
    """The folders of templates under a floor's root, each by the name of the subject or title it belongs to."""
    return {folder.parent.name: folder for folder in sorted(root.glob(f"**/{FOLDER}"))}


def loader_of(folders: dict[str, Path]) -> BaseLoader:
    """Loads `tournaments/standings.html` from the templates of `tournaments`."""
    return PrefixLoader({name: FileSystemLoader(folder) for name, folder in folders.items()})
