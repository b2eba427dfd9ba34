"""Questions asked of a machine."""
