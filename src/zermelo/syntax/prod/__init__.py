"""PROD's net description language: its preprocessor, its grammar, and the C beside it."""
