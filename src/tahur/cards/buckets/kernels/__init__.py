"""Kernels: strength on a river, histograms, the nearest centre."""
