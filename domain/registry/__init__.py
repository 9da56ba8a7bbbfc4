"""Extensions by name: what is declared, what was approved on this machine, and what follows from both."""
