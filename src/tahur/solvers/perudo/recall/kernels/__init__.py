"""Kernels of rounds with imperfect recall: CFR iterations, and best responses in the full round."""
