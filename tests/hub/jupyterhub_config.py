"""The configuration under test on this machine: students are system users, the proxy is npm's."""

import json
import os
from pathlib import Path

c = get_config()  # noqa: F821 (JupyterHub defines it)
settings = json.loads(os.environ["MINIGRAD_HUB_TEST"])
place = Path(settings["place"])

load_subconfig(settings["shared"])  # noqa: F821 (JupyterHub defines it)

c.JupyterHub.bind_url = settings["address"]
c.JupyterHub.hub_port = settings["hub_port"]
c.JupyterHub.db_url = f"sqlite:///{place / 'hub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(place / "cookie_secret")
c.JupyterHub.cleanup_servers = True
c.ConfigurableHTTPProxy.command = settings["proxy"]
c.ConfigurableHTTPProxy.api_url = settings["proxy_api"]
c.ConfigurableHTTPProxy.pid_file = str(place / "proxy.pid")

c.JupyterHub.authenticator_class = "dummy"
c.DummyAuthenticator.password = settings["password"]
c.Authenticator.allowed_users = set(settings["students"])
c.JupyterHub.spawner_class = "jupyterhub.spawner.LocalProcessSpawner"
