"""Symmetries of a system: found on its rules written out, and proved."""
