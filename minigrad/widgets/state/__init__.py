"""What the instruments know and do, without a browser: plain classes on numpy and tensors.

Nothing here imports ipywidgets, anywidget or IPython; import-linter keeps it so.
"""
