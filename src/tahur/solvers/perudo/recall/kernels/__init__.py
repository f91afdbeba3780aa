"""Kernels of rounds that are remembered in part: learning them, and best responses to them in the whole round."""
