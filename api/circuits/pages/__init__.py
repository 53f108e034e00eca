"""Pages of circuits."""
