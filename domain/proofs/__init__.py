"""Proofs examined: of a match, of a whole tournament, who was entitled to what."""
