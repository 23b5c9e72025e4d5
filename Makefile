# Dreadclock: set-up, tests and chores. Needs make and Python 3.11 or newer; `make` alone lists the commands.

PYTHON ?= python3
ARGS ?=
AUDIT ?= pip-audit
SECONDS ?= 60
PLANTED ?= all
# With three, two cores were busy for three quarters of the time: tests wait for servers, stores and browsers.
WORKERS ?= 4
BIN := .venv/bin
# What `make tools` leaves for the tests, where nothing else is named.
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/dreadclock
export DREADCLOCK_TSC ?= $(firstword $(wildcard $(CACHE)/typescript-*/node_modules/.bin/tsc))
export DREADCLOCK_ESBUILD ?= $(firstword $(wildcard $(CACHE)/esbuild-*/node_modules/.bin/esbuild))
export DREADCLOCK_HANDLEBARS ?= $(firstword $(wildcard $(CACHE)/handlebars-*/node_modules/handlebars/dist/handlebars.min.js))

.PHONY: help run demo test faults check planted mutate soak kills lint scan fuzz attacks format screenshots presses smoke bench lighthouse packages installed foundry generate lock clean tools setup setup-server
.DEFAULT_GOAL := help

help: ## List these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: setup-server ## Start the server, with options in ARGS="--port 8000"
	@exec $(BIN)/dreadclock serve --data dreadclock-data $(ARGS)

demo: setup-server ## Watch the worked examples of the rules being played
	@exec $(BIN)/dreadclock demo $(ARGS)

test: setup ## Run all tests but the fault suite, or some with ARGS="tests/server -k countdown"
	@exec $(BIN)/pytest $(or $(ARGS),-q -rs -n $(WORKERS) --dist loadfile -m "not faults")

faults: setup ## Play for some minutes while servers, stores and connections fail, and judge what came of it
	@DREADCLOCK_FAULTS=quick exec $(BIN)/pytest -q -m faults tests/faults

PURE := tests/client_sdk/dice tests/client_sdk/narration tests/client_sdk/rules \
	tests/client_sdk/wire tests/server/core
LONG := --ignore-glob='*_properties.py' --ignore=tests/server/core/test_stateful.py

check: lint ## Lint, and run the tests that need no server and no minute: for the loop of editing
	@exec $(BIN)/pytest -q -n auto --maxprocesses 4 --dist loadfile $(LONG) $(PURE) $(ARGS)

planted: setup ## Plant bugs in a copy of the sources, and see a test notice each one
	@DREADCLOCK_PLANTED=$(PLANTED) exec $(BIN)/pytest tests/planted $(ARGS)

mutate: setup ## Draw 500 mutants of the core and the rules, and count those that a test notices: up to an hour
	@exec $(BIN)/python scripts/mutate.py $(ARGS)

soak: setup ## Plant all bugs, hold properties to 1000 examples, then play for hours while all goes wrong; a part with ARGS="-k valkey"
	@$(if $(ARGS),,DREADCLOCK_PLANTED=$(PLANTED) $(BIN)/pytest -q tests/planted)
	@$(if $(ARGS),,DREADCLOCK_EXAMPLES=1000 DREADCLOCK_RUNS=300 DREADCLOCK_ROOMS=200 $(BIN)/pytest -q -n $(WORKERS) --dist loadfile $(PURE) tests/e2e/test_leaks.py)
	@DREADCLOCK_FAULTS=soak DREADCLOCK_FAULTS_RECORD=$${DREADCLOCK_FAULTS_RECORD:-soak.jsonl} $(BIN)/pytest -q -m faults tests/faults $(ARGS)

kills: setup ## Kill a relay 100 times at named points, and see every webhook arrive in order
	@DREADCLOCK_RELAY_KILLS=100 exec $(BIN)/pytest -q tests/server/tools/relay/test_kills.py $(ARGS)

lint: setup ## Check style, format, types, the direction of imports, and that the pages' CSS uses its tokens
	@$(BIN)/ruff check -q
	@$(BIN)/ruff format --check -q
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python scripts/check_tokens.py

