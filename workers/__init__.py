"""What follows the log and acts: policies, jobs, bots."""
