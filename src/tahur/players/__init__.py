"""Who sits at the tables. A player sees a `View` and nothing else."""
