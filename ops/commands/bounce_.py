"""`esporles bounce`: process a bounced mail from the mail server and stop mail to that address."""

import re
import sys
from argparse import ArgumentParser, Namespace
from email import message_from_bytes, policy
from typing import Final

import msgspec

from ops.console import SUCCESS, Finding, add_data_option, result_writer
from ops.service_client import fetch, find_address
from ops.stores import read_settings

REPORT: Final = "message/delivery-status"
PERMANENT: Final = re.compile(r"5\.\d{1,3}\.\d{1,3}")
BYTES_MAX: Final = 1_048_576
"""Limit of the bounced message; the report is at its beginning."""


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("recipient", metavar="RECIPIENT", help="recipient of the bounce message: bounces+…@…")
    add_data_option(parser)


def is_permanent(message: bytes) -> bool:
    """Return whether a message has a delivery report (RFC 3464) of a failure with a status of 5.x.x.

    Delays, automatic replies and messages without a report are not.
    """
    for part in message_from_bytes(message, policy=policy.default).walk():
        if part.get_content_type() != REPORT:
            continue
        for block in part.iter_parts() if part.is_multipart() else ():
            if str(block.get("Action", "")).strip().lower() == "failed" and PERMANENT.match(
                str(block.get("Status", "")).strip()
            ):
                return True
    return False


def run(arguments: Namespace) -> int:
    """Read a bounced mail from stdin; if it is a permanent failure, have the service stop mail to its addressee.

    RECIPIENT, the address that the report was sent to, identifies the addressee. Prints whether mail is stopped and
    returns `SUCCESS` either way; raises `Finding` for a permanent failure if no service runs. Only the first
    `BYTES_MAX` bytes are read.
    """
    write = result_writer(arguments.json)
    if not is_permanent(sys.stdin.buffer.read(BYTES_MAX)):
        write({"stopped": False}, "no permanent failure reported; the address stays in use")
        return SUCCESS
    service = find_address(read_settings(arguments).data)
    if service is None:
        raise Finding("no service is running on this data folder; deliver the message again later")
    body = msgspec.json.encode({"address": arguments.recipient})
    is_stopped = msgspec.json.decode(fetch(service, "POST", "/api/outgoing/bounces", body))["stopped"]
    text = "no more mail will be sent to the address" if is_stopped else "no account uses the address"
    write({"stopped": is_stopped}, text)
    return SUCCESS
