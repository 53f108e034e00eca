"""The README shows the current output of its commands, and the first change in CONTRIBUTING works."""

import ast
import re
from textwrap import dedent

from ops.dev.readme import EXAMPLE, README, renew
from tests.ops import test_show


def test_the_examples_of_the_readme_print_what_it_shows() -> None:
    """`python -m ops.dev.readme` updates them."""
    text = README.read_text()

    assert len(EXAMPLE.findall(text)) >= 3
    assert renew(text) == text


def test_the_test_of_the_first_change_uses_names_that_exist() -> None:
    text = README.with_name("CONTRIBUTING.md").read_text()
    (example,) = (part for part in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "def test_" in part)
    used = {node.id for node in ast.walk(ast.parse(dedent(example))) if isinstance(node, ast.Name)}

    assert used - {"capsys", "str"} <= vars(test_show).keys()
