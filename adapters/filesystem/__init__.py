"""Files of this machine: whole or not at all, and locked where two processes may write."""
