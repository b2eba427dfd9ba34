"""The ways documents are written, and how to tell them apart."""
