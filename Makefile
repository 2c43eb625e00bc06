# Both commands make their own virtual environment in .venv; nothing else is needed but Python 3.11 and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Pip stays quiet, never asks, and does not look for a newer self.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help demo test test-all lint types check-tests bench clean

help:
	@echo "make demo    install into $(VENV) and run the main job on the embedded model"
	@echo "make test    install with the test tools, then lint, types and tests"
	@echo "make test-all  the same, and the long proofs, in a real browser too (a quarter of an hour)"
	@echo "make bench   the benchmarks that need no data of yours"
	@echo "make clean   remove $(VENV) and the caches of the tools"

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# A stamp for each set of extras, so that the second run installs nothing.
$(VENV)/.installed: pyproject.toml | $(BIN)/python
	@echo "installing redraft into $(VENV) (a minute or two, the first time)"
	@$(PIP) -e .
	@touch $@

$(VENV)/.installed-test: pyproject.toml versions.txt | $(BIN)/python
	@echo "installing redraft and its test tools into $(VENV) (a minute or two, the first time)"
	@$(PIP) --constraint versions.txt -e '.[test]'
	@touch $@ $(VENV)/.installed

demo: $(VENV)/.installed
	@sh examples/demo.sh $(BIN)

test: $(VENV)/.installed-test lint types check-tests

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports

types: $(VENV)/.installed-test
	$(BIN)/mypy

check-tests: $(VENV)/.installed-test
	$(BIN)/pytest -q -n 2 --dist loadfile

test-all: test $(VENV)/axe.min.js
	$(BIN)/pytest -q -m long

# Checks that pages can be used by everybody; the tests that ask it are skipped without it.
$(VENV)/axe.min.js: | $(BIN)/python
	-@npm pack --silent --pack-destination $(VENV) axe-core@4.14.0 && \
	  tar -xzf $(VENV)/axe-core-4.14.0.tgz -C $(VENV) --strip-components 1 package/axe.min.js

bench: $(VENV)/.installed
	@for name in text constraints models; do echo "== $$name"; $(BIN)/python benchmarks/$$name.py || exit 1; done

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
