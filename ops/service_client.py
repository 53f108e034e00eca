"""The client of console commands for the private socket of the running service."""

from pathlib import Path
from typing import Final
from uuid import UUID

import msgspec

from domain.signatures.acts import ServiceKey, order_text
from ops.console import Finding
from workers.unix_http import REQUEST_ERRORS, Response, UnixClient, is_listening

FILE: Final = "service.json"
SECONDS_MAX: Final = 120.0
SIGNED: Final = "Esporles-Signed"


class ServiceAddress(msgspec.Struct, frozen=True):
    """The private socket and its token, as written by the service that uses the data folder."""

    socket: str
    token: str
    metrics: dict[str, str] = {}
    """Addresses of the metrics of each process."""


class ToSign(msgspec.Struct):
    """The message an official has to sign (`docs/specifications/signatures.md`)."""

    stream: str
    version: int
    head: str
    act: str


class Refusal(msgspec.Struct):
    """The relevant fields of a problem document."""

    detail: str = "no reason given"
    sign: ToSign | None = None


def write_address(data: Path, address: ServiceAddress) -> None:
    """Write the address into the data folder, readable only by its owner; it authorises to act for the service."""
    path = data / FILE
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    path.write_bytes(msgspec.json.encode(address))


def remove_address(data: Path) -> None:
    """Remove the address."""
    (data / FILE).unlink(missing_ok=True)


def find_address(data: Path) -> ServiceAddress | None:
    """Return the address of the service that runs on this data folder, or None if no service listens there."""
    try:
        address = msgspec.json.decode((data / FILE).read_bytes(), type=ServiceAddress)
    except (OSError, msgspec.MsgspecError):
        return None
    return address if is_listening(address.socket) else None


def fetch(
    service: ServiceAddress,
    method: str,
    path: str,
    body: bytes | None = None,
    content_type: str = "application/json",
    *,
    key: str = "",
) -> bytes:
    """Send a request and return the response body.

    Raises `Finding` with the service's reason if it is refused, or if the service does not respond. Requests with the
    same `key` create an object once.
    """
    extra_headers = {"Idempotency-Key": key} if key else {}
    try:
        with UnixClient(service.socket, service.token, SECONDS_MAX) as client:
            response = client.request(method, path, body, content_type, extra_headers=extra_headers)
    except REQUEST_ERRORS as error:
        raise Finding(f"no response from the running service: {error}") from error
    if response.is_refusal:
        raise Finding(reason_in(response))
    return response.body


def fetch_signed(service: ServiceAddress, method: str, path: str, body: bytes, key: ServiceKey) -> bytes:
    """Send a request of an official.

    If the service asks for a signature, sign its message and send the request again. Raises `Finding` if it is refused
    or the service does not respond.
    """
    try:
        with UnixClient(service.socket, service.token, SECONDS_MAX) as client:
            response = client.request(method, path, body)
            message = message_to_sign(response)
            if message is not None:
                text = order_text(
                    UUID(message.stream), message.version, bytes.fromhex(message.head), message.act.encode()
                )
                signature = msgspec.json.encode({"key": key.key, "signature": key.sign(text)}).decode()
                response = client.request(method, path, body, extra_headers={SIGNED: signature})
    except REQUEST_ERRORS as error:
        raise Finding(f"no response from the running service: {error}") from error
    if response.is_refusal:
        raise Finding(reason_in(response))
    return response.body


def message_to_sign(response: Response) -> ToSign | None:
    """Return the message to sign from a refusal that has one, else None."""
    if not response.is_refusal:
        return None
    try:
        return msgspec.json.decode(response.body, type=Refusal).sign
    except msgspec.MsgspecError:
        return None


def reason_in(response: Response) -> str:
    """Return the reason of a refusal: the detail of a problem document, else status and plain text."""
    try:
        return msgspec.json.decode(response.body, type=Refusal).detail
    except msgspec.MsgspecError:
        return f"the running service responded with {response.status}: {response.body.decode(errors='replace')}"
