"""Errors of keys and signatures."""


class SignatureFault(Exception):
    """An invalid key or signature, named in the message."""
