"""Every reachable state, each once: stores, sweeps on all cores, checkpoints."""
