"""Verify logs and proofs: one match, a tournament, several files on this host or on all calculators."""
