"""A model played for a while: what goes wrong, what never happens, which readings play."""
