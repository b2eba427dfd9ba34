"""Permutations under which a system is unchanged: found, proved, said in words, and used."""
