"""From what was written to what it means: a tree becomes a system."""
