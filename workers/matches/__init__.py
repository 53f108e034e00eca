"""The jobs of matches."""
