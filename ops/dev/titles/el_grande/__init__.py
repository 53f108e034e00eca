"""El Grande in the development tools."""
