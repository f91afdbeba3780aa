"""Full limit hold'em with card abstraction: external sampling over buckets."""
