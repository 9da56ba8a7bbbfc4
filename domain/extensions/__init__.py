"""Extensions: what they declare, what they may do, and how their code is stepped."""
