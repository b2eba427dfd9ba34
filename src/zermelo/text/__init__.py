"""Texts, places in them, and what there is to say about them."""
