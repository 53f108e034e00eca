"""Limits of size, banned calls and file names, unused modules, and texts that name missing files."""

import ast
import re
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from ops.cli import known_commands, module_of

"""One process reads the repository, once."""

ROOT: Final = Path(__file__).parent.parent
PACKAGES: Final = ("domain", "projections", "api", "workers", "ops")
FILE_LINES_MAX: Final = 400
FUNCTION_LINES_MAX: Final = 60

BANNED: Final = {
    r"\buuid4\(": (
        ("domain", "projections", "api", "workers", "tests"),
        "ids are made at the edge, of one entropy: `api.http.ids.Ids`; in tests `tests.seeding.new_id`",
    ),
    r"\b(datetime\.now|utcnow|date\.today|time\.time)\(": (
        ("domain", "projections", "api", "workers"),
        "the domain takes `at`; other floors call `projections.platform.clock.now`",
    ),
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

CLOCK: Final = "projections/platform/clock.py"
"""The only place that reads the time of the computer."""

DRAWERS: Final = {"utils.py", "util.py", "common.py", "misc.py", "helpers.py"}


def tracked_files(*suffixes: str) -> Iterator[Path]:
    """Yield the repository's files with one of the suffixes, tracked or to be added."""
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


SOURCES: Final = sorted(tracked_files(".py"))


@cache
def text_of(path: Path) -> str:
    """Return the text of a file."""
    return path.read_text()


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of the syntax tree of a source."""
    return tuple(ast.walk(ast.parse(text_of(path))))


def names(paths: Iterator[Path] | list[Path]) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in paths]


def test_no_file_is_longer_than_the_limit() -> None:
    """A file over 400 lines needs a better design."""
    long = {name: lines for name in names(SOURCES) if (lines := len(text_of(ROOT / name).splitlines())) > 400}
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


def lines_with(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of every line that contains a pattern."""
    if pattern.search(text):
        for number, line in enumerate(text.splitlines(), 1):
            if pattern.search(line):
                yield number, line


@pytest.mark.parametrize("pattern", sorted(BANNED))
def test_banned_calls_are_not_made(pattern: str) -> None:
    """Every banned call has a replacement, and the failure names it."""
    rooms, instead = BANNED[pattern]
    found = [
        f"{name}:{number}"
        for name in names(SOURCES)
        if name.startswith(tuple(f"{room}/" for room in rooms)) and name not in {"tests/test_tidy.py", CLOCK}
        for number, _ in lines_with(re.compile(pattern, re.MULTILINE), text_of(ROOT / name))
    ]
    assert not found, f"{pattern} in {found}: {instead}"


def test_no_drawer_files() -> None:
    """Files are named after a moment or a noun; `utils.py` is neither."""
    assert not [name for name in names(SOURCES) if Path(name).name in DRAWERS]


def test_domain_functions_contain_no_imports() -> None:
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


def modules_named_in(text: str) -> set[str]:
    """Return the modules named in a text: dotted, as files, or by imports."""
    dotted = set(re.findall(r"\w+(?:\.\w+)+", text))
    files = {found.replace("/", ".") for found in re.findall(r"(\w+(?:/\w+)+)\.py\b", text)}
    found = set[str]()
    for parts in (run.split(".") for run in dotted | files):
        found |= {".".join(parts[start:end]) for start in range(len(parts)) for end in range(start + 2, len(parts) + 1)}
    for parent, leaves in re.findall(r"from ([\w.]+) import (\([^)]*|[^#\n]*)", text):
        found |= {f"{parent}.{leaf}" for leaf in re.findall(r"\w+", leaves)}
    return found


def test_every_module_is_used() -> None:
    """A module that nothing imports, starts or names is dead."""
    text = "\n".join(text_of(path) for path in tracked_files(".py", ".toml", ".sh", ".md", ""))
    named = modules_named_in(text)
    parts = {re.sub(r"\{.*\}", "{}", found) for found in re.findall(r"(?:\w+\.)+titles\.\{[\w.]+\}(?:\.\w+)*", text)}
    commands = {module_of(name) for name in known_commands()}
    unused = []
    for path in SOURCES:
        name = module_name(path)
        if name.split(".")[0] not in PACKAGES or path.name == "__init__.py":
            continue
        if name in commands:
            continue
        if path.parent.name == "revisions" or path.match("migrations/env.py"):  # Alembic finds them by their folders.
            continue
        if name not in named and re.sub(r"\.titles\.\w+", ".titles.{}", name) not in parts:
            unused.append(name)
    assert not unused, unused


def test_no_file_names_a_machine() -> None:
    """The repository names no registry host and no path of a developer's machine."""
    hosts = ("files.pythonhosted" + ".org", "pypi" + ".org", "registry.npmjs" + ".org", "deb.debian" + ".org")
    found = []
    for path in tracked_files(".py", ".sh", ".toml", ".md", ".txt", ".yaml", ".html", ".js", ".css", ""):
        text = path.read_text(errors="replace")
        found += [f"{path.relative_to(ROOT)}: {host}" for host in hosts if host in text]
        if re.search(r"(^|[\s\"'(])/(work|root)/", text):
            found.append(f"{path.relative_to(ROOT)}: a path of one machine")
    assert not found, found


# Files that a text names.

SUFFIXES: Final = ("py", "md", "toml", "html", "po", "css", "js", "sh", "svg", "jsonl", "txt")
ANY_TEXT: Final = (*(f".{suffix}" for suffix in SUFFIXES), ".webp", "")
"""Suffixes of all files that a text may name."""
PATH: Final = re.compile(r"`([^`\s]+)`")
NAMED_FILE: Final = re.compile(rf"[\w.-]+(?:/[\w.-]+)*\.(?:{'|'.join(SUFFIXES)})")
NAMED_FOLDER: Final = re.compile(r"[\w.-]+(?:/[\w.-]+)*/")
NAMED_BELOW_A_FLOOR: Final = re.compile(rf"(?:{'|'.join((*PACKAGES, 'tests', 'docs'))})/[\w./-]+")
NAMED_MODULE: Final = re.compile(rf"(?:{'|'.join((*PACKAGES, 'tests'))})(?:\.\w+)+")
LINKED: Final = re.compile(r"\]\((?!https?:|#)([^)\s]+)\)")
PLACEHOLDER: Final = re.compile(r"[A-Z]{2,}(?![\w.]*\.md)|\bX\b|[*{}…]")
"""Placeholders such as `TITLE`, `FLOOR` or `*`. `README.md` is a name."""
NO_PART_OF_THE_TREE: Final = {"var/", "node_modules/", ".venv/", *DRAWERS}
"""Folders that a run creates, and banned file names."""


def is_in_the_tree(path: str, beside: Path) -> bool:
    """Return whether a path exists from the root or from a folder above the text.

    A bare file name may be anywhere, a decision may be named by its number, a template as pages name it.
    """
    folders = [folder for folder in (beside.parent, *beside.parent.parents) if folder.is_relative_to(ROOT)]
    if any((folder / path).exists() for folder in folders) or path in FILE_NAMES:
        return True
    if path.startswith("ops/decisions/"):
        return len(list(ROOT.glob(f"{path}-*.md"))) == 1
    subject, _, template = path.partition("/")
    return path.endswith(".html") and (ROOT / "api" / subject / "templates" / template).is_file()


FILE_NAMES: Final = frozenset(path.name for path in tracked_files(*ANY_TEXT))


def is_module(name: str) -> bool:
    """Return whether a dotted name is a module or a name that a module defines."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        path = ROOT.joinpath(*parts[:end])
        if path.is_dir():
            return end == len(parts) or defines(path / "__init__.py", parts[end])
        if path.with_suffix(".py").is_file():
            return end == len(parts) or defines(path.with_suffix(".py"), parts[end])
    return False


def defines(path: Path, name: str) -> bool:
    return (
        path.is_file() and re.search(rf"^(?:async )?(?:def |class )?{name}\b", text_of(path), re.MULTILINE) is not None
    )


def missing_in(text: str, beside: Path) -> list[str]:
    """Return the names in backquotes and the links of a text that do not exist."""
    found = []
    for name in [*PATH.findall(text), *LINKED.findall(text)]:
        word = name.rstrip(",.;")
        if PLACEHOLDER.search(word) or word in NO_PART_OF_THE_TREE or word.startswith("/"):
            continue
        word = word.partition(":")[0]
        is_path = any(form.fullmatch(word) for form in (NAMED_FILE, NAMED_FOLDER, NAMED_BELOW_A_FLOOR))
        if (is_path and not is_in_the_tree(word, beside)) or (
            not is_path and NAMED_MODULE.fullmatch(word) and not is_module(word)
        ):
            found.append(f"{beside.relative_to(ROOT)}: {name}")
    return found


def docstrings(path: Path) -> Iterator[str]:
    """Yield the docstrings of modules, classes, functions and values."""
    for node in nodes(path):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def comments(path: Path) -> str:
    return "\n".join(line.partition("#")[2] for line in text_of(path).splitlines() if "#" in line)


def documents() -> list[Path]:
    """Return all pages except the changelog and the decisions, which describe the past."""
    pages = [path for path in tracked_files(".md") if path.name != "CHANGELOG.md"]
    return sorted(path for path in pages if not path.is_relative_to(ROOT / "ops" / "decisions"))


def test_documents_name_existing_files() -> None:
    assert not [fault for path in documents() for fault in missing_in(text_of(path), path)]


def test_docstrings_and_comments_name_existing_files() -> None:
    texts = [(path, text) for path in SOURCES for text in (*docstrings(path), comments(path))]
    assert not [fault for path, text in texts for fault in missing_in(text, path)]


def test_a_missing_path_is_found() -> None:
    """Test the search itself on paths, modules and links that exist or do not exist."""
    text = (
        "`domain/desk/` `domain.desk.roles` `docs/nowhere.md` `nowhere.py` [away](docs/away.md) `api/routes`"
        " `domain/kernel/` `domain.kernel.rules.HOUSE` `docs/index.md` [log](docs/index.md) `/api/matches`"
        " `bot/cannot_play` `domain/titles/TITLE/` `*.py` `ops/decisions/0012` `tournaments/standings.html`"
    )
    expected = ["domain/desk/", "domain.desk.roles", "docs/nowhere.md", "nowhere.py", "api/routes", "docs/away.md"]
    assert missing_in(text, ROOT / "README.md") == [f"README.md: {name}" for name in expected]
