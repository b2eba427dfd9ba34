"""The stages joined up: loading, games, questions about them, and texts."""