scan: setup ## Look for weaknesses in the code, and in the packages if an advisory source answers
	@$(BIN)/bandit -q -lll -r client_sdk server scripts
	@$(BIN)/python scripts/audit_packages.py $(AUDIT)

fuzz: setup ## Fuzz all that reads strangers' bytes, a minute each or SECONDS=600 (needs atheris, on Linux)
	@$(BIN)/python -c "import atheris" 2>/dev/null || $(BIN)/python -m pip install -q --require-hashes -r tests/fuzz/requirements.txt
	@for target in frames commands exports snapshots; do \
		$(BIN)/python tests/fuzz/run.py $$target $(SECONDS) || exit 1; done

attacks: setup ## Measure what attacks cost; some of them with ARGS="--seconds 5 ping pong"
	@exec $(BIN)/python bench/attacks.py $(ARGS)

format: setup ## Format the code and sort its imports
	@$(BIN)/ruff check -q --fix
	@$(BIN)/ruff format

bench: setup ## Measure the server, beside its peers where there is npm; ARGS="--help" says what else
	@exec $(BIN)/python bench/bench.py $(ARGS)

screenshots: setup ## Take the pictures of the pages anew (needs Chromium)
	@exec $(BIN)/python scripts/make_screenshots.py

presses: setup ## Count the presses and seconds that what people do at a table takes (needs Chromium)
	@exec $(BIN)/python bench/presses.py $(ARGS)

smoke: setup ## Play a short session on the pages in Firefox and WebKit (needs firefox-esr, webkit2gtk-driver and xvfb)
	@exec xvfb-run -a $(BIN)/python bench/smoke.py $(ARGS)

LOCKED := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
	--no-emit-package dreadclock --no-emit-package dreadclock-server client_sdk/pyproject.toml server/pyproject.toml

packages: setup ## Build the packages for Python and npm into dist/ (needs esbuild, and for npm tsc: make tools)
	@exec $(BIN)/python scripts/pack.py

INSTALLED := DREADCLOCK_INSTALLED=$(CURDIR)/dist/env/bin/python
installed: dist/env ## Test the pages as the packages carry them
	@$(INSTALLED) exec $(BIN)/pytest $(or $(ARGS),-q -rs -n $(WORKERS) --dist loadfile tests/browser)

lighthouse: dist/env ## Judge the pages of the packages by Lighthouse (needs npm and Chromium)
	@$(INSTALLED) exec $(BIN)/python bench/lighthouse.py $(ARGS)

.PHONY: dist/env
dist/env: packages
	@$(PYTHON) -m venv --clear dist/env
	@dist/env/bin/pip install -q --require-hashes -r deploy/requirements.lock
	@dist/env/bin/pip install -q --no-index --no-deps dist/*.whl

foundry: setup ## Build the module for Foundry VTT into dist/, with FOUNDRY_URL=... where its newest version will lie
	@FOUNDRY_URL="$(FOUNDRY_URL)" exec $(BIN)/python scripts/pack_foundry.py

generate: setup ## Write anew what is made from the code: pages of docs, JavaScript's names, transcripts
	@exec $(BIN)/python scripts/generate.py

lock: ## Renew requirements.lock, and what of it a server needs (needs uv); LOCK="--upgrade" takes newer versions
	@$(LOCKED) --extra cli --extra mcp --group dev --output-file requirements.lock $(LOCK)
	@$(LOCKED) --extra cli --group build --constraint requirements.lock --output-file deploy/requirements.lock

clean: ## Remove .venv and caches, but never your rooms in dreadclock-data
	@rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .fuzz dist
	@find bench client_sdk server tests scripts -name __pycache__ -prune -exec rm -rf {} +

tools: setup ## Install what a complete run of the tests needs beside .venv: Chromium, TypeScript, Handlebars, esbuild, fonts
	@bash scripts/tools.sh

setup: EXTENT := all
setup-server: EXTENT := server
setup setup-server:
	@command -v $(PYTHON) >/dev/null || { echo "Dreadclock needs Python 3.11 or newer, and there is no $(PYTHON) on the PATH." >&2; exit 1; }
	@$(PYTHON) scripts/setup_env.py $(EXTENT)
