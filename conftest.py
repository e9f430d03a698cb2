"""What every test run shares, the lessons' cells (`pytest --nbval lessons`) included."""

import os

import pytest
from nbval.plugin import IPyNbFile

# Test processes run side by side: threads of their own would wait for each other's.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@pytest.fixture(scope="session", autouse=True)
def delete_output_dir() -> None:
    """In place of pytest-playwright's, which deletes what other runs, or processes, have kept."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Compare a lesson's graphs, not their pictures: these change with Graphviz's version.

    A drawing's text/plain is its outline, so the graph itself is still compared. HTML is the dress
    of a text/plain that says the same.
    """
    for notebook in {item.parent for item in items if isinstance(item.parent, IPyNbFile)}:
        notebook.skip_compare += ("image/svg+xml", "text/html")
