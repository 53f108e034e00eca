"""El Grande on the console."""
