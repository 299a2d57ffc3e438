# Two commands matter: `make demo` and `make test`. Both build what they need from hash-pinned requirements.
# Python: PYTHON=... chooses one; otherwise python3.11, otherwise python3 if it is 3.11 or newer.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
WORKERS ?= 2

DEMO := .venv
DEV := .venv-dev
LOCK := .venv-lock
DOJO := .venv-dojo
MCP := .venv-mcp
MCP_1 := .venv-mcp-1
DEV_BIN := $(DEV)/bin

.DEFAULT_GOAL := help
.PHONY: help bench campaigns bench-language bench-requests demo test check test-dojo test-model mutants format lock install clean

help: ## what each target does
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 24

demo: $(DEMO)/.complete ## install into .venv, fetch the embedded model if it is missing, run the demo
	@$(DEMO)/bin/python -c "import xllamacpp" || { \
		echo "make: the embedded model's runtime does not load (reason above); Debian: apt-get install libgomp1" >&2; exit 1; }
	$(DEMO)/bin/armslength model fetch
	$(DEMO)/bin/armslength demo

install: $(DEMO)/.complete ## the demo's environment only: .venv/bin/armslength
	@echo "installed; next: $(DEMO)/bin/armslength init asks where your mail, files and calendar are; $(DEMO)/bin/armslength demo needs none"

test: check ## everything that needs no model file: check, AgentDojo, then all tests
	@$(MAKE) --no-print-directory test-dojo
	@$(MAKE) --no-print-directory $(MCP)/.complete $(MCP_1)/.complete
	$(DEV_BIN)/python -m pytest -n $(WORKERS)
	@$(DEV_BIN)/python -m bench.stale

check: $(DEV)/.complete ## format, lint, types, layers
	$(DEV_BIN)/ruff format --check
	$(DEV_BIN)/ruff check
	$(DEV_BIN)/mypy
	$(DEV_BIN)/lint-imports --no-logo

test-dojo: $(DOJO)/.complete ## AgentDojo: the harness's tests, then 97 tasks and a sample of 100 attacked pairs under it
	$(DOJO)/bin/python -m pytest -n $(WORKERS) bench/dojo/tests
	$(DOJO)/bin/python -m bench.dojo check --workers $(WORKERS)

test-model: $(DEV)/.complete ## tests that load the embedded model: minutes, one process
	$(DEV_BIN)/python -m pytest -m model

mutants: $(DEV)/.complete ## each join, guard and rule of labels switched off in turn: a law must notice; about an hour, one process
	$(DEV_BIN)/python -m tests.laws.mutants

bench: $(DEV)/.complete ## what is quick measured anew, then docs/results.md and a page with plots from all results (build/results.html): minutes
	$(DEV_BIN)/python -m bench.report --measure

campaigns: $(DEV)/.complete ## laws, mutants, fuzzing, random policies, crashes, each with a dated result in bench/results: many hours
	$(DEV_BIN)/python -m bench.campaigns

bench-requests: $(DEMO)/.complete ## the twenty requests in two homes over three seeds, by the embedded model: hours
	$(DEMO)/bin/armslength model fetch
	$(DEMO)/bin/python -m bench.requests --seeds 3

bench-language: $(DEV)/.complete ## programs beside CPython's exec, as ratios (docs/speed.md): minutes, writes bench/results
	$(DEV_BIN)/python -m bench.speed.language

format: $(DEV)/.complete ## rewrite the sources in the project's format
	$(DEV_BIN)/ruff format
	$(DEV_BIN)/ruff check --fix

lock: $(LOCK)/.complete ## write requirements/*.txt anew from pyproject.toml
	sh scripts/lock.sh $(LOCK)/bin/uv

clean: ## remove environments and caches
	rm -rf $(DEMO) $(DEV) $(LOCK) $(DOJO) $(MCP) $(MCP_1) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis build

# The script starts an environment anew only if what is pinned has changed; otherwise it reinstalls this package alone.
$(DEMO)/.complete: requirements/local.txt requirements/build.txt pyproject.toml scripts/environment.sh
	sh scripts/environment.sh "$(PYTHON)" $(DEMO) requirements/local.txt

$(DEV)/.complete: requirements/dev.txt requirements/build.txt pyproject.toml scripts/environment.sh
	sh scripts/environment.sh "$(PYTHON)" $(DEV) requirements/dev.txt

$(LOCK)/.complete: requirements/lock.txt requirements/build.txt pyproject.toml scripts/environment.sh
	sh scripts/environment.sh "$(PYTHON)" $(LOCK) requirements/lock.txt

$(DOJO)/.complete: requirements/dojo.txt requirements/build.txt pyproject.toml scripts/environment.sh
	sh scripts/environment.sh "$(PYTHON)" $(DOJO) requirements/dojo.txt

$(MCP)/.complete: requirements/mcp-servers.txt requirements/build.txt pyproject.toml scripts/environment.sh
	sh scripts/environment.sh "$(PYTHON)" $(MCP) requirements/mcp-servers.txt

$(MCP_1)/.complete: requirements/mcp-servers-1.txt requirements/build.txt pyproject.toml scripts/environment.sh
	sh scripts/environment.sh "$(PYTHON)" $(MCP_1) requirements/mcp-servers-1.txt
