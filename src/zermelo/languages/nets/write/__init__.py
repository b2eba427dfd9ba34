"""Nets written in PNML and in the language of PROD."""
