"""Players: bots that choose actions. A player sees a `View` and nothing else."""
