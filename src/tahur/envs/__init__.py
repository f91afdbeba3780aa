"""The games as environments for learners: PettingZoo's (`nlhe14_v0`, `limit_v0`, `perudo_v0`) and Gymnasium's (`seat`).

Both libraries come with the extra `rl`. Nothing is imported before one of these modules is.
"""
