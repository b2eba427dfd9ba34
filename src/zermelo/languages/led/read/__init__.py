"""What LED authors write: tokens, trees, printed programs, canonical form."""
