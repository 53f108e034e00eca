"""What can be wrong with a tree, a proof or a note."""


class TransparencyFault(Exception):
    """Something here is not what it says it is; the sentence says what."""


class Malformed(TransparencyFault):
    """Bytes or a text that do not have the form they should have."""


class FalseProof(TransparencyFault):
    """A proof that does not show what it should."""


class NotSigned(TransparencyFault):
    """No known key has signed a note, or a signature of a known key is false."""


class TileMissing(TransparencyFault):
    """A tile that is needed is not there, or is shorter than the tree."""
