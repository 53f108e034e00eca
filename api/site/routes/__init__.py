"""API operations that combine several subjects."""
