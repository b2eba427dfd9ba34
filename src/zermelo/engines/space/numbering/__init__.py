"""Dense numbers for packed states: guessed from some of them, or by what is proved of all."""
