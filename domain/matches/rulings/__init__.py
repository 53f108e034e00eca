"""Rulings, signed orders of officials, and outcomes."""
