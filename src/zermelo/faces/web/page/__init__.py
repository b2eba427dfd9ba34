"""The page on which documents are opened, played and seen."""
