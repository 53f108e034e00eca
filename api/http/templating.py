"""Template loading from the `templates` folders of subjects and titles."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from jinja2 import BaseLoader, FileSystemLoader, PrefixLoader

API: Final = Path(__file__).parent.parent
FOLDER: Final = "templates"


def template_folders(root: Path = API) -> dict[str, Path]:
    """Return the template folders under a root, by the name of the subject or title."""
    return {folder.parent.name: folder for folder in sorted(root.glob(f"**/{FOLDER}"))}


def loader_of(folders: dict[str, Path]) -> BaseLoader:
    """Return a loader that finds `tournaments/standings.html` in the folder of `tournaments`."""
    return PrefixLoader({name: FileSystemLoader(folder) for name, folder in folders.items()})
