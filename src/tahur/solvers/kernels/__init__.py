"""The inner loops of the solvers: full and sampled walks over a tree."""
