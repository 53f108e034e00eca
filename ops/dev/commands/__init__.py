"""The commands of developers, one module each."""
