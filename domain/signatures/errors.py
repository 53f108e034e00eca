"""What can be wrong with a key or a signature."""


class SignatureFault(Exception):
    """A key or signature is not what it says it is; the sentence says which."""
