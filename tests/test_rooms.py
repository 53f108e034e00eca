"""The map in `docs/rooms.md` agrees with the tree in both directions, and what a text names as a path is there."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.test_tidy import DRAWERS, ROOT, SOURCES, nodes, tracked

MAP: Final = ROOT / "docs" / "rooms.md"
FLOORS: Final = ("domain", "projections", "api", "workers", "ops")
NEEDS_NO_ROW: Final = {"__init__.py", "README.md", "__pycache__"}
"""What any folder may hold beside its rooms."""

PATH: Final = re.compile(r"`([^`\s]+)`")
SINGULAR: Final = {
    "tournaments": "tournament",
    "leagues": "league",
    "ratings": "ratings",
    "studies": "study",
    "disputes": "dispute",
    "roles": "audit",
    "accounts": "account",
    "notifications": "bounce",
    "analyses": "analyse",
    "transparency": "witness",
}
"""What the console calls a subject."""


def table_below(heading: str) -> tuple[list[str], list[list[str]]]:
    """The head and the rows of the first table under a heading of the map."""
    text = MAP.read_text().split(f"# {heading}\n", 1)[1]
    lines = re.search(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert lines is not None, heading
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[0].splitlines()]
    assert all(len(row) == len(rows[0]) for row in rows), heading
    return rows[0], rows[2:]


def rooms_of(heading: str) -> dict[str, dict[str, tuple[str, ...]]]:
    """Name of a row -> floor -> the paths in its cell, from the root; none where the cell says `-`."""
    head, rows = table_below(heading)
    floors = [cell.strip("`/") for cell in head[1:]]
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for row in rows:
        assert all(PATH.search(cell) or cell == "-" for cell in row[1:]), row
        cells = zip(floors, row[1:], strict=True)
        found[row[0]] = {floor: tuple(f"{floor}/{path}" for path in PATH.findall(cell)) for floor, cell in cells}
    return found


SUBJECTS: Final = rooms_of("Subjects")
TITLES: Final = rooms_of("A title")


def named_by(rooms: dict[str, dict[str, tuple[str, ...]]]) -> set[str]:
    return {path for floors in rooms.values() for paths in floors.values() for path in paths}


def all_named() -> set[str]:
    """Every path of the map, from the root."""
    full = {path for path in PATH.findall(MAP.read_text()) if path.split("/")[0] in (*FLOORS, "tests")}
    floors = {f"{floor}/" for floor in (*FLOORS, "tests")}
    of_api = {
        f"api/{row[0]}/{path}" for row in table_below("A subject on the floor of the API")[1] for path in paths(row)
    }
    return (
        {path for path in full if not PLACEHOLDER.search(path)} - floors
        | named_by(SUBJECTS)
        | named_by(TITLES)
        | of_api
    )


def paths(row: list[str]) -> list[str]:
    return [path for cell in row for path in PATH.findall(cell)]


def entries_of(folder: str) -> set[str]:
    """What stands directly in a folder of the tree, folders with a slash behind them; untracked rubbish left out."""
    found = {path.relative_to(ROOT / folder).parts for path in EVERYTHING if path.is_relative_to(ROOT / folder)}
    return {f"{folder}/{parts[0]}{'/' * (len(parts) > 1)}" for parts in found if parts[0] not in NEEDS_NO_ROW}


EVERYTHING: Final = frozenset(
    tracked(".py", ".md", ".toml", ".html", ".po", ".css", ".js", ".sh", ".svg", ".jsonl", ".txt", ".webp", "")
)


def is_there(path: str) -> bool:
    """A folder is named with a slash behind it, a file without."""
    return (ROOT / path).is_dir() if path.endswith("/") else (ROOT / path).is_file()


def test_everything_on_the_map_is_in_the_tree() -> None:
    assert not [path for path in sorted(all_named()) if not is_there(path)]


@pytest.mark.parametrize("folder", [*FLOORS, "api/web", "ops/commands"])
def test_everything_in_the_tree_is_on_the_map(folder: str) -> None:
    """Each file and folder directly in a floor, in `api/web/` and among the commands has its place there."""
    assert not entries_of(folder) - all_named()


def test_every_title_of_a_floor_is_on_the_map() -> None:
    for floor in ("domain", "api", "ops"):
        folders = {path for path in entries_of(f"{floor}/titles") if path.endswith("/")} - {
            f"{floor}/titles/templates/"
        }
        assert folders == {path for rooms in TITLES.values() for path in rooms[floor]}
    assert entries_of("workers/bots/titles") == {path for rooms in TITLES.values() for path in rooms["workers"]}


@pytest.mark.parametrize("subject", sorted(SUBJECTS))
def test_a_subject_has_the_same_name_on_every_floor(subject: str) -> None:
    """The folder or the file of its name; the console says it in the singular."""
    for floor, rooms in SUBJECTS[subject].items():
        allowed = {f"{floor}/{subject}/", f"{floor}/{subject}.py"}
        if floor == "ops":
            command = f"commands/{SINGULAR.get(subject, subject)}_.py"
            allowed |= {f"ops/{command}", f"ops/dev/{command}", f"ops/dev/bench/{subject}.py", f"ops/dev/{subject}/"}
        if subject == "titles":
            allowed.add("workers/bots/titles/")
        assert set(rooms) <= allowed
        assert len([path for path in rooms if "/commands/" not in path and "/bench/" not in path]) <= 1


@pytest.mark.parametrize("title", sorted(TITLES))
def test_a_title_has_the_same_name_on_every_floor(title: str) -> None:
    """The domain has it; another floor has what the title brings there."""
    assert TITLES[title]["domain"]
    for rooms in TITLES[title].values():
        assert all(Path(path).name.startswith(title) for path in rooms)


def test_a_subject_that_the_map_leaves_out_on_a_floor_is_not_there() -> None:
    """A `-` is a finding too: no room of the name is on that floor under another row."""
    for subject, floors in SUBJECTS.items():
        missing = [floor for floor, rooms in floors.items() if not rooms]
        assert not [floor for floor in missing if entries_of(floor) & {f"{floor}/{subject}/", f"{floor}/{subject}.py"}]


def test_the_parts_of_a_subject_on_the_floor_of_the_api_are_those_of_the_map() -> None:
    """Service, wire, routes, pages, templates: each a file or a folder of that name, or none."""
    head, rows = table_below("A subject on the floor of the API")
    assert {row[0] for row in rows} == set(SUBJECTS) - {"titles"}
    for row in rows:
        here = {path.removeprefix(f"api/{row[0]}/") for path in entries_of(f"api/{row[0]}")}
        for part, cell in zip(head[1:], row[1:], strict=True):
            assert {f"`{name}`" for name in (f"{part}.py", f"{part}/") if name in here} == set(
                re.findall("`.*?`", cell)
            )


def test_tests_stand_in_the_rooms_of_what_they_test() -> None:
    """A folder below `tests/FLOOR/` has the name of a room of that floor; every other folder of tests is on the map."""
    for floor in FLOORS:
        folders = {path.removeprefix("tests/") for path in entries_of(f"tests/{floor}") if path.endswith("/")}
        assert folders <= {path.removesuffix("/").removesuffix(".py") + "/" for path in entries_of(floor)}
    others = {path for path in entries_of("tests") if path.endswith("/")} - {f"tests/{floor}/" for floor in FLOORS}
    named = {path for row in table_below("Tests")[1] for path in paths(row)}
    assert named <= others <= named | {f"tests/{subject}/" for subject in SUBJECTS}


# What texts name

SUFFIXES: Final = ("py", "md", "toml", "html", "po", "css", "js", "sh", "svg", "jsonl", "txt")
NAMED_FILE: Final = re.compile(rf"[\w.-]+(?:/[\w.-]+)*\.(?:{'|'.join(SUFFIXES)})")
NAMED_FOLDER: Final = re.compile(r"[\w.-]+(?:/[\w.-]+)*/")
NAMED_BELOW_A_FLOOR: Final = re.compile(rf"(?:{'|'.join((*FLOORS, 'tests', 'docs'))})/[\w./-]+")
NAMED_MODULE: Final = re.compile(rf"(?:{'|'.join((*FLOORS, 'tests'))})(?:\.\w+)+")
LINKED: Final = re.compile(r"\]\((?!https?:|#)([^)\s]+)\)")
PLACEHOLDER: Final = re.compile(r"[A-Z]{2,}(?![\w.]*\.md)|\bX\b|[*{}…]")
"""`TITLE`, `FLOOR`, `*`: the reader puts something in its place. `README.md` is a name."""
NO_PART_OF_THE_TREE: Final = {"var/", "node_modules/", ".venv/", *DRAWERS}
"""What a run makes, and the names that no file may have."""


def is_in_the_tree(path: str, beside: Path) -> bool:
    """From the root, from the folder of the text or one above it; a bare file name anywhere, a decision by its number,
    a template as pages name it."""
    folders = [folder for folder in (beside.parent, *beside.parent.parents) if folder.is_relative_to(ROOT)]
    if any((folder / path).exists() for folder in folders) or path in FILE_NAMES:
        return True
    if path.startswith("ops/decisions/"):
        return len(list(ROOT.glob(f"{path}-*.md"))) == 1
    subject, _, template = path.partition("/")
    return path.endswith(".html") and (ROOT / "api" / subject / "templates" / template).is_file()


FILE_NAMES: Final = frozenset(path.name for path in EVERYTHING)


def is_module(name: str) -> bool:
    """A module, or what a module defines, by the name that an import would use."""
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
        path.is_file()
        and re.search(rf"^(?:async )?(?:def |class )?{name}\b", path.read_text(), re.MULTILINE) is not None
    )


def missing_in(text: str, beside: Path) -> list[str]:
    """What the text names in backquotes, or links to, and what is not there."""
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
    """Every string of a source that stands for itself: of modules, classes, functions, and below values."""
    for node in nodes(path):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def comments(path: Path) -> str:
    return "\n".join(line.partition("#")[2] for line in path.read_text().splitlines() if "#" in line)


def documents() -> list[Path]:
    """All pages but those that tell of a time: the changelog and the decisions."""
    pages = [path for path in tracked(".md") if path.name != "CHANGELOG.md"]
    return sorted(path for path in pages if not path.is_relative_to(ROOT / "ops" / "decisions"))


def test_what_documents_name_is_there() -> None:
    assert not [fault for path in documents() if path != MAP for fault in missing_in(path.read_text(), path)]


def test_what_docstrings_and_comments_name_is_there() -> None:
    texts = [(path, text) for path in SOURCES for text in (*docstrings(path), comments(path))]
    assert not [fault for path, text in texts for fault in missing_in(text, path)]


def test_a_path_that_is_not_there_is_found() -> None:
    """The search itself: what it takes for a path, a module or a link, and what it leaves alone."""
    text = (
        "`domain/desk/` `domain.desk.roles` `docs/nowhere.md` `nowhere.py` [away](docs/away.md) `api/routes`"
        " `domain/kernel/` `domain.kernel.rules.HOUSE` `docs/log.md` [log](docs/log.md) `/api/matches`"
        " `bot/cannot_play` `domain/titles/TITLE/` `*.py` `ops/decisions/0012` `tournaments/standings.html`"
    )
    expected = ["domain/desk/", "domain.desk.roles", "docs/nowhere.md", "nowhere.py", "api/routes", "docs/away.md"]
    assert missing_in(text, ROOT / "README.md") == [f"README.md: {name}" for name in expected]
