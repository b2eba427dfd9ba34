"""Who plays, when it is whose turn, and whose result is whose."""
