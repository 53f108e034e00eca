"""What an operator sees of a process from outside: its figures, its log lines, its traces."""
