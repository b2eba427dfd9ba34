"""What the command line keeps of earlier runs: the reports of `check`, and the folder of it all."""
