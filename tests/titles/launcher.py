"""The processes of a service with an additional title: `python -m tests.titles.launcher service`."""

import sys
from typing import Final

from domain.kernel.title import Titles, titles_by_name
from domain.titles import TITLES
from ops import service
from tests.launching import create_app
from tests.titles.corsairs.title import CORSAIRS
from workers import main
from workers.bots import build_bots
from workers.matches.bot_turn import Players

LONGER_LIST: Final[Titles] = titles_by_name(*TITLES.values(), CORSAIRS)
PLAYERS: Final = Players(LONGER_LIST, build_bots(LONGER_LIST))


def load_players() -> Players:
    """Return all titles and their bots for the console; processes that play in parallel load them here."""
    return PLAYERS


RUN: Final = """
import os, sys, msgspec
from projections.platform.settings import Settings
from ops.supervisor import Programs, serve

def tell(what):
    sys.stdout.write(msgspec.json.encode(what).decode() + "\\n")
    sys.stdout.flush()

module = "tests.titles.launcher"
programs = Programs((module, "service"), (module,))
settings = Settings.from_environment(os.environ)
sys.exit(serve(settings, worker_count=int(sys.argv[1]), on_ready=tell, on_restart=tell, programs=programs))
"""
"""A program for `tests.workers.serving` that starts all processes."""

if __name__ == "__main__":
    if sys.argv[1] == "service":
        sys.exit(service.main(create_app, titles=LONGER_LIST))
    sys.exit(main.main(sys.argv[1:], PLAYERS))
