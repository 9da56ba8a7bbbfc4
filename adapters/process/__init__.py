"""What the running process has: its clock, its chance, its environment."""
