# Two commands: `make run` shows the bench on the sample, `make test` checks the repository.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV ?= .venv
BIN = $(VENV)/bin
# Without compiling every file of every package: Python compiles what is imported, when it is, and
# keeps that here even where the environment says not to: a hundred stages import the same again.
unexport PYTHONDONTWRITEBYTECODE
PIP_INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile -c constraints.txt
export PATH := $(abspath $(BIN)):$(PATH)
# One thread pool per process is enough; nested pools only fight.
export TOKENIZERS_PARALLELISM = false
export DVC_NO_ANALYTICS = 1
export MLFLOW_DISABLE_TELEMETRY = true
export DO_NOT_TRACK = 1

.PHONY: help run test lint types pytest data bench clean

help:
	@echo "make run    install, pull the sample, run the pipeline, print the leaderboard"
	@echo "make test   lint, types and tests"
	@echo "make bench  measure against peers and write benchmarks/RESULTS.md"

# The stamp is younger than what it was made from, so a second `make run` installs nothing.
$(VENV)/.installed: pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	# torch first and pinned: a range would let pip take another, larger build.
	@echo "Installing some 200 packages, torch among them: a minute or two, and quiet ones."
	$(PIP_INSTALL) torch==2.13.0
	$(PIP_INSTALL) -e '.[sample,e5]'
	@touch $@

# What only tests and checks need.
$(VENV)/.installed-dev: $(VENV)/.installed
	$(PIP_INSTALL) -e '.[sample,e5,dev]'
	@touch $@

# Data that somebody has changed stays as it is; the pipeline runs on it. Recorded replies of chat
# models are pulled by name, so that stages replay them.
data: $(VENV)/.installed
	@dvc pull --quiet data.dvc 2>.pull.log || { \
	  if [ -d data ]; then echo "data/ differs from what data.dvc names; it is kept, and used as it is."; \
	  else cat .pull.log; exit 1; fi; }; rm -f .pull.log
	@awk '/^ *- path: recordings\//{p=$$3} /^ *md5: /&&p{print $$2 "  " p; p=""}' dvc.lock | sort -u >.recorded; \
	recorded=$$(cut -c35- .recorded); \
	! md5sum --status -c .recorded 2>/dev/null || recorded=; rm -f .recorded; \
	[ -z "$$recorded" ] || dvc pull $$recorded >.pull.log 2>&1 || { \
	  for file in $$recorded; do [ -e "$$file" ] || missing="$$missing $$file"; done; \
	  if [ -n "$$missing" ]; then \
	    echo "These recordings could not be pulled, and stages cannot replay without them:$$missing"; \
	    sed -n 's/^ERROR: //p' .pull.log; exit 1; fi; \
	  echo "recordings/ differs from what dvc.lock names; it is kept, and used as it is."; }; \
	rm -f .pull.log

run: data
	@if dvc status --quiet 2>/dev/null; then \
	  echo "Nothing to do: data, settings and code are those of the recorded results."; \
	else dvc repro; fi
	@isogloss leaderboard
	@echo "The whole report:   report/index.html (one page, opens in any browser)"
	@changed=$$(git status --porcelain 2>/dev/null | sed 's/^...//' | sort | tr '\n' ' '); \
	case "$$changed" in \
	"") echo "git status is clean: this machine repeats the recorded results." ;; \
	"dvc.lock ") echo "Only dvc.lock changed: data, settings, results of your own in results/retrieval, or this"; \
	  echo "machine's arithmetic gave other bytes than recorded. Commit it to record these, or git checkout dvc.lock." ;; \
	*) echo "Changed since the last commit: $$changed" ;; esac

test: lint types pytest

lint: $(VENV)/.installed-dev
	ruff check .
	ruff format --check .

types: $(VENV)/.installed-dev
	mypy

# A worker each processor, few enough for the memory that models take.
pytest: data $(VENV)/.installed-dev
	python -m pytest -q -n auto --maxprocesses 4 --dist loadgroup

bench: $(VENV)/.installed
	$(PIP_INSTALL) -e '.[bench]'
	python -m benchmarks

clean:
	rm -rf $(VENV) .cache corpora benchmark embeddings medical results report lancedb mlruns mlflow.db
