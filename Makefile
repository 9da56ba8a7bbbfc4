# `make demo` and `make test` need Python 3.11+, make and a package index, and set up the rest in .venv.

BIN := .venv/bin
SETUP := scripts/setup.sh
PYTEST_ARGS ?=
export PYTHON

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test fuzz lint types arch bench release lock clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-7s %s\n", $$1, $$2 }' Makefile

demo: ## scan an embedded sample GitHub: no token, no network
	@$(SETUP) runtime
	@$(BIN)/loopx demo
	@echo
	@echo 'Next: scan your own repository with  $(BIN)/loopx pr list -R owner/name'
	@echo 'Then: run the tests with             make test'

test: ## run every test, in parallel and in random order
	@$(SETUP) test
	@$(BIN)/python -m pytest -n auto --dist loadgroup $(PYTEST_ARGS)
	@echo
	@echo 'Next: see it work with  make demo'
	@echo 'Then: before a change   make lint types arch  (docs/contributing.md)'

fuzz: ## run the property tests with many more examples
	@$(SETUP) test
	@HYPOTHESIS_PROFILE=fuzz $(BIN)/python -m pytest -n auto tests/property --timeout 3600 $(PYTEST_ARGS)

lint: ## ruff: rules and format
	@$(SETUP) dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: ## mypy and pyright, both strict
	@$(SETUP) dev
	@$(BIN)/mypy
	@$(BIN)/mypy tests scripts benchmarks
	@PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(BIN)/pyright

arch: ## import contracts
	@$(SETUP) test
	@PYTHONPATH=src $(BIN)/lint-imports --no-logo

bench: ## measure what the project promises about speed
	@$(SETUP) runtime
	@for program in benchmarks/*.py; do echo "== $$program"; $(BIN)/python $$program || exit 1; done

release: ## build dist/loopx-VERSION.tar.gz, which `loopx self-update` installs
	@$(SETUP) runtime
	@$(BIN)/python scripts/release.py

lock: ## renew requirements/*.txt after a change of dependencies (LOCK_ARGS=--upgrade takes new releases)
	@scripts/lock.sh $(LOCK_ARGS)

clean: ## remove what was built, .venv included
	rm -rf .venv build dist loopx.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
