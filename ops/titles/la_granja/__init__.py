"""La Granja on the console."""
