# make lab    open a copy of the lessons in JupyterLab
# make test   run the tests that need neither PyTorch nor a browser
# The other targets are for contributors: see CONTRIBUTING.md.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# For JupyterLab, such as: make lab OPTIONS=--no-browser
OPTIONS ?=
# For bench-classroom
SUBMISSIONS ?= 300

# What no package index has: stop at once, with one line.
needs = @command -v $1 >/dev/null || { echo "make $@ needs $2" >&2; exit 1; }
needs-node = $(call needs,npm,Node.js: apt install nodejs npm)
needs-bubblewrap = $(call needs,bwrap,bubblewrap: apt install bubblewrap)
needs-chromium = $(call needs,$(or $(CHROMIUM),/usr/bin/chromium),Chromium (set CHROMIUM to its path): apt install chromium)

.PHONY: lab test parity browser test-browser classroom test-classroom sandbox test-sandbox hub test-hub \
  site build-site test-site test-built-site lite build-lite test-lite check matrix bench bench-classroom \
  measure-classroom lessons frontend dist constraints clean
.NOTPARALLEL:

lab: $(VENV)/.has-lab
	@$(BIN)/minigrad lab $(OPTIONS)

test: $(VENV)/.has-lab $(VENV)/.has-test
	$(BIN)/python -m pytest -n auto --dist loadfile -m "not (parity or browser or classroom or hub or site or lite or sandbox)"

# The tests that compare minigrad with PyTorch. For the nightly size: make parity PROGRAMS=1000
parity: $(VENV)/.has-lab $(VENV)/.has-test $(VENV)/.has-parity
	$(BIN)/python -m pytest -n auto --dist loadfile -m parity $(if $(PROGRAMS),--programs=$(PROGRAMS))

# Lessons, instruments and the live graph in JupyterLab in Chromium. One lesson: make browser SAMPLE=04_
browser:
	$(needs-chromium)
	$(MAKE) test-browser

test-browser: $(VENV)/.has-lab $(VENV)/.has-test $(VENV)/.has-browser
	$(BIN)/python -m pytest -n 2 --dist loadscope -m browser $(if $(SAMPLE),-k "$(SAMPLE)")

# The lessons as an nbgrader course. nbgrader adds to JupyterLab, so it has its own environment.
classroom:
	$(MAKE) VENV=.venv-classroom test-classroom

test-classroom: $(VENV)/.has-lab $(VENV)/.has-test $(VENV)/.has-classroom
	$(BIN)/python -m pytest -n auto --dist loadfile -m classroom

# Twenty students at a real JupyterHub. As root: the students are users of the system for a while.
hub:
	$(needs-node)
	$(MAKE) VENV=.venv-hub test-hub

test-hub: $(VENV)/.has-lab $(VENV)/.has-test $(VENV)/.has-hub
	cd tests/hub && npm ci --ignore-scripts --no-audit --no-fund
	$(BIN)/python -m pytest -m hub

# The lessons, the reference and the guides as a site: build/site/index.html. It needs no network.
site:
	$(MAKE) VENV=.venv-site build-site

build-site: $(VENV)/.has-lab $(VENV)/.has-docs
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --conf-dir docs -d build/doctrees . build/site

# Its links, and its pages in Chromium.
test-site:
	$(needs-chromium)
	$(MAKE) VENV=.venv-site test-built-site

test-built-site: $(VENV)/.has-lab $(VENV)/.has-test $(VENV)/.has-browser $(VENV)/.has-docs
	$(BIN)/python -m pytest -n auto --dist loadfile -m site

# Submissions that try to get out of the sandbox. Needs Linux, bubblewrap and user namespaces.
sandbox:
	$(needs-bubblewrap)
	$(MAKE) test-sandbox

test-sandbox: $(VENV)/.has-lab $(VENV)/.has-test
	$(BIN)/python -m pytest -n auto --dist loadscope -m sandbox

# The lessons as a site without a server, in build/lite, tested in Chromium. Needs Node.js. Each browser
# fetches numpy itself, unless WHEELS=FOLDER puts it into the site or PACKAGES=ADDRESS says where you
# serve it (docs/hosting.md).
lite:
	$(needs-node)
	$(needs-chromium)
	$(MAKE) VENV=.venv-lite build-lite test-lite

build-lite: $(VENV)/.has-lab $(VENV)/.has-lite docs/lite/node_modules/.package-lock.json
	$(BIN)/python docs/lite/build.py build/lite \
	  $(if $(WHEELS),--wheels $(WHEELS)) $(if $(PACKAGES),--packages $(PACKAGES))

test-lite: $(VENV)/.has-lab $(VENV)/.has-test $(VENV)/.has-lite docs/lite/node_modules/.package-lock.json
	$(BIN)/python -m pytest -m lite

docs/lite/node_modules/.package-lock.json: docs/lite/package-lock.json
	cd docs/lite && npm ci --ignore-scripts --no-audit --no-fund

check: $(VENV)/.has-lab $(VENV)/.has-test $(VENV)/.has-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/typos
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/zizmor --offline --quiet .github

# The oldest and the newest Python, numpy and JupyterLab; `.venv/bin/nox --list` names the parts.
matrix: $(VENV)/.has-dev
	$(BIN)/nox

# minigrad beside PyTorch, hand-written numpy, and other small engines.
bench: $(VENV)/.has-parity $(VENV)/.has-bench
	$(BIN)/python -m tools.benchmarks --into docs/benchmarks.md

# A class of generated submissions, graded by one worker, by two, and by workers that are killed.
bench-classroom:
	$(MAKE) VENV=.venv-classroom measure-classroom

measure-classroom: $(VENV)/.has-lab $(VENV)/.has-test $(VENV)/.has-classroom
	$(BIN)/python -m tools.measure_classroom --number $(SUBMISSIONS)

# Run the lessons and save them with their outputs, normalized.
lessons: $(VENV)/.has-lab $(VENV)/.has-test
	$(BIN)/python tools/normalise_lessons.py

# The part of the live graph that runs in the browser: check it, test it, bundle it. Needs Node.js.
FRONTEND := minigrad/viz/frontend

frontend:
	$(needs-node)
	cd $(FRONTEND) && npm ci --ignore-scripts --no-audit --no-fund
	cd $(FRONTEND) && npm run check && npm test && npm run build

# Wheel and source distribution, checked by the twine of the action that publishes them and by the newest.
dist: $(VENV)/.has-dev
	rm -rf dist
	$(BIN)/python -m build --installer uv
	$(BIN)/uv tool run --quiet twine==7.0.0 check --strict dist/*
	$(BIN)/uv tool run --quiet twine check --strict dist/*

# What `make lab` and Binder install, brought up to date.
constraints: $(VENV)/.has-test $(VENV)/.has-dev
	$(BIN)/python -m tools.constraints

clean:
	rm -rf $(VENV) .venv-classroom .venv-hub .venv-site .venv-lite .nox build dist

# A file for each extra or dependency group that is installed in the virtual environment.
$(VENV)/.has-%: pyproject.toml constraints.txt
	@$(PYTHON) tools/install.py $(VENV) $*
