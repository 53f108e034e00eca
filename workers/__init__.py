"""Policies, jobs and bots that follow the log and act on it."""
