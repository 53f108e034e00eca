"""Title-specific parts of the development tools."""
