"""Commands that lay documents beside each other: two of them, or one and its misreadings."""
