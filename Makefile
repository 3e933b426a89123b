# Needs make and Python 3.11 or newer; everything else is installed into $(VENV) from the lock files.

PYTHON ?= python3
VENV ?= .venv
UV ?= uv
LOCK_FLAGS ?=

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
LOCKED := install --require-hashes --no-deps
# sarif-om asks for pbr, which asks for setuptools; neither is imported, so neither is installed.
UNUSED := --no-emit-package pbr --no-emit-package setuptools
COMPILE := $(UV) pip compile --quiet --universal --generate-hashes --no-emit-index-url \
	--python-version 3.11 --custom-compile-command "make lock" $(LOCK_FLAGS)

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help run test lint format docs conformance bench tools test-container lock clean

help: ## Show the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 24

run: $(VENV)/.runtime ## Check the artifacts of examples/ and write manni.sarif
	@$(BIN)/manni meta validate -c examples/manni.config.yaml -f pretty -f sarif -o manni.sarif; \
	code=$$?; \
	if [ $$code -gt 1 ]; then exit $$code; fi; \
	echo; \
	echo "The examples hold deliberate faults, so exit code $$code of the check is not one of 'make run'."; \
	echo "The same findings are in manni.sarif."

test: lint ## Run every check that CI runs on the code
	$(BIN)/python -m pytest

lint: $(VENV)/.dev ## Run the linter, the formatter's check and the type checker
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports --no-cache
	$(BIN)/mypy

format: $(VENV)/.dev ## Format the code and apply the linter's safe fixes
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

docs: $(VENV)/.dev ## Write the tables of the README anew
	$(BIN)/python -m pytest -q tests/unit/test_documentation.py --update-golden

conformance: $(VENV)/.dev ## Run the official JSON-Schema-Test-Suite through the engine
	$(BIN)/python tests/conformance/run.py

bench: $(VENV)/.dev ## Measure the speed and print it; nothing is asserted
	$(BIN)/python -m compileall -q src
	$(BIN)/python bench/run.py

tools: build/tools/.installed ## Install the linters of the packaging files (needs Node.js 20 or newer)

test-container: $(VENV)/.dev ## Run the image MANNI_IMAGE with MANNI_ENGINE (docker or podman) on hostile input
	$(BIN)/python -m pytest -q tests/e2e/check_container.py

lock: ## Write the lock files again (LOCK_FLAGS=--upgrade takes newer versions)
	$(COMPILE) $(UNUSED) pyproject.toml --output-file requirements/runtime.lock
	$(COMPILE) requirements/build.in --constraint requirements/runtime.lock \
		--output-file requirements/build.lock
	$(COMPILE) $(UNUSED) pyproject.toml requirements/build.in --group dev \
		--constraint requirements/runtime.lock --constraint requirements/build.lock \
		--output-file requirements/dev.lock
	$(COMPILE) requirements/ci.in --output-file requirements/ci.lock

clean: ## Remove the environment, caches and build results
	rm -rf $(VENV) build dist .ci/node_modules .hypothesis .mypy_cache .pytest_cache .ruff_cache manni.sarif
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "manni-action needs Python 3.11 or newer; name one with 'make PYTHON=/path/to/python3'." >&2; \
		exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) cannot make virtual environments; install the package python3-venv and run make again." >&2; \
		exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.runtime: $(BIN)/python pyproject.toml requirements/runtime.lock requirements/build.lock
	$(PIP) $(LOCKED) -r requirements/runtime.lock -r requirements/build.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
	$(BIN)/python -m compileall -q src
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime requirements/dev.lock
	$(PIP) $(LOCKED) -r requirements/dev.lock
	@touch $@

build/tools/.installed: requirements/ci.lock .ci/package-lock.json
	$(PYTHON) -m venv build/tools
	build/tools/bin/python -m pip --quiet --disable-pip-version-check $(LOCKED) --only-binary :all: \
		-r requirements/ci.lock
	npm ci --prefix .ci --ignore-scripts --no-audit --no-fund --loglevel error
	chmod u+x .ci/node_modules/@microsoft/sarif-multitool-*/Sarif.Multitool
	@touch $@
