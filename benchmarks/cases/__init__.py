"""One module a benchmark: `baseline` and `ours` run the programs, `rows` compares them."""
