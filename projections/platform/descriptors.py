"""The number of files and connections a process may have open."""

import resource


def raise_descriptor_limit() -> None:
    """Raise the soft limit of open files to the hard one, for this process and the processes it starts."""
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))
