# Two commands do everything on a machine with Python (with venv), git and make:
#   make report   measure the default systems and write reports/out/index.html
#   make test     format, lint, types, layers and tests
# And one for the curious:
#   make bench    our speed beside that of other counters; TREE=FOLDER or TREE=REPOSITORY@REVISION chooses what is counted
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
ARGS ?=
TREE ?=
NAME ?=

.PHONY: report test test-torch check format default bench clean

report: $(VENV)/.run-ready
	$(BIN)/leverage report $(ARGS)

test: $(VENV)/.dev-ready
	$(BIN)/ruff format --check --quiet leverage tests bench examples
	$(BIN)/ruff check --quiet leverage tests bench examples
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest

check: test

format: $(VENV)/.dev-ready
	$(BIN)/ruff format leverage tests bench examples
	$(BIN)/ruff check --fix leverage tests bench examples

# The committed report, rendered from the recorded evidence alone.
default: $(VENV)/.run-ready
	$(BIN)/leverage report --offline --recorded --out reports/default

# Needs a gigabyte: torch in an environment of its own.
test-torch: $(VENV)/.dev-ready
	test -x $(VENV)-torch/bin/python || $(PYTHON) -m venv $(VENV)-torch
	$(VENV)-torch/bin/python -m pip install --quiet --disable-pip-version-check 'torch==2.13.0' numpy 'coverage>=7.10.6'
	LEVERAGE_TORCH_PYTHON=$(abspath $(VENV)-torch/bin/python) $(BIN)/python -m pytest -m torch tests/torch

bench: $(VENV)/.bench-ready
	$(BIN)/python -m bench.counting --tree "$(TREE)" --name "$(NAME)"

# A stamp is written last, so an interrupted installation is done again.
$(VENV)/.run-ready: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev-ready: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(VENV)/.run-ready $@

$(VENV)/.bench-ready: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[bench]'
	@touch $(VENV)/.run-ready $@

clean:
	rm -rf $(VENV) $(VENV)-torch reports/out .mypy_cache .pytest_cache .ruff_cache .hypothesis
