"""What the console knows of each title: its drawing as text, its laws, its ledger for the balance, what is printed
on its components. Each is found by the title's name and may be missing."""
