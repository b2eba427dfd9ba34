"""Petri nets, in the language of PROD and in PNML."""
