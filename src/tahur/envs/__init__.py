"""The games as environments for learners: PettingZoo's (`nlhe14_v0`, `limit_v0`, `perudo_v0`) and Gymnasium's (`seat`).

Both libraries come with the extra `rl`. `openspiel` has adapters to and from OpenSpiel's policies (extra `openspiel`).
Nothing is imported before one of these modules is.
"""
