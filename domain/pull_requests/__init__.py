"""Pull requests: the record, and the verdicts on its checks, its reviews and whose turn it is."""
