"""Verification of proofs: of matches and tournaments, and of the roles behind decisions."""
