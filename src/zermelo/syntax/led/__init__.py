"""LED, the Language of Effective Definitions: what its authors write."""
