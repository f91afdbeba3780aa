"""Full limit hold'em on card buckets: external sampling, and what is learnt by it."""
