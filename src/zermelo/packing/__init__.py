"""What languages share below: binding plans, code on packed states, permutation groups."""
