# Two commands set everything up on a fresh machine: `make build` and `make test`.
# Needed beforehand: python3.11, go, node with npm. The rest comes from the package registries, pinned.

PYTHON ?= python3.11
BIN := .venv/bin
GH_AW_VERSION := $(shell awk '$$1 == "github.com/github/gh-aw" {print $$2}' tools/gh-aw/go.mod)
JOBS ?= 2

.PHONY: build test test-full tools lint bench goldens clean help

help: ## Show what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | sort | expand -t 12

build: .venv/installed ## Install bmadc into .venv and build the pack of the house edition
	@$(BIN)/bmadc build

test: .venv/tested tools lint ## Install what the tests need and run everything
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup

test-full: .venv/tested tools lint ## The same, with packs in every combination of wiring and engine
	BMADC_TEST_FULL=1 $(BIN)/python -m pytest -n $(JOBS) --dist loadgroup

lint: .venv/tested ## Formatting, lint and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

tools: .tools/bin/gh-aw tools/oracles/node_modules/.package-lock.json .tools/bmad/fetched jq ## Install the real components the tests need

bench: .venv/tested tools ## Measure, as ratios within one run
	$(BIN)/python scripts/bench.py

goldens: .venv/tested ## Write the golden files anew; read the difference before committing it
	$(BIN)/python scripts/generate_schemas.py
	$(BIN)/python scripts/generate_commands.py
	$(BIN)/bmadc build

clean: ## Remove everything that was installed or made
	rm -rf .venv .tools dist build tools/oracles/node_modules

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/installed: pyproject.toml tools/constraints.txt | .venv/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -c tools/constraints.txt -e .
	@touch $@

.venv/tested: pyproject.toml tools/constraints.txt | .venv/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check -c tools/constraints.txt -e '.[test]'
	@touch $@ .venv/installed

# gh-aw cannot be installed by name: its go.mod has a replace directive. A module of our own repeats it.
.tools/bin/gh-aw: tools/gh-aw/go.mod tools/gh-aw/go.sum
	cd tools/gh-aw && go build -trimpath -ldflags '-s -w -X main.version=$(GH_AW_VERSION)' \
	  -o ../../$@ github.com/github/gh-aw/cmd/gh-aw

tools/oracles/node_modules/.package-lock.json: tools/oracles/package.json tools/oracles/package-lock.json
	cd tools/oracles && npm ci --silent --no-audit --no-fund --ignore-scripts
	@touch $@

.tools/bmad/fetched: tests/releases.toml | .venv/bin/python
	$(BIN)/python scripts/fetch_releases.py
	@touch $@

.PHONY: jq
jq:
	@command -v jq >/dev/null || { apt-get update -qq && apt-get install -y -qq jq; } || \
	  echo 'jq is missing and could not be installed: the scripts of the pack will not be proven' >&2
