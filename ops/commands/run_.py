"""`esporles run ROLE`: run one role of the service, for installations on several machines."""

import os
from argparse import ArgumentParser, Namespace
from typing import Final

from domain.eventstore.writer_lock import StoreBusy
from domain.kernel.component_data import DataFault
from domain.matches.data_files import register_data_folder
from ops.console import Finding, WrongUsage, result_writer
from ops.embedded_valkey import SocketPathTooLong
from ops.players import players_of
from ops.roles import ROLES, Running, require_for, require_no_cluster_at, run_role
from ops.settings_help import show_settings
from ops.sockets import AddressInUse
from projections.platform.setting_values import BadSetting
from projections.platform.settings import Settings
from projections.platform.telemetry.logs import configure_logs

STDOUT: Final = 1
STDERR: Final = 2


def arguments(parser: ArgumentParser) -> None:
    """Add ROLE, one of `ROLES`, and the settings to the help."""
    show_settings(parser)
    roles = "; ".join(f"{name}: {role.what}" for name, role in ROLES.items())
    parser.add_argument("role", choices=tuple(ROLES), help=roles)


def run(arguments: Namespace) -> int:
    """Run a role until stopped, print its addresses when it is ready, and return its exit code.

    Raises `WrongUsage` for a missing or bad setting or deck file, `Finding` if an address or store is in use. Once
    ready, stdout goes to stderr.
    """
    players = players_of(arguments)
    try:
        settings = Settings.from_environment(os.environ)
        require_for(arguments.role, settings)
        require_no_cluster_at(settings)
        register_data_folder(settings.data, players.titles)
    except (BadSetting, DataFault) as error:
        raise WrongUsage(str(error)) from error

    def ready(running: Running) -> None:
        result_writer(as_json=arguments.json)(running, str(running))
        # Later output is not part of the result, and stdout may be a JSON document.
        os.dup2(STDERR, STDOUT)

    configure_logs(settings, arguments.role)
    try:
        return run_role(arguments.role, settings, players, ready)
    except (AddressInUse, SocketPathTooLong, StoreBusy) as error:
        raise Finding(str(error)) from error
