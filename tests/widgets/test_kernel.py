"""An instrument in a kernel: what is done with its controls arrives in the order it was done."""

from collections.abc import Iterator
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

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


def test_choosing_and_predicting_take_turns(kernel: BlockingKernelClient) -> None:
    """ipykernel 7.4.0 gives them to two threads, and "Predict" may find nothing chosen."""
    kernel.execute_interactive(INSPECTOR, timeout=PATIENCE)
    choice, button = (ask(kernel, f"panel.{name}.model_id") for name in ("choice", "button"))
    subshell = new_subshell(kernel)
    for _ in range(3):
        send(kernel, subshell, choice, {"method": "update", "state": {"index": 0}})
        send(kernel, subshell, button, {"method": "custom", "content": {"event": "click"}})
    assert ask(kernel, "inspector.state.summary") == "3 of 3 tensors shown"
    assert ask(kernel, "len(set(threads))") == 1


def ask(kernel: BlockingKernelClient, expression: str) -> Any:
    reply = kernel.execute_interactive(
        "", user_expressions={"it": expression}, store_history=False, timeout=PATIENCE
    )
    answer: str = reply["content"]["user_expressions"]["it"]["data"]["text/plain"]
    return answer.strip("'") if answer.startswith("'") else int(answer)


def new_subshell(kernel: BlockingKernelClient) -> str | None:
    """A thread for what widgets say, as JupyterLab asks for; None where a kernel has none."""
    if "kernel subshells" not in kernel.kernel_info(reply=True, timeout=PATIENCE)["content"].get(
        "supported_features", []
    ):
        return None
    request = kernel.session.msg("create_subshell_request")
    kernel.control_channel.send(request)
    made: str = kernel.get_control_msg(timeout=PATIENCE)["content"]["subshell_id"]
    return made


def send(
    kernel: BlockingKernelClient, subshell: str | None, comm: str, data: dict[str, Any]
) -> None:
    """As the page does when a control is used; returns when the kernel has dealt with it."""
    message = kernel.session.msg("comm_msg", {"comm_id": comm, "data": data})
    message["header"]["subshell_id"] = subshell
    kernel.shell_channel.send(message)
    while True:
        said = kernel.get_iopub_msg(timeout=PATIENCE)
        answers = said["parent_header"].get("msg_id") == message["header"]["msg_id"]
        if answers and said["content"].get("execution_state") == "idle":
            return
