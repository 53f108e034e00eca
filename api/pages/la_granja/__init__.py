"""Drawing La Granja."""
