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

.PHONY: report test check format default bench clean

report: $(VENV)/.run-ready
	$(BIN)/leverage report $(ARGS)

test: $(VENV)/.dev-ready
	$(BIN)/ruff format --check --quiet leverage tests bench
	$(BIN)/ruff check --quiet leverage tests bench
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest

check: test

format: $(VENV)/.dev-ready
	$(BIN)/ruff format leverage tests bench
	$(BIN)/ruff check --fix leverage tests bench

# The committed report, rendered from the recorded evidence alone.
default: $(VENV)/.run-ready
	$(BIN)/leverage report --offline --recorded --out reports/default

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
	rm -rf $(VENV) reports/out .mypy_cache .pytest_cache .ruff_cache .hypothesis
