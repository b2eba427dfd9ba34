"""The languages in which documents are written, one folder each."""
