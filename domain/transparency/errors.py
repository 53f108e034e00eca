"""Errors of trees, proofs and notes."""


class TransparencyFault(Exception):
    """Base of all errors here; the message gives the reason."""


class Malformed(TransparencyFault):
    """Bytes or text in a wrong format."""


class FalseProof(TransparencyFault):
    """A proof that does not verify."""


class NotSigned(TransparencyFault):
    """No known key has signed a note, or a signature of a known key is false."""


class TileMissing(TransparencyFault):
    """A required tile is missing, or shorter than the tree needs."""
