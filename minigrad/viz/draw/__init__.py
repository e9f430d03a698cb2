"""The views of a snapshot: outline, Graphviz source, picture, page."""
