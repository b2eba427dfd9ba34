"""What languages share below: code on packed states, kept code, permutation groups."""
