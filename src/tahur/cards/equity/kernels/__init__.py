"""The equity kernels: exact by matchups or by a sweep over boards, or sampled.

Results count in `(players, 3)`: wins, ties, and shares of the pot in 2520ths (a pot splits 2 to 9 ways evenly).
"""
