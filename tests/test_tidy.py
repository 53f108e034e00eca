"""The house is tidy: sizes, banned calls with their replacement, no drawer files, nothing unused."""

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from ops.cli import known_commands, module_of

"""One process reads the repository, and reads it once."""

ROOT: Final = Path(__file__).parent.parent
PACKAGES: Final = ("domain", "projections", "api", "workers", "ops")
FILE_LINES_MAX: Final = 400
FUNCTION_LINES_MAX: Final = 60

BANNED: Final = {
    r"\buuid4\(": (
        ("domain", "projections", "api", "workers", "tests"),
        "ids are made at the edge, of one entropy: `api.web.ids.Ids`; in tests `tests.seeding.new_id`",
    ),
    r"\b(datetime\.now|utcnow)\(": (("domain", "projections"), "time is read once at the edge: take `at`"),
    r"\btime\.time\(": (("domain",), "rules and logs never read a clock: take `at`"),
    r"^import random|^from random": (("domain", "projections", "api", "workers"), "use kernel.chance"),
    r"structs\.replace": (
        ("domain/titles", "domain/matches"),
        "change values through kernel.values.replace",
    ),
    r"\btime\.sleep\(|asyncio\.sleep\((?!0\))": (("tests",), "wait for a condition: an event, a line, an answer"),
    r"pytest\.(skip|xfail|mark\.skip|mark\.xfail)": (("tests",), "a skipped test proves nothing"),
    r"unittest\.mock|\bmonkeypatch\.setattr\(": (("tests",), "write a fake by hand, or use the real part"),
    r"\bprint\(": (("domain", "projections", "api", "workers"), "log through structlog; only the console prints"),
    r"\bTODO\b|\bFIXME\b|\bXXX\b|NotImplementedError": ((*PACKAGES, "tests"), "do it, or say so in the closing note"),
}
"""pattern -> (where it is banned, what to do instead)"""

DRAWERS: Final = {"utils.py", "util.py", "common.py", "misc.py", "helpers.py"}


def tracked(*suffixes: str) -> Iterator[Path]:
    """The repository's files with one of the suffixes, as git knows them or would add them."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for line in listing.stdout.splitlines():
        path = ROOT / line
        if path.suffix in suffixes and path.exists():
            yield path


SOURCES: Final = sorted(tracked(".py"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Everything in the syntax tree of a source."""
    return tuple(ast.walk(ast.parse(path.read_text())))


def names(paths: Iterator[Path] | list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


def test_no_file_is_longer_than_the_limit() -> None:
    """A file over 400 lines is a remark on the design."""
    long = {name: lines for name in names(SOURCES) if (lines := len((ROOT / name).read_text().splitlines())) > 400}
    assert not long, f"over {FILE_LINES_MAX} lines: {long}"


def test_no_function_is_longer_than_the_limit() -> None:
    """A function over 60 lines does more than one thing."""
    long = []
    for path in SOURCES:
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > FUNCTION_LINES_MAX:
                    long.append(f"{path.relative_to(ROOT)}:{node.lineno} {node.name} ({lines})")
    assert not long, "\n".join(long)


@pytest.mark.parametrize("pattern", sorted(BANNED))
def test_banned_calls_are_not_made(pattern: str) -> None:
    """Every banned call has a replacement, and the failure names it."""
    rooms, instead = BANNED[pattern]
    found = [
        f"{name}:{number}"
        for name in names(SOURCES)
        if name.startswith(tuple(f"{room}/" for room in rooms)) and name != "tests/test_tidy.py"
        for number, line in enumerate((ROOT / name).read_text().splitlines(), 1)
        if re.search(pattern, line)
    ]
    assert not found, f"{pattern} in {found}: {instead}"


def test_no_drawer_files() -> None:
    """Files are named after a moment or a noun; `utils.py` is neither."""
    assert not [name for name in names(SOURCES) if Path(name).name in DRAWERS]


def test_no_import_stands_inside_a_function_of_the_domain() -> None:
    """An import inside a function hides a dependency from the contracts' readers."""
    found = [
        f"{path.relative_to(ROOT)}:{inner.lineno}"
        for path in SOURCES
        if path.relative_to(ROOT).parts[0] in {"domain", "projections", "api", "workers"}
        for node in nodes(path)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(node)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    ]
    assert not found, found


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def mentioned(text: str) -> set[str]:
    """The modules a text names: with dots, as a file, or by what is imported from where."""
    dotted = set(re.findall(r"\w+(?:\.\w+)+", text))
    files = {found.replace("/", ".") for found in re.findall(r"(\w+(?:/\w+)+)\.py\b", text)}
    found = set[str]()
    for parts in (run.split(".") for run in dotted | files):
        found |= {".".join(parts[start:end]) for start in range(len(parts)) for end in range(start + 2, len(parts) + 1)}
    for parent, leaves in re.findall(r"from ([\w.]+) import (\([^)]*|[^#\n]*)", text):
        found |= {f"{parent}.{leaf}" for leaf in re.findall(r"\w+", leaves)}
    return found


def test_every_module_is_used() -> None:
    """A module nobody imports, starts or names is dead."""
    text = "\n".join(path.read_text() for path in tracked(".py", ".toml", ".sh", ".md", ""))
    named = mentioned(text)
    parts = {re.sub(r"\{.*\}", "{}", found) for found in re.findall(r"(?:\w+\.)+titles\.\{[\w.]+\}(?:\.\w+)*", text)}
    commands = {module_of(name) for name in known_commands()}
    unused = []
    for path in SOURCES:
        name = module_name(path)
        if name.split(".")[0] not in PACKAGES or path.name == "__init__.py":
            continue
        if name in commands:
            continue
        if name not in named and re.sub(r"\.titles\.\w+", ".titles.{}", name) not in parts:
            unused.append(name)
    assert not unused, unused


def test_nothing_of_one_machine_is_written_down() -> None:
    """No registry's host and no path of the machine a file was written on stands in the repository."""
    hosts = ("files.pythonhosted" + ".org", "pypi" + ".org", "registry.npmjs" + ".org", "deb.debian" + ".org")
    found = []
    for path in tracked(".py", ".sh", ".toml", ".md", ".txt", ".yaml", ".html", ".js", ".css", ""):
        text = path.read_text(errors="replace")
        found += [f"{path.relative_to(ROOT)}: {host}" for host in hosts if host in text]
        if re.search(r"(^|[\s\"'(])/(work|root)/", text):
            found.append(f"{path.relative_to(ROOT)}: a path of one machine")
    assert not found, found
