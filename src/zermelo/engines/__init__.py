"""Questions asked of a model: every engine knows machines and expanders, and no language."""
