"""Infrastructure of every process: settings, SQL databases, telemetry, message broker. Imports no read model."""
