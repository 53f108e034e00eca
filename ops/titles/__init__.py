"""What the console knows of each title: its drawing as text and its laws."""
