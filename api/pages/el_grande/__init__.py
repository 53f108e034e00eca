"""Drawing El Grande."""
