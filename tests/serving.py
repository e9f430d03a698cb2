"""A site served on loopback, by a server that hands out files and can do nothing else."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing of each request."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve the folder while the context lasts; gives its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
