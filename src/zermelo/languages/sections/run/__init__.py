"""The interpreter: the definition of what a system does."""
