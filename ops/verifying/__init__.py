"""Verification of logs and proofs: of a match, a tournament or several files, locally or on calculators."""
