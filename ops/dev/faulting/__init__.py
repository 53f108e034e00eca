"""Faults on purpose: processes killed, disks filled, databases taken away, while a load goes on; then everything is
examined."""
