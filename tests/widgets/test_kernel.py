"""An instrument in a kernel: what is done with its controls arrives in the order it was done."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel
from jupyterlab.commands import get_app_dir
from jupyterlab_server.settings_utils import get_settings

from minigrad import lab

PATIENCE = 60  # seconds

INSPECTOR = """
import threading
import minigrad as torch
from minigrad.widgets import LeafInspector

a, b, c = torch.ones(1), torch.ones(2), torch.ones(3)
inspector = LeafInspector(a, b, c)
panel = inspector._panel
threads = []
panel.choice.observe(lambda _: threads.append(threading.get_ident()), "index")
panel.button.on_click(lambda _: threads.append(threading.get_ident()))
"""


@pytest.fixture
def kernel() -> Iterator[BlockingKernelClient]:
    manager, client = start_new_kernel(startup_timeout=PATIENCE)
    try:
        yield client
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def test_jupyterlab_sends_controls_without_subshells(monkeypatch: pytest.MonkeyPatch) -> None:
    """ipykernel 7 gives those to two threads, and "Predict" may find nothing chosen."""
    monkeypatch.setenv("JUPYTER_CONFIG_PATH", str(lab.SETUP))
    app = get_app_dir()
    plugin = "@jupyterlab/apputils-extension:kernels-settings"
    schemas = Path(app, "schemas")
    if not Path(schemas, *plugin.split(":")).with_suffix(".json").exists():
        pytest.skip("this JupyterLab knows no subshells")
    settings, _ = get_settings(str(Path(app, "settings")), str(schemas), "", plugin)
    assert settings["schema"]["properties"]["commsOverSubshells"]["default"] == "disabled"


def test_choosing_and_predicting_take_turns(kernel: BlockingKernelClient) -> None:
    kernel.execute_interactive(INSPECTOR, timeout=PATIENCE)
    choice, button = (ask(kernel, f"panel.{name}.model_id") for name in ("choice", "button"))
    for _ in range(3):
        send(kernel, choice, {"method": "update", "state": {"index": 0}})
        send(kernel, button, {"method": "custom", "content": {"event": "click"}})
    assert ask(kernel, "inspector.state.summary") == "3 of 3 tensors shown"
    assert ask(kernel, "len(set(threads))") == 1


def ask(kernel: BlockingKernelClient, expression: str) -> Any:
    reply = kernel.execute_interactive(
        "", user_expressions={"it": expression}, store_history=False, timeout=PATIENCE
    )
    answer: str = reply["content"]["user_expressions"]["it"]["data"]["text/plain"]
    return answer.strip("'") if answer.startswith("'") else int(answer)


def send(kernel: BlockingKernelClient, comm: str, data: dict[str, Any]) -> None:
    """As the page does when a control is used; returns when the kernel has dealt with it."""
    message = kernel.session.msg("comm_msg", {"comm_id": comm, "data": data})
    kernel.shell_channel.send(message)
    while True:
        said = kernel.get_iopub_msg(timeout=PATIENCE)
        answers = said["parent_header"].get("msg_id") == message["header"]["msg_id"]
        if answers and said["content"].get("execution_state") == "idle":
            return
