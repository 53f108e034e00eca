"""What holds for all tests: whatever is tried follows from the seed of the run, however busy the machine is."""

import gc
from collections.abc import Callable, Iterator
from itertools import count

import pytest
import structlog
from hypothesis import HealthCheck, settings
from playwright.sync_api import Browser

from tests.domain.matches.postgres import fresh_database, postgres_server
from tests.pages.browsing import chromium
from tests.remembering import remember_signatures
from tests.seeding import DEFAULT, EXPLORING, IS_EXPLORING, SEED, VARIABLE, derive_number, sampled

settings.register_profile(
    "sampled",
    max_examples=sampled(100),
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("same", settings.get_profile("sampled"), derandomize=True)
settings.load_profile("same" if SEED == DEFAULT else "sampled")

DATABASES = count(1)

# What tests leave behind is little; looking for it after every 700 objects takes a quarter of a service's start.
gc.set_threshold(50_000)
remember_signatures()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The one browser of a process: a second one beside it could not be started."""
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The one PostgreSQL server of a process, started by the first test that asks for it."""
    with postgres_server() as address:
        yield address


@pytest.fixture
def another_postgres(postgres: str) -> Callable[[], str]:
    """Gives the address of one more empty database."""
    return lambda: fresh_database(postgres, f"fresh{next(DATABASES)}")


@pytest.fixture
def fresh_postgres(another_postgres: Callable[[], str]) -> str:
    """The address of an empty database."""
    return another_postgres()


@pytest.fixture(autouse=True)
def plain_logging() -> None:
    """Failures that are meant to happen need no coloured traces: with the values of all names they take seconds each,
    and minutes in a process that has run many tests. A test that sets up logs of its own puts this back."""
    if not structlog.is_configured():
        structlog.configure(processors=[structlog.processors.KeyValueRenderer()])


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Hypothesis takes its examples from the seed as well."""
    if config.option.hypothesis_seed is None:
        config.option.hypothesis_seed = derive_number("hypothesis")


def pytest_report_header() -> str:
    return f"seed: {VARIABLE}={SEED}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """How a run that failed is repeated: the luck of a test follows from the seed and its name."""
    if failed := terminalreporter.getreports("failed") + terminalreporter.getreports("error"):
        files = sorted({report.nodeid.partition("::")[0] for report in failed})
        exploring = f"{EXPLORING}=1 " if IS_EXPLORING else ""
        terminalreporter.section("the same again")
        terminalreporter.line(f"{exploring}{VARIABLE}={SEED} ops/test {' '.join(files)}")
