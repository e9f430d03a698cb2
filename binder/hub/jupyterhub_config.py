"""What a JupyterHub needs for these lessons, whichever system starts its servers.

The Littlest JupyterHub and Zero to JupyterHub read it beside their own configuration, and so does
the test (`make hub`). docs/hosting.md says where it goes.
"""

import os
from urllib.parse import urlencode

c = get_config()  # noqa: F821 (JupyterHub defines it)

# A git repository with what `minigrad student` has made, such as https://github.com/you/lessons.
REPOSITORY = os.environ.get("MINIGRAD_LESSONS", "")
BRANCH = os.environ.get("MINIGRAD_LESSONS_BRANCH", "main")
FOLDER = "minigrad-lessons"

if not REPOSITORY:
    raise ValueError("Set MINIGRAD_LESSONS to the address of the git repository with your lessons.")

# Whoever logs in gets the lessons as they are now, and keeps what they have changed themselves.
pull = {
    "repo": REPOSITORY,
    "branch": BRANCH,
    "targetpath": FOLDER,
    "urlpath": f"lab/tree/{FOLDER}/00_start_here.ipynb",
}
c.Spawner.default_url = f"/git-pull?{urlencode(pull)}"

# A student takes up to the guarantee (docs/hosting.md has the figures). The limit leaves
# room for a second kernel, and stops a runaway cell before it stops the others.
c.Spawner.mem_guarantee = "200M"
c.Spawner.mem_limit = "512M"
c.Spawner.cpu_limit = 1.0

c.Spawner.environment = {
    # Arrays as small as these gain nothing by threads, and the cores are shared.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    # Linux's C library is to share memory among threads, and to give back what is free.
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_TRIM_THRESHOLD_": "65536",
}

# What these lessons do not use costs each student ten megabytes.
EXTENSIONS = {
    "jupyter_lsp": False,
    "jupyter_server_terminals": False,
    "notebook_shim": False,
}
IDLE = 3600  # seconds
c.Spawner.cmd = ["minigrad-singleuser"]
c.Spawner.args = [
    # Others on the machine could join a port and read along; not so a socket in a closed home.
    "--KernelManager.transport=ipc",
    *(f"--ServerApp.jpserver_extensions={name}={on}" for name, on in EXTENSIONS.items()),
    "--ServerApp.terminals_enabled=False",
    "--LabApp.extension_manager=readonly",
    # A kernel that nobody has used for an hour ends, then its server; the notebooks stay.
    f"--MappingKernelManager.cull_idle_timeout={IDLE}",
    "--MappingKernelManager.cull_interval=300",
    f"--ServerApp.shutdown_no_activity_timeout={IDLE}",
]

# A class comes all at once, and its servers start side by side.
c.Spawner.start_timeout = 180  # seconds
c.Spawner.http_timeout = 180
