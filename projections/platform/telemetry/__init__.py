"""Telemetry of a process: metrics, log lines and traces."""
