"""LED, the Language of Effective Definitions, and its engine Easel."""
