"""The console script `esporles`: dispatches to commands and maps refusals to exit statuses."""

import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Final, NoReturn

from api import VERSION
from domain.kernel.loading import has_module, load
from ops.console import NEGATIVE, USAGE, Finding, WrongUsage
from ops.players import FindPlayers, load_players, store_players

COMMANDS: Final = {
    "serve": "run the whole service on one machine",
    "run": "run one role of a service that spans several machines",
    "status": "show the state of the running service, live in the terminal",
    "play": "play a match between bots and write its log",
    "show": "show the position after an entry of a log",
    "verify": "verify a log or a proof: chain, commitments, chance, legality, scores, inclusion, signatures",
    "fork": "start a new match from an entry of a log",
    "export": "export the log of a match to a file",
    "prove": "write a proof file of a match or tournament, which anyone can verify",
    "import": "import a log into the service",
    "rebuild": "drop and rebuild read models from the log",
    "retire": "void matches whose version of the rules is no longer supported",
    "backup": "back up the data that cannot be rebuilt, even while the service runs",
    "move": "move data from files to PostgreSQL in one transaction, and verify it",
    "archive": "archive the databases continuously, for point-in-time recovery",
    "restore": "restore an archive to a point in time, into a new folder, and check that it is complete",
    "partition": "partition the log in PostgreSQL by hash of the match",
    "cards": "list the cards of a game and the source of every value",
    "analyse": "compare every decision of a match with the best one that search bots find",
    "tournament": "manage tournaments, or simulate one with bots",
    "league": "manage leagues, and list possible schedules",
    "ratings": "print leaderboards, recompute ratings and compare them, back-test the models",
    "study": "export a study to a file, or import one",
    "dispute": "list, show and decide disputes on the running service",
    "monitor": "follow the transparency log of a service, and keep evidence of broken promises",
    "witness": "run a witness, which cosigns the transparency logs of services",
    "key": "create the root key of the log, and change the key of the log",
    "tree": "declare a new transparency tree, with the reason in its first leaf",
    "bounce": "process a bounced mail from the mail server: stop mail to that address",
    "audit": "export the audit trail, verify an exported one, or compare the whole store with the signed tree",
    "account": "create and erase accounts, grant roles, change passwords",
}
"""Commands by name with their descriptions; modules are loaded on demand to keep the start fast."""

DEVELOPERS_COMMANDS: Final = {
    "balance": "estimate the value of cards, roof tiles and buildings from matches between bots",
    "ladder": "rate the strength of bots in matches with rotated seats and shared luck",
    "train": "learn the weights of the bots' evaluation from matches between bots",
    "puzzles": "find puzzles in matches between bots, pack them, or measure the analysis with them",
    "load": "run a load test with players, bots, spectators and organisers, and check the logs afterwards",
    "bench": "run the benchmarks, or the long property tests",
}
"""Commands of a source checkout; a wheel has no `ops.dev`."""


class Parser(ArgumentParser):
    """An argument parser with our exit status and one-line errors."""

    def error(self, message: str) -> NoReturn:
        """Exit with the message."""
        self.exit(USAGE, f"{self.prog}: {message}\n")


def known_commands() -> dict[str, str]:
    """Return the commands of this installation."""
    return COMMANDS | DEVELOPERS_COMMANDS if has_module("ops.dev") else COMMANDS


def module_of(name: str) -> str:
    """Return the module of a command."""
    return f"ops.dev.commands.{name}_" if name in DEVELOPERS_COMMANDS else f"ops.commands.{name}_"


def parser_of(name: str, find_players: FindPlayers = load_players) -> ArgumentParser:
    """Return the parser of a command: its arguments, `--json`, and the titles and bots, loaded only if needed."""
    parser = Parser(prog=f"esporles {name}", description=known_commands()[name] + ".", allow_abbrev=False)
    parser.add_argument("--json", action="store_true", help="print one JSON document to stdout and nothing else")
    store_players(parser, find_players)
    load(module_of(name), "arguments")(parser)
    return parser


def overview() -> str:
    """Return the help text: the usage, and all commands of this installation with their descriptions."""
    commands = known_commands()
    width = max(map(len, commands))
    lines = "\n".join(f"  {name.ljust(width)}  {help_text}" for name, help_text in commands.items())
    return f"usage: esporles COMMAND [ARGUMENTS]\n\n{lines}\n\n`esporles COMMAND --help` shows its options.\n"


def main(arguments: Sequence[str] | None = None, find_players: FindPlayers = load_players) -> int:
    """Run a command for these titles and bots; return its exit status.

    A `Finding` gives 1 and a `WrongUsage` 2, each with a line on stderr; an unknown or missing command 2 with the
    overview there, Ctrl-C 130. A command's `--help` and arguments that do not parse raise `SystemExit`.
    """
    args = list(sys.argv[1:] if arguments is None else arguments)
    if args and args[0] in {"-h", "--help", "help"}:
        sys.stdout.write(overview())
        return 0
    if args and args[0] == "--version":
        sys.stdout.write(f"esporles {VERSION}\n")
        return 0
    if not args or args[0] not in known_commands():
        error = f"esporles: unknown command {args[0]!r}\n\n" if args else ""
        sys.stderr.write(error + overview())
        return USAGE
    name = args[0]
    parser = parser_of(name, find_players)
    try:
        status: int = load(module_of(name), "run")(parser.parse_args(args[1:]))
    except Finding as finding:
        sys.stderr.write(f"esporles {name}: {finding}\n")
        return NEGATIVE
    except WrongUsage as usage:
        sys.stderr.write(f"esporles {name}: {usage}\n")
        return USAGE
    except BrokenPipeError:
        sys.stderr.close()
        return NEGATIVE
    except KeyboardInterrupt:
        return 130
    return status


if __name__ == "__main__":
    sys.exit(main())
