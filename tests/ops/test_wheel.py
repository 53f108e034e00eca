"""The content of the project's wheel, and the console run from it."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree
from zipfile import ZipFile

import pytest

from api import VERSION
from ops.cli import main
from ops.dev.docs import STAMP, build_in_checkout

ROOT = Path(__file__).parents[2]
ROOMS = ("api", "domain", "ops", "projections", "workers")
GOLDEN = ROOT / "tests" / "golden"
SITE = "api/documentation/site/"
BUILDER = ("setup.py", "ops/dev/__init__.py", "ops/dev/docs.py", "CHANGELOG.md", "CONTRIBUTING.md")
"""The files that build the documentation site. They are not in the wheel."""


def belonging() -> list[str]:
    """Return the files of the rooms that are, or are about to be, in the repository, without the developers' tools."""
    process = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", *ROOMS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    names = [name for name in process.stdout.splitlines() if not name.startswith("ops/dev/")]
    return sorted(name for name in names if (ROOT / name).is_file())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Provide the wheel, built from a copy, because building leaves files behind, with the site of the checkout."""
    site = build_in_checkout()
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    docs = [str(path.relative_to(ROOT)) for path in (ROOT / "docs").rglob("*") if path.is_file()]
    for name in (*belonging(), *docs, *BUILDER, "pyproject.toml", "README.md", "LICENSE"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((ROOT / name).read_bytes())
    copytree(site, source / site.relative_to(ROOT))
    (source / STAMP.relative_to(ROOT)).touch()
    build = ["wheel", "--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--wheel-dir"]
    subprocess.run([sys.executable, "-m", "pip", *build, str(target), str(source)], check=True)
    (wheel,) = target.glob("*.whl")
    return wheel


@pytest.mark.walk
def test_a_wheel_carries_every_file_of_the_rooms(wheel: Path) -> None:
    """Subpackages, component tables, catalogues, templates and static files: exactly the existing ones."""
    with ZipFile(wheel) as content:
        names = sorted(name for name in content.namelist() if name.partition("/")[0] in ROOMS)

    assert [name for name in names if not name.startswith(SITE)] == belonging()
    assert {f"{SITE}index.html", f"{SITE}searchindex.js", f"{SITE}_static/theme.js"} <= set(names)
    assert f"-{VERSION}-" in wheel.name


def test_the_console_prints_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"esporles {VERSION}\n"


def test_the_console_verifies_a_log_from_the_wheel_alone(wheel: Path, tmp_path: Path) -> None:
    """The repository is not on the path, so only files of the wheel are read."""
    with ZipFile(wheel) as content:
        content.extractall(tmp_path)
    environment = dict(os.environ) | {"PYTHONPATH": str(tmp_path)}
    log = next(iter(sorted(GOLDEN.rglob("*.jsonl"))))
    code = "import ops.cli, sys; print(ops.cli.__file__); sys.exit(ops.cli.main())"

    process = subprocess.run(
        [sys.executable, "-P", "-c", code, "verify", str(log)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )

    assert process.returncode == 0, process.stderr
    assert process.stdout.startswith(str(tmp_path))
    assert "good " in process.stdout
