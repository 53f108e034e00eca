"""Examine the files of a request by the module for their kind."""

from domain.kernel.loading import load
from ops.console import WrongUsage
from ops.verifying import match
from ops.verifying.entry import is_entry_file
from ops.verifying.request import Verified, VerifyRequest


def examine(request: VerifyRequest, *, on_workers: bool) -> Verified:
    """Verify the files of a request: several, a tournament's proof, or the log or proof of one match.

    Raises `WrongUsage` for a missing file, for `--head` unless there is one log or proof of a match, and for deck files
    on workers; `Finding` if a log is unreadable for its deck files or there is no calculator.
    """
    path = request.files[0]
    if len(request.files) > 1 or path.is_dir():
        if request.head is not None:
            raise WrongUsage("--head requires a single log")
        if on_workers and request.supplied:
            raise WrongUsage("--workers cannot be combined with deck or component files")
        module = "ops.verifying.spread" if on_workers else "ops.verifying.several"
    elif not path.is_file():
        raise WrongUsage(f"no such file: {path}")
    elif on_workers:
        raise WrongUsage("--workers takes several files or a folder; one file is verified here")
    elif not request.is_event and not is_entry_file(path):
        return match.examine(request)
    elif request.head is not None:
        raise WrongUsage("--head cannot be combined with the proof of a tournament or of a single entry")
    else:
        module = "ops.verifying.event" if request.is_event else "ops.verifying.entry"
    verified: Verified = load(module, "examine")(request)
    return verified
