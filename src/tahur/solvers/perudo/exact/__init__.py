"""Exact solutions of rounds that CFR has nearly solved: linear programs over the few actions in use."""
