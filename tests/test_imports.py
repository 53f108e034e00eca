"""Import contracts of pyproject.toml, no import cycles, and services as the only entry points."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

import pytest
from grimp import ImportGraph, build_graph
from importlinter.cli import lint_imports

from domain.kernel.loading import has_module, load
from tests.test_tidy import ROOT, SOURCES, nodes

FLOORS: Final = ("domain", "projections", "api", "workers", "ops")
BY_NAME: Final = re.compile(r"\b(import_module|__import__|resolve_name|find_spec|exec_module|load_module|run_module)\b")
NO_IMPORT: Final = {"ops/embedded_valkey.py": ["find_spec"]}
"""The file that locates the queue's binary without importing its package."""
NAMED: Final = re.compile(rf"(?:{'|'.join(FLOORS)})(?:\.\w+)+:\w+")
LATE: Final = {
    ("domain/eventstore/store_settings.py", "domain.eventstore.postgres_recorder", "domain.eventstore.store_settings"),
    ("projections/platform/database.py", "projections.platform.postgres", "projections.platform.store"),
    ("projections/platform/statements.py", "sqlalchemy.dialects.postgresql.psycopg", "api.app"),
    ("projections/platform/migrations/schema.py", "projections.platform.migrations.upgrading", "api.app"),
    ("workers/main.py", "projections.platform.leader_election", "workers.main"),
    ("projections/platform/telemetry/spans.py", "projections.platform.telemetry.exporting", "workers.main"),
    ("projections/platform/telemetry/spans.py", "projections.platform.telemetry.exporting", "api.app"),
    ("workers/main.py", "workers.notifications.delivery", "workers.main"),
    ("workers/tournaments.py", "domain.pairing.methods", "workers.main"),
    ("ops/commands/serve_.py", "domain.matches.data_files", "ops.commands.serve_"),
    ("ops/commands/serve_.py", "projections.platform.telemetry.logs", "ops.commands.serve_"),
    ("ops/service.py", "api.app", "ops.service"),
    ("ops/web.py", "api.http.guards", "ops.service"),
    ("api/accounts/provider.py", "api.accounts.openid", "api.app"),
    ("projections/platform/valkey_urls.py", "redis.connection", "ops.commands.serve_"),
    ("api/tournaments/files.py", "api.tournaments.pdf", "api.app"),
    ("api/leagues/files.py", "api.leagues.pdf", "api.app"),
    ("ops/commands/league_.py", "ops.leagues.simulation.command", "ops.commands.league_"),
    ("ops/leagues/simulation/service.py", "api.app", "ops.commands.league_"),
    ("api/accounts/passkey_service.py", "api.accounts.passkeys", "api.app"),
    ("domain/transparency/ristretto.py", "rbcl", "ops.commands.verify_"),
    ("ops/players.py", "workers.matches.bot_turn", "ops.cli"),
    ("ops/commands/audit_.py", "ops.computing.spread", "ops.commands.audit_"),
    ("ops/commands/audit_.py", "ops.computing.kinds", "ops.commands.audit_"),
    ("ops/computing/kinds.py", "ops.dev.computing", "ops.cli"),
}
"""Lazily imported modules by file, and the entry point that starts without them. Each saves 10 ms or more."""
HANDED_TO_A_THREAD: Final = {"execute", "read_log"}
"""Methods of the match service that accept functions of the log; only services may call them."""


