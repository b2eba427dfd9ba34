"""The net description language of PROD: preprocessor, grammar, C, and what a net means."""
