"""The seed of the run, shared fixtures and sampling. Tests of the rules load nothing else, so they start fast."""

import gc
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from tests.seeding import EXPLORING, IS_EXPLORING, SEED, VARIABLE, WALKS, walks_left_out

TESTS: Final = Path(__file__).parent
EVERYTHING: Final = ("examples", "services", "stores")
FIXTURES: Final[Mapping[str, tuple[str, ...]]] = {
    "domain": ("stores",),
    **dict.fromkeys((f"domain/{room}" for room in ("titles", "kernel", "pairing", "designs", "standings")), ()),
}
"""The modules of `tests.fixtures` that a folder needs, if fewer than all.

Importing a browser, a web framework and a database driver takes longer than all tests of a title's rules.
"""

# Tests leave little garbage; collecting after every 700 objects takes a quarter of the start of a service.
gc.set_threshold(50_000, 20, 20)


def pytest_collectstart(collector: pytest.Collector) -> None:
    """Load the shared fixtures of a module's folder before the module is imported."""
    if not isinstance(collector, pytest.Module):
        return
    folders = collector.path.relative_to(TESTS).parts[:-1]
    names = next((FIXTURES[path] for path in places_of(folders) if path in FIXTURES), EVERYTHING)
    for name in names:
        collector.config.pluginmanager.import_plugin(f"tests.fixtures.{name}")
    if "hypothesis" in collector.path.read_text():
        collector.config.pluginmanager.import_plugin("tests.fixtures.examples")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Sample the walks, unless the run explores or names files."""
    marks = {item: mark for item in items if (mark := item.get_closest_marker("walk"))}
    names = {item: name_of_walk(item, mark) for item, mark in marks.items()}
    counts = {names[item]: mark.kwargs.get("one_in", WALKS) for item, mark in marks.items()}
    left_out = walks_left_out(counts, config.args)
    skipped = {item for item, name in names.items() if name in left_out}
    if skipped:
        config.hook.pytest_deselected(items=[*skipped])
        items[:] = [item for item in items if item not in skipped]


def name_of_walk(item: pytest.Item, mark: pytest.Mark) -> str:
    """Return the name of the walk to which a test belongs: the test itself, unless the mark has a name.

    Tests of one file share a name if they share a costly fixture.
    """
    return f"{item.nodeid.partition('::')[0]}::{mark.args[0]}" if mark.args else item.nodeid


def pytest_collection_finish() -> None:
    """Exclude imported modules and collected tests from garbage collection: they live as long as the process."""
    gc.collect()
    gc.freeze()


def places_of(folders: tuple[str, ...]) -> list[str]:
    """Return the paths of a folder and its parents, longest first."""
    return ["/".join(folders[:length]) for length in range(len(folders), 0, -1)]


def pytest_report_header() -> str:
    return f"seed: {VARIABLE}={SEED}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the command that repeats a failed run."""
    if failed := terminalreporter.getreports("failed") + terminalreporter.getreports("error"):
        files = sorted({report.nodeid.partition("::")[0] for report in failed})
        exploring = f"{EXPLORING}=1 " if IS_EXPLORING else ""
        terminalreporter.section("the same again")
        terminalreporter.line(f"{exploring}{VARIABLE}={SEED} ops/test {' '.join(files)}")
