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
    "serve": "the whole service on one machine",
    "run": "run one role of the service, for installations on several machines",
    "status": "how the running service does, live in the terminal",
    "play": "a whole match of bots in this process; writes its log",
    "show": "the position after an entry of a log",
    "verify": "check a log or a proof: chain, commitments, chance, legality, scores, inclusion, signatures",
    "fork": "a new match from an entry of a log",
    "export": "write a match of the service's store to a file",
    "prove": "write a match of the service's store to a file that proves it to a stranger",
    "import": "bring a log into the service's store",
    "rebuild": "drop and rebuild read models from the log",
    "retire": "void matches that were opened under retired rules",
    "backup": "back up data that cannot be rebuilt, while the service runs",
    "move": "move the data of files to PostgreSQL in one transaction, and verify it",
    "archive": "archive the databases in files continuously, so that any moment can be brought back",
    "restore": "bring an archive back into a new folder as of one moment, and prove that it is whole",
    "partition": "divide the log in PostgreSQL into parts by hash of the match",
    "cards": "list the cards of a title and the source of every value",
    "analyse": "compare every decision of a match with the best that search bots find",
    "tournament": "events: list, standings, files, rounds, and whole events of bots",
    "league": "leagues: list, tables of a season, and which schedules there are",
    "ratings": "ranking lists, every rating made again and compared, back-tests of the models",
    "study": "a study of a match out of the service's store into a file, or into it",
    "dispute": "list, show and rule on the disputes of the running service",
    "witness": "run a witness, which cosigns the transparency logs of services",
    "bounce": "process a bounced mail from the mail server: stop mail to that address",
    "audit": "take the audit trail as a file, check such a file, or hold the whole store against the signed tree",
    "account": "create accounts, give roles, change passwords, forget people and guests",
}
"""Commands by name with their descriptions; modules are loaded on demand to keep the start fast."""

DEVELOPERS_COMMANDS: Final = {
    "balance": "what cards, roof tiles and buildings are worth, by matches of bots",
    "ladder": "how strong bots are, by matches with rotated seats and shared luck",
    "train": "how much each part of a judgement of bots counts, learnt from matches of bots",
    "puzzles": "find puzzles in matches of bots, pack them, measure the analysis by them",
    "load": "simulate people, bots, spectators and organisers, and compare the logs with the acknowledged actions",
    "bench": "measure the budgets, or play the long law runs",
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
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout, nothing else there")
    store_players(parser, find_players)
    load(module_of(name), "arguments")(parser)
    return parser


def overview() -> str:
    """Return the help text: the usage, and all commands of this installation with their descriptions."""
    known = known_commands()
    width = max(map(len, known))
    lines = "\n".join(f"  {name.ljust(width)}  {what}" for name, what in known.items())
    return f"usage: esporles COMMAND [ARGUMENTS]\n\n{lines}\n\nesporles COMMAND --help tells more.\n"


def main(arguments: Sequence[str] | None = None, find_players: FindPlayers = load_players) -> int:
    """Run a command for these titles and bots; return its exit status.

    A `Finding` gives 1 and a `WrongUsage` 2, each with a line on stderr; an unknown or missing command 2 with the
    overview there, Ctrl-C 130. A command's `--help` and arguments that do not parse raise `SystemExit`.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] in {"-h", "--help", "help"}:
        sys.stdout.write(overview())
        return 0
    if given and given[0] == "--version":
        sys.stdout.write(f"esporles {VERSION}\n")
        return 0
    if not given or given[0] not in known_commands():
        wrong = f"esporles: unknown command {given[0]!r}\n\n" if given else ""
        sys.stderr.write(wrong + overview())
        return USAGE
    name = given[0]
    parser = parser_of(name, find_players)
    try:
        status: int = load(module_of(name), "run")(parser.parse_args(given[1:]))
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
