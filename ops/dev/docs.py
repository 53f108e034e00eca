"""Build the documentation site: `python -m ops.dev.docs` writes `build/docs/site`, without network.

The sources are `docs/`, the decisions in `ops/decisions/` and a few other pages. `setup.py` builds the same site into
the wheel, and `ops/serve` starts this module when the site is missing or stale.
"""

from __future__ import annotations

import fcntl
import re
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).parents[2]
COPIED: Final = {
    "CHANGELOG.md": "develop/changelog.md",
    "CONTRIBUTING.md": "develop/contributing.md",
    "domain/README.md": "develop/domain.md",
}
"""Pages outside `docs/` -> their place in the site."""
SOURCES: Final = ("docs", "ops/decisions", *COPIED)
BUILD: Final = ROOT / "build" / "docs"
SITE: Final = BUILD / "site"
STAMP: Final = BUILD / "built"
"""A file whose modification time is the start of the last successful build."""
DOCUMENT_LINK: Final = re.compile(r"\]\(docs/")
README_LINK: Final = re.compile(r"\]\(README\.md[^)]*\)")
DECISION_LINK: Final = re.compile(r"\]\((?:\.\./)+ops/decisions/")
"""A link from a page to a decision, as the repository's viewers resolve it."""

GENERATORS: Final = (
    "ops.dev.access",
    "ops.dev.command_page",
    "ops.dev.metrics_page",
    "ops.dev.refusals_page",
    "ops.dev.settings",
)
"""Modules that write the generated pages of `docs/`."""


class BuildFailed(Exception):
    """Sphinx reported errors or warnings."""


def source_files() -> Iterator[Path]:
    """Yield the files that the site is built from."""
    for name in SOURCES:
        path = ROOT / name
        yield from (path,) if path.is_file() else (each for each in sorted(path.rglob("*")) if each.is_file())


def is_stale() -> bool:
    """Return whether the site of this checkout is missing or older than its sources."""
    return not STAMP.is_file() or any(path.stat().st_mtime > STAMP.stat().st_mtime for path in source_files())


def stage(target: Path) -> None:
    """Copy the sources to one folder, with the decisions and other pages in its part "Develop"; adapt their links."""
    shutil.copytree(ROOT / "docs", target, dirs_exist_ok=True)
    for page in target.rglob("*.md"):
        text = page.read_text()
        if DECISION_LINK.search(text):
            parent = "../" * (len(page.relative_to(target).parts) - 1)
            page.write_text(DECISION_LINK.sub(f"]({parent}develop/decisions/", text))
    shutil.copytree(ROOT / "ops" / "decisions", target / "develop" / "decisions", dirs_exist_ok=True)
    for name, name_in_site in COPIED.items():
        text = README_LINK.sub("](../index.md)", (ROOT / name).read_text())
        (target / name_in_site).write_text(DOCUMENT_LINK.sub("](../", text))


def build(target: Path) -> None:
    """Build the site into a folder that does not exist, without the sources' copies.

    Raises `BuildFailed` on any warning.
    """
    with TemporaryDirectory() as folder:
        source, doctrees = Path(folder) / "source", Path(folder) / "doctrees"
        stage(source)
        sphinx = [sys.executable, "-m", "sphinx", "--builder", "html", "--fail-on-warning", "--quiet", "--jobs", "1"]
        result = subprocess.run(
            [*sphinx, "--doctree-dir", str(doctrees), str(source), str(target)],
            capture_output=True,
            text=True,
            check=False,
        )
        if result.returncode:
            raise BuildFailed(result.stderr.replace(f"{source}/", "docs/").strip())
    shutil.rmtree(target / "_sources", ignore_errors=True)
    (target / ".buildinfo").unlink(missing_ok=True)
    (target / "objects.inv").unlink(missing_ok=True)


def build_in_checkout() -> Path:
    """Build the site of this checkout if it is stale, and return its folder. Only one process builds at a time.

    A failed build raises `BuildFailed` and leaves the old site.
    """
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if is_stale():
            started, new_site = BUILD / "started", BUILD / "new"
            started.touch()
            shutil.rmtree(new_site, ignore_errors=True)
            build(new_site)
            shutil.rmtree(SITE, ignore_errors=True)
            new_site.rename(SITE)
            started.rename(STAMP)
    return SITE


def main() -> int:
    """Build the site if it is stale and print its location; return 1 with the reason on stderr if that fails.

    With `--check` only return 1 if it is stale; with `--generate` first update the generated pages.
    """
    parser = ArgumentParser(prog="ops/docs", description="Build the documentation site from docs/.")
    parser.add_argument("--generate", action="store_true", help="first update the generated pages in docs/")
    parser.add_argument(
        "--check", action="store_true", help="exit with 1 if the site is missing or stale; build nothing"
    )
    options = parser.parse_args()
    if options.check:
        return int(is_stale())
    for generator in GENERATORS if options.generate else ():
        subprocess.run([sys.executable, "-m", generator], cwd=ROOT, check=True)
    try:
        site = build_in_checkout()
    except BuildFailed as failure:
        print(failure, file=sys.stderr)
        return 1
    print(f"{site / 'index.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
