"""The audit log decided: what a row says, how rows are chained, what proves them whole."""
