"""Documents with sections: sets, variables, facts, initialisation and behaviour."""
