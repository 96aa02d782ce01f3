PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
FIXTURE := fixtures/padded_transformer

.PHONY: demo test lint types pytest clean

# g2s and torch alone: what a user has.
$(VENV)/.user: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e ".[torch]" numpy
	touch $@

# ... and what the tests need besides.
$(VENV)/.developer: $(VENV)/.user
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt tensorflow-cpu build hypothesis jsonschema mypy pre-commit pytest ruff setuptools wheel
	touch $@

demo: $(VENV)/.user
	@echo "== g2s check: what blocks capture in $(FIXTURE) =="
	cd $(FIXTURE) && ../../$(BIN)/g2s check . --exit-zero
	@echo "== g2s convert --unsafe: the diff =="
	cd $(FIXTURE) && ../../$(BIN)/g2s convert . --unsafe
	@echo "== g2s verify: eager and compiled agree =="
	cd $(FIXTURE) && ../../$(BIN)/g2s verify inputs:make_inputs --backend aot_eager --no-time

test: lint types pytest

lint: $(VENV)/.developer
	$(BIN)/ruff check .

types: $(VENV)/.developer
	$(BIN)/python tests/typecheck.py

pytest: $(VENV)/.developer
	$(BIN)/python -m pytest

clean:
	rm -rf $(VENV) build dist *.egg-info
