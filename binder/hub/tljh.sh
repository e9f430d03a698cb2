#!/usr/bin/env bash
# Prepare The Littlest JupyterHub for these lessons. On its server, from a clone of this repository:
#   sudo MINIGRAD_LESSONS=https://github.com/you/lessons binder/hub/tljh.sh
set -euo pipefail
: "${MINIGRAD_LESSONS:?must be the address of the git repository with your lessons}"
here=$(dirname "$(readlink -f "$0")")
tljh=${TLJH:-/opt/tljh}

"$tljh/user/bin/pip" install --upgrade "$here/../..[lab]" nbgitpuller

# The hub is started without our variable: its value is written above the rest.
printf 'import os\n\nos.environ["MINIGRAD_LESSONS"] = "%s"\n' "$MINIGRAD_LESSONS" |
  cat - "$here/jupyterhub_config.py" >"$tljh/config/jupyterhub_config.d/minigrad.py"

"$tljh/hub/bin/tljh-config" set services.cull.timeout 3600
"$tljh/hub/bin/tljh-config" reload
