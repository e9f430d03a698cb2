"""Watching a program's public calls: which line made what, and why an edge is missing."""
