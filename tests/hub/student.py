"""A student at the hub: logs in, gets the lessons, runs one; all through the hub's proxy."""

import json
import re
import time
import uuid
from typing import Any
from urllib.parse import urlsplit

import nbformat
import requests
import websocket
from nbformat import NotebookNode

from tests.hub.hub import Hub

_PATIENCE = 300  # seconds


class Student:
    """One of the class. `token` opens what is the student's own, and nothing else."""

    def __init__(self, hub: Hub, name: str) -> None:
        self.name = name
        self._hub = hub
        self.token = self._log_in(hub.password)
        self.kernel = ""
        self._channels: websocket.WebSocket | None = None

    def _log_in(self, password: str) -> str:
        """Fill in the form, as anybody does; gives a token for what comes after."""
        with requests.Session() as browser:
            page = f"{self._hub.address}/hub/login"
            browser.get(page, timeout=_PATIENCE).raise_for_status()
            form = {"username": self.name, "password": password, "_xsrf": _xsrf(browser)}
            entered = browser.post(page, data=form, allow_redirects=False, timeout=_PATIENCE)
            assert entered.status_code == 302, entered.text
            browser.get(f"{self._hub.address}/hub/token", timeout=_PATIENCE).raise_for_status()
            given = browser.post(
                f"{self._hub.address}/hub/api/users/{self.name}/tokens",
                headers={"X-XSRFToken": _xsrf(browser)},
                timeout=_PATIENCE,
            )
            given.raise_for_status()
            token: str = given.json()["token"]
            return token

    def start_server(self) -> None:
        """Have the hub start the student's server, and wait until it is there."""
        self.ask("POST", f"/hub/api/users/{self.name}/server")
        deadline = time.monotonic() + _PATIENCE
        while not self.ask("GET", f"/hub/api/users/{self.name}").json()["server"]:
            assert time.monotonic() < deadline, f"The server of {self.name} did not start."
            time.sleep(0.25)

    def pull_lessons(self) -> None:
        """Open the server's first page, which has nbgitpuller fetch the lessons."""
        first = self.try_to("GET", f"{self.base}/").headers["Location"]
        page, query = urlsplit(first).path, urlsplit(first).query
        assert page == f"{self.base}/git-pull", first
        told = self.ask("GET", f"{page}/api?{query}").text
        events = [json.loads(event) for event in re.findall(r"^data: (.*)$", told, re.MULTILINE)]
        assert events[-1]["phase"] == "finished", told

    @property
    def base(self) -> str:
        """The path of the student's own server."""
        return f"/user/{self.name}"

    def open(self, path: str) -> NotebookNode:
        """The notebook at `path`, with a kernel of its own."""
        content = self.ask("GET", f"{self.base}/api/contents/{path}").json()["content"]
        wanted = {"path": path, "name": path, "type": "notebook", "kernel": {"name": "python3"}}
        session = self.ask("POST", f"{self.base}/api/sessions", json=wanted).json()
        self.kernel = session["kernel"]["id"]
        address = f"{self._hub.address}{self.base}/api/kernels/{self.kernel}/channels"
        self._channels = websocket.create_connection(
            re.sub("^http", "ws", address), header=self._headers(), timeout=_PATIENCE
        )
        return nbformat.from_dict(content)

    def run(self, source: str) -> list[NotebookNode]:
        """The outputs of one cell, run in the open notebook's kernel."""
        assert self._channels is not None, "No notebook is open."
        header = {"msg_id": uuid.uuid4().hex, "msg_type": "execute_request", "version": "5.4"}
        header |= {"username": self.name, "session": self.kernel, "date": ""}
        content = {"code": source, "silent": False, "store_history": True}
        content |= {"user_expressions": {}, "allow_stdin": False, "stop_on_error": True}
        message = {"header": header, "parent_header": {}, "metadata": {}, "content": content}
        self._channels.send(json.dumps({**message, "channel": "shell", "buffers": []}))
        outputs: list[NotebookNode] = []
        waits_for = {"idle", "execute_reply"}
        while waits_for:
            told = self._hear()
            if told["parent_header"].get("msg_id") != header["msg_id"]:
                continue
            kind = told["msg_type"]
            waits_for -= {kind, told["content"].get("execution_state")}
            if kind in ("stream", "display_data", "execute_result", "error"):
                outputs.append(nbformat.v4.output_from_msg(told))
        return outputs

    def printed(self, source: str) -> str:
        """What one cell prints."""
        outputs = self.run(source)
        return "".join(output.text for output in outputs if output.output_type == "stream")

    def leave(self) -> None:
        """Close the notebook's connection; the server and the kernel go on."""
        if self._channels is not None:
            self._channels.close()

    def _hear(self) -> dict[str, Any]:
        """The next message of the kernel that is text; what has buffers comes as bytes."""
        assert self._channels is not None, "No notebook is open."
        while True:
            frame = self._channels.recv()
            if isinstance(frame, str):
                told: dict[str, Any] = json.loads(frame)
                return told

    def ask(self, method: str, path: str, **more: Any) -> requests.Response:
        """A request with the student's token; AssertionError unless it is granted."""
        answer = self.try_to(method, path, **more)
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text}"
        return answer

    def try_to(self, method: str, path: str, **more: Any) -> requests.Response:
        """A request with the student's token, whatever the answer."""
        more |= {"headers": self._headers(), "timeout": _PATIENCE, "allow_redirects": False}
        return requests.request(method, f"{self._hub.address}{path}", **more)

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"token {self.token}"}


def _xsrf(browser: requests.Session) -> str:
    """The hub's mark against forged requests, which each of them has to show."""
    return next(cookie.value or "" for cookie in browser.cookies if cookie.name == "_xsrf")
