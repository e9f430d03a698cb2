"""A graph read through PyTorch's public protocol into plain data: the snapshot."""
