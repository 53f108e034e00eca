"""`esporles run calculator`: a process for pieces of long computations, separate from matches."""

from api import VERSION
from ops.computing.kinds import kinds_of
from projections.platform.settings import Settings
from workers.computations import PIECE, QUEUE, Computer
from workers.health import Health
from workers.main import job_class, prepare_process, process_jobs
from workers.matches.bot_turn import Players
from workers.queues import patient_connection


def run_calculator(settings: Settings, players: Players, health: Health) -> None:
    """Compute pieces from the queue until stopped."""
    prepare_process()
    computer = Computer(patient_connection(settings.redis), kinds_of(players, settings), VERSION)
    process_jobs(settings.redis, (QUEUE,), job_class(computer, {PIECE: Computer.compute}), health)
