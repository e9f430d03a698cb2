"""A backward pass, recorded as plain data, then stepped through and told in words."""
