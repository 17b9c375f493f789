"""The protocol that moves work: states, labels, transitions, waking and budgets, as typed data."""
