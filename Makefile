# Each target sets up .venv by itself. The only things needed beforehand are Python 3.11+ and make.
.PHONY: play page test test-all soak lint bench bench-page docs wheel pictures local-llm clean
.DELETE_ON_ERROR:

PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do \
	$$p -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 && { echo $$p; break; }; done)
BIN := .venv/bin
# Where a shell says not to keep compiled modules, each start would compile numpy, SQLAlchemy and the rest anew: seconds.
export PYTHONDONTWRITEBYTECODE :=
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

play: .venv/ready-play
	@$(BIN)/tahur room serve --open

test: .venv/ready-dev
	$(BIN)/python -m pytest -n auto

# The slow tests, too: up to 90 minutes on two cores. Tests that ask a real model are skipped where it cannot be had.
test-all: .venv/ready-dev
	@$(MAKE) --no-print-directory local-llm || echo "continuing without a local model"
	@began=$$(date +%s); $(BIN)/python -m pytest -n auto -m '' --durations=15; code=$$?; \
	echo "make test-all took $$(( ($$(date +%s) - began + 30) / 60 )) minutes"; exit $$code

# Hours of play in the card room in about 20 minutes, with its servers killed; a short one is among the tests.
soak: .venv/ready-dev
	$(BIN)/python tests/room/soak.py

lint: .venv/ready-dev
	$(BIN)/python tools/lock.py --check
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/ready-bench
	$(BIN)/python -m benchmarks

# The same, written to docs/benchmarks.md; best on an otherwise idle machine.
bench-page: .venv/ready-bench
	$(BIN)/python -m benchmarks --markdown > .venv/benchmarks.md
	mv .venv/benchmarks.md docs/benchmarks.md

# The documentation site, into site/; a broken link is an error. `tahur info docs` opens it.
docs: .venv/ready-dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet
	@echo "the documentation is in site/; open it with: $(BIN)/tahur info docs"

# A wheel in dist/ with the documentation and with kernels for this Python and Numba, so that nothing is compiled later.
wheel: docs
	$(BIN)/python tools/portable_kernels.py
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir dist .

# A small language model for this machine, 130 MB: server and weights, checked by their sha256.
local-llm: .venv/ready-play
	@test -e .venv/local-llm || { $(BIN)/tahur llm install && touch .venv/local-llm; }

pictures: .venv/ready-play
	$(BIN)/python tools/pictures.py

# What the card room shows in a browser. Every install builds it; this is for an install that could not.
page: .venv/ready-play
	@$(BIN)/python page/make.py

clean:
	rm -rf .venv build dist site src/tahur/web/built page/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis

# Exact versions with hashes, written by tools/lock.py; torch has builds of its own for each platform.
LOCK = requirements/$(if $(filter dev,$*),dev,play).lock
PEERS = .[bench,train]
TORCH = $(shell sed -n 's/^ *"\(torch==[^"]*\)".*/\1/p' pyproject.toml | head -n 1)

# A stamp older than pyproject.toml, the locks or the page's sources is stale; a .venv whose Python is gone is rebuilt.
.venv/ready-%: pyproject.toml $(wildcard requirements/*.lock) page/package-lock.json $(wildcard page/src/* page/src/*/*)
	@test -n "$(PYTHON)" || { echo "tahur needs Python 3.11 or newer with the venv module; none was found."; exit 1; }
	@$(BIN)/python -c '' 2>/dev/null || { echo "setting up .venv with $(PYTHON)"; rm -rf .venv; $(PYTHON) -m venv .venv; }
	@echo "installing tahur$(if $(filter-out play,$*), with its $* tools) into .venv"
	@$(PIP) --require-hashes --requirement $(LOCK)
	@$(if $(filter dev bench,$*),$(PIP) '$(TORCH)',true)
	@$(PIP) $(if $(filter bench,$*),--editable '$(PEERS)',--no-build-isolation --no-deps --editable .)
	@$(BIN)/tahur info compile >/dev/null || echo "the kernels are compiled when they are first needed"
	@touch $@
