"""What the author wrote: symbols, tokens, the tree and its printed form."""
