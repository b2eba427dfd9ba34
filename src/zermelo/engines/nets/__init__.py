"""Questions about Petri nets."""
