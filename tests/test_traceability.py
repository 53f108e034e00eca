"""Every rule in scope is cited by a test; `rule_ids.txt` next to a title's tests lists the rules."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest

TESTS: Final = Path(__file__).parent
RULE: Final = re.compile(r"\b(?:LG|EG)-\d+(?:\.\d+)*\b")
LISTS: Final = sorted(TESTS.glob("domain/titles/*/rule_ids.txt"))


def rules_in_scope(listing: Path) -> list[str]:
    """Return the ids of a list; text after `#` explains why a rule is out of scope, or its location."""
    lines = (line.split("#")[0].strip() for line in listing.read_text().splitlines())
    return [line for line in lines if line]


@cache
def citations() -> dict[str, set[str]]:
    """Return the tests that cite a rule in their text, by rule id."""
    found: dict[str, set[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        text = path.read_text()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                source = "\n".join(text.splitlines()[first - 1 : node.end_lineno])
                for rule in RULE.findall(source):
                    found.setdefault(rule, set()).add(f"{path.relative_to(TESTS)}::{node.name}")
    return found


def test_there_is_a_list_of_rules() -> None:
    """Without a list nothing would be checked."""
    assert LISTS
    assert all(rules_in_scope(listing) for listing in LISTS)


@pytest.mark.parametrize("listing", LISTS, ids=lambda path: path.parent.name)
def test_every_rule_in_scope_is_cited_by_a_test(listing: Path) -> None:
    """A rule without a test is not implemented."""
    cited = citations()
    missing = [rule for rule in rules_in_scope(listing) if rule not in cited]
    assert not missing, f"{len(missing)} rules without a test: {missing}"


def test_no_test_cites_a_rule_that_does_not_exist() -> None:
    """A mistyped citation would prove nothing."""
    known = {rule for listing in LISTS for rule in RULE.findall(listing.read_text())}
    unknown = {rule: tests for rule, tests in citations().items() if rule not in known and "." in rule}
    assert not unknown, unknown
