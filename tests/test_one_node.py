"""`docs/operate/one-node.md` lists exactly the code that assumes a single PostgreSQL node."""

import ast
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tests.test_tidy import ROOT, nodes

PAGE: Final = ROOT / "docs" / "operate" / "one-node.md"
FLOORS: Final = ("domain", "projections", "api", "workers", "ops")
KINDS: Final[Mapping[str, re.Pattern[str]]] = {
    "advisory lock": re.compile(r"pg_(try_)?advisory_"),
    "foreign key": re.compile(r"REFERENCES \w+ ON DELETE"),
    "sequence": re.compile(r"\b(nextval|setval|bigserial|AS IDENTITY|CREATE SEQUENCE)\b"),
    "table lock": re.compile(r"\bLOCK TABLE\b"),
}
DECLARED: Final[Mapping[str, str]] = {"ForeignKey": "foreign key", "Identity": "sequence"}
"""Kinds of statements by the function in a table declaration."""
FUNCTIONS: Final[Mapping[str, str]] = {"setval": "sequence", "pg_sequence_last_value": "sequence"}
"""Database functions called by `sqlalchemy.func`."""
APPENDS: Final = {"record", "restore", "append", "add", "open", "fork", "note"}
"""Methods that add something to a transaction."""


def sources() -> list[Path]:
    """Return the product's sources; benches have separate databases."""
    paths = (path for floor in FLOORS for path in sorted((ROOT / floor).rglob("*.py")))
    return [path for path in paths if path.relative_to(ROOT).parts[:2] != ("ops", "dev")]


def kinds_in(path: Path) -> set[str]:
    """Return the kinds of statements in a file."""
    texts = [node.value for node in nodes(path) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    called = {node.func.id for node in nodes(path) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    from_sqlalchemy = {
        alias.name
        for node in nodes(path)
        if isinstance(node, ast.ImportFrom) and node.module == "sqlalchemy"
        for alias in node.names
    }
    declared = {kind for name, kind in DECLARED.items() if name in called & from_sqlalchemy}
    functions = {node.attr for node in nodes(path) if isinstance(node, ast.Attribute)}
    declared |= {kind for name, kind in FUNCTIONS.items() if name in functions}
    return declared | {kind for kind, pattern in KINDS.items() if any(pattern.search(text) for text in texts)}


def adds_to_a_batch(path: Path) -> bool:
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in APPENDS
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "batch"
        for node in nodes(path)
    )


def rows_below(heading: str) -> dict[str, str]:
    """Return the first two columns of the table below a heading, by file."""
    _, _, rest = PAGE.read_text().partition(f"## {heading}\n")
    part = rest.partition("\n## ")[0]
    return dict(re.findall(r"^\| `([^`]+)` \| ([^|]+) \|", part, re.MULTILINE))


def test_every_statement_that_assumes_one_node_is_listed() -> None:
    found = {str(path.relative_to(ROOT)): kinds for path in sources() if (kinds := kinds_in(path))}

    listed = rows_below("Statements that assume one node")
    assert {file: set(kinds.split(", ")) for file, kinds in listed.items()} == found


def test_every_file_that_composes_transactions_is_listed() -> None:
    found = {str(path.relative_to(ROOT)) for path in sources() if adds_to_a_batch(path)}

    assert set(rows_below("Transactions over several streams")) == found


def test_lock_numbers_are_unique() -> None:
    """Advisory locks of one database are identified by number."""
    numbers = [
        node.value.value
        for path in sources()
        for node in nodes(path)
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, int)
        and node.value.value > 0x4000_0000
        and str(getattr(node.target, "id", "")).endswith(("LOCK", "WRITER", "LEADER"))
    ]

    assert len(numbers) == len(set(numbers)) > 3
