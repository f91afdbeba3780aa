"""The solvers' inner loops: whole walks over a tree, and sampled ones."""
