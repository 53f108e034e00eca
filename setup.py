"""Build the documentation site into the wheel. Everything else is declared in `pyproject.toml`."""

from __future__ import annotations

import sys
from pathlib import Path
from shutil import copytree

from setuptools import setup
from setuptools.command.build_py import build_py

# An isolated build does not have the folder of the project on its path.
sys.path.insert(0, str(Path(__file__).parent))

from ops.dev.docs import build_in_checkout


class BuildWithDocumentation(build_py):
    """Build the packages, and the site next to the package that serves it."""

    def run(self) -> None:
        """Build; an editable installation serves the site of its checkout instead."""
        super().run()
        if not self.editable_mode:
            site = Path(self.build_lib) / "api" / "documentation" / "site"
            copytree(build_in_checkout(), site)


setup(cmdclass={"build_py": BuildWithDocumentation})
