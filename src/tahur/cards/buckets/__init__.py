"""Hands grouped by how their strength at the river is spread, on every board up to the names of suits."""
