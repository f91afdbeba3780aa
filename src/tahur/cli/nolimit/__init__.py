"""Commands about no-limit hold'em from the first card on."""
