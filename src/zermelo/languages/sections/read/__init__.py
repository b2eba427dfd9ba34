"""From the text of a document to a tree of its sections."""
