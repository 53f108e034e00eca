"""What the console does for analyses."""
