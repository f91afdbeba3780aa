"""Preflop strategies for tables of two to six seats, by sampling the whole hand on card buckets."""