def is_of_a_handler(path: Path) -> bool:
    """Return whether the file contains routes or pages of a subject."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return parts[0] == "api" and len(parts) > 2 and parts[2] in {"routes", "pages"}


def functions_handed_over(path: Path) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{node.lineno}: {node.attr}"
        for node in nodes(path)
        if isinstance(node, ast.Attribute) and node.attr in HANDED_TO_A_THREAD
    ]


@cache
def imports() -> ImportGraph:
    """Return the graph of all imports between the floors."""
    return build_graph(*FLOORS, cache_dir=None)


def test_imports_point_inwards() -> None:
    """Every contract of STYLE §6 is kept."""
    assert lint_imports(no_cache=True) == 0


def test_operators_tools_import_no_tools_of_developers() -> None:
    """Wheels do not contain `ops.dev`."""
    graph = imports()
    tools = {module for module in graph.modules if (module + ".").startswith("ops.dev.")}

    importers = {each for module in tools for each in graph.find_modules_that_directly_import(module)}

    assert importers <= tools


def test_there_are_no_import_cycles() -> None:
    """Also for type-only imports: of two such files neither can be read first."""
    graph = imports()

    TopologicalSorter({module: graph.find_modules_directly_imported_by(module) for module in graph.modules}).prepare()


def test_rankings_do_not_depend_on_leagues() -> None:
    """Leagues seed players by rankings, so rankings must not depend on leagues."""
    graph = imports()
    of_leagues = {module for module in graph.modules if module.startswith("api.leagues.")}

    for module in ("api.ratings.service", "api.ratings.schemas"):
        assert not graph.find_upstream_modules(module) & of_leagues


def sources() -> Iterator[tuple[str, str]]:
    """Yield path and text of every source of the product."""
    for floor in FLOORS:
        for path in sorted((ROOT / floor).rglob("*.py")):
            yield str(path.relative_to(ROOT)), path.read_text()


def calls_of_load(text: str) -> Iterator[list[ast.expr]]:
    """Yield the arguments of `load` and `find_part`."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"load", "find_part"}:
            yield node.args


def test_imports_by_name_are_in_one_file() -> None:
    found = {name: BY_NAME.findall(text) for name, text in sources() if BY_NAME.search(text)}

    assert set(found.pop("domain/kernel/loading.py")) == {"import_module", "find_spec"}
    assert {name: sorted(set(modules)) for name, modules in found.items()} == NO_IMPORT


def test_no_string_names_a_module_member() -> None:
    found = [
        f"{name}:{node.lineno} {node.value}"
        for name, text in sources()
        if NAMED.search(text)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and NAMED.fullmatch(node.value)
    ]

    assert not found


def test_lazily_imported_modules_are_listed_and_exist() -> None:
    """Modules with complete names; others depend on a title or command and contain `{}`."""
    late = set()
    for name, text in sources():
        if "domain.kernel.loading import" not in text:
            continue
        for module, attribute in calls_of_load(text):
            if isinstance(module, ast.Constant):
                where, what = ast.literal_eval(module), ast.literal_eval(attribute)
                load(where, what)
                late.add((name, where))

    assert late == {(name, module) for name, module, _ in LATE}


@pytest.mark.parametrize("start", sorted({start for _, _, start in LATE}))
def test_lazily_imported_modules_are_not_imported_earlier(start: str) -> None:
    """A module that is imported at the start anyway needs no lazy import."""
    late = {module for _, module, started in LATE if started == start}
    program = f"import sys, {start}; sys.exit(' '.join({late!r} & set(sys.modules)) or 0)"

    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0


def test_verify_loads_rarely_needed_modules_lazily() -> None:
    """Most files are one log: ratings, progress bars and queues would dominate the time of its command."""
    late = {f"ops.verifying.{kind}" for kind in ("event", "several", "spread")}
    program = f"import sys, ops.commands.verify_; sys.exit(bool({late} & set(sys.modules)))"

    assert all(map(has_module, late))
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0


def test_handlers_pass_no_functions_to_the_log() -> None:
    """Handlers call the service of their subject, which knows the thread and the transaction."""
    handlers = [path for path in SOURCES if is_of_a_handler(path)]

    assert {path.relative_to(ROOT).parts[1] for path in handlers} >= {"matches", "tournaments", "accounts"}
    assert not [fault for path in handlers for fault in functions_handed_over(path)]
    assert functions_handed_over(ROOT / "api" / "matches" / "match_reading.py")


def test_tests_of_rules_load_no_framework() -> None:
    """Importing a browser, a web framework and a database driver takes longer than all tests of a title's rules."""
    program = (
        "import sys, pytest\n"
        "class Loaded:\n"
        "    def pytest_collection_finish(self): self.modules = set(sys.modules)\n"
        "loaded = Loaded()\n"
        "arguments = ['-q', '-p', 'no:cacheprovider', 'tests/domain/titles/la_granja/test_farm.py']\n"
        "failed = pytest.main(arguments, [loaded])\n"
        "unwanted = {'litestar', 'playwright', 'psycopg', 'eventsourcing', 'hypothesis'}\n"
        "sys.exit(failed or ' '.join(unwanted & loaded.modules) or 0)\n"
    )

    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")
