"""Fault injection: kill processes, fill disks and stop databases under load, then examine the result."""
