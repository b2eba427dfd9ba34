"""A document, its turns and its refusals in plain words."""
