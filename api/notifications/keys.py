"""Validation of push subscription keys: a P-256 point and sixteen random bytes."""

from __future__ import annotations

from base64 import urlsafe_b64decode
from binascii import Error
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec

from api.notifications.errors import BadDevice

AUTH_BYTES: Final = 16


def require_keys(p256dh: str, auth: str) -> None:
    """Raise `BadDevice` unless the keys are valid."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode_base64(p256dh))
        is_good = len(decode_base64(auth)) == AUTH_BYTES
    except (Error, ValueError):
        is_good = False
    if not is_good:
        raise BadDevice("invalid keys of the push subscription")


def decode_base64(encoded: str) -> bytes:
    """Decode URL-safe Base64, with or without padding."""
    encoded = encoded.rstrip("=")
    return urlsafe_b64decode(f"{encoded}{'=' * (-len(encoded) % 4)}")
