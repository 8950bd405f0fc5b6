# Two commands matter: `make run` and `make test`. Both need Python 3.11 and nothing else.
VENV ?= .venv
PYTHON ?= python3
UI ?= 1
PORT ?= 3000
BIN = $(VENV)/bin
export METADATA_HOME ?= $(CURDIR)/.metadata
export DAGSTER_HOME ?= $(METADATA_HOME)/dagster
export DAGSTER_DISABLE_TELEMETRY = 1
# Each test process does little else than wait for services: a third one uses the gaps of two cores.
WORKERS ?= 3
# Runs Python with these arguments, Ctrl-C switched on: a shell switches it off for what it starts in the background, and
# Dagster, which treats a request to end as a Ctrl-C, would then never end.
STOPPABLE = import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.executable, [sys.executable, *sys.argv[1:]])

.PHONY: help install run ui test test-engines lint format lock schema bench clean

help: ## Say what there is to make
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "%-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(VENV)/.installed ## Set up the virtual environment (VENV=path for another one)

$(VENV)/.installed: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed, $(PYTHON) is older: make PYTHON=python3.11 …"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps -r requirements.lock
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

run: install ## Catalog the sample lakehouse, say where to look, leave the UI running (UI=0: stop before it)
	@$(BIN)/metadata-assets backfill
	@echo
	@echo "Workbook   $(METADATA_HOME)/catalog.xlsx"
	@echo "A table    $(BIN)/metadata-assets show clean.user_clean"
	@echo "Specs      yaml_specs/ (edit a file: with the UI running, a sensor picks it up)"
	@if [ "$(UI)" != 0 ]; then $(MAKE) --no-print-directory ui; else echo "UI         make ui"; fi

ui: install ## The Dagster UI with sensors, on http://127.0.0.1:3000 (PORT=…)
	@$(BIN)/metadata-assets prepare
	@echo "UI         http://127.0.0.1:$(PORT)/asset-groups  (Ctrl-C stops it)"
	@PATH="$(abspath $(BIN)):$$PATH" exec $(BIN)/python -c '$(STOPPABLE)' -W ignore -m dagster dev -w workspace.yaml -h 127.0.0.1 -p $(PORT) --log-level warning

test: install lint ## Everything that can run here; what cannot start is skipped with the reason
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -m "not spark and not trino"

test-engines: install ## Tests on Spark and Trino: heavy, not part of `make test`
	$(BIN)/python -m pytest -m "spark or trino"

lint: install ## Format, rules, types, layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: install ## Format and fix what can be fixed
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock: ## Resolve the versions anew
	$(BIN)/python -m pip install -q uv
	$(BIN)/uv pip compile -q pyproject.toml --extra dev --python-version 3.11 --no-header --generate-hashes -o requirements.lock

schema: install ## Write the JSON Schema of the specs again
	$(BIN)/metadata-assets schema > yaml_specs/specs.schema.json

bench: install ## Ratios against named alternatives
	for name in pipeline lineage hive_read events; do $(BIN)/python -m benchmarks.$$name || exit 1; done

clean: ## Remove state and caches, not the environment
	rm -rf .metadata .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
