# The two commands a newcomer needs: `make run` and `make test`. Everything is installed into .venv.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
# More than a small machine has cores: many tests wait for a server or a clock.
WORKERS ?= 4

# Compiled modules are kept: whatever starts a process would compile them anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help run play check test docs lint types laws kernels blackjack-kernels poker-kernels batch-kernels soak bench screenshots clean

help:
	@echo "make run          the card room in the browser"
	@echo "make play         the card room in the terminal"
	@echo "make check        lint, types, import law, the quick tests: two minutes"
	@echo "make test         lint, types, import law, all tests but the long ones"
	@echo "make docs         the documentation as a site, in out/docs"
	@echo "make soak         the long tests"
	@echo "make bench        every benchmark, beside its peers"
	@echo "make screenshots  a picture of each screen in each language, in out/screenshots"
	@echo "make clean        removes everything that was made"

run: .venv/app
	@$(BIN)/croupier serve

play: .venv/app
	@$(BIN)/croupier play

screenshots: .venv/dev browser fonts
	$(BIN)/python -m tests.web.screenshots out/screenshots

# The page has a run of its own: its driver keeps an event loop going in the process.
test: .venv/dev node browser proxies
	@$(MAKE) --no-print-directory --jobs 2 --output-sync lint types laws kernels
	$(BIN)/pytest -n $(WORKERS) --dist worksteal -m "not soak" --ignore tests/web
	$(BIN)/pytest -n 3 --dist loadgroup -m "not soak" tests/web

# The pure layers, and something of each of the others: what to run after every change.
QUICK := tests/architecture tests/games tests/dealing tests/table tests/contract \
  tests/clients/test_vault.py tests/documents/test_000_classroom.py tests/lab/test_ranges.py \
  tests/lying_server/test_attacks.py tests/replay/test_mirrors.py tests/server/test_rooms.py \
  tests/simulation/test_lies.py tests/store/test_sqlite.py
# Of the pure layers, these take as long as all the others together.
NOT_QUICK := $(addprefix --ignore ,tests/table/test_evenings.py tests/table/test_snapshot.py \
  tests/table/test_forgeries.py tests/table/test_verify.py tests/table/test_verify_command.py \
  tests/table/test_phh_command.py tests/contract/test_bots.py tests/games/blackjack/test_bots.py \
  tests/games/poker/test_bots.py tests/games/poker/test_oracle.py tests/games/poker/test_phh.py \
  tests/games/poker/test_pokerstars.py tests/games/sequence/test_bots.py tests/games/sequence/test_secrets.py)

check: .venv/dev
	@$(MAKE) --no-print-directory --jobs 2 --output-sync lint types laws
	$(BIN)/pytest -n 2 --dist worksteal -m "not soak" $(QUICK) $(NOT_QUICK)

# A warning is an error: a link that leads nowhere, a name without a page.
docs: .venv/dev
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet --builder html docs out/docs
	@echo "The site is at out/docs/index.html"

lint: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: .venv/dev
	$(BIN)/mypy

laws: .venv/dev
	$(BIN)/lint-imports --no-logo

# Compiled once, or else every test worker that meets a kernel first would compile it too.
kernels: blackjack-kernels poker-kernels batch-kernels

blackjack-kernels: .venv/dev
	@$(BIN)/croupier solve blackjack --json >/dev/null
	@$(BIN)/croupier simulate blackjack --rounds 1e5 --json >/dev/null
	@$(BIN)/croupier simulate blackjack --rounds 1e5 --penetration 0.75 --count hi-lo --ramp 1:1,2:2 --json >/dev/null

poker-kernels: .venv/dev
	@$(BIN)/croupier equity AsKs QhQd --json >/dev/null
	@$(BIN)/croupier equity QQ+ AKs random --json >/dev/null
	@$(BIN)/croupier equity --variant omaha AsAhKsKh QdJdTc9c --json >/dev/null
	@$(BIN)/croupier pushfold --stacks 5,5,5 --seconds 1 --json >/dev/null
	@$(BIN)/croupier solve holdem --board QsJh2h7c --ranges QQ,AK JJ,AQ --pot 10 --stack 20 --seconds 1 --json >/dev/null

batch-kernels: .venv/dev
	@$(BIN)/python -m tests.lab.batch.kernels

soak: .venv/dev node browser proxies
	$(BIN)/pytest -n 2 -m soak --timeout 0 --ignore tests/web
	$(BIN)/pytest -n 1 -m soak --timeout 0 tests/web

bench: .venv/bench
	@set -e; for file in $(filter-out benchmarks/server_load.py benchmarks/server_side.py benchmarks/before_after.py,$(wildcard benchmarks/*.py)); do echo "== $$file"; $(BIN)/python $$file; done

# The browser's half of the fairness vectors, and the real SignalR client, run on node. With CI set nothing may be skipped.
.PHONY: node
node:
	@{ command -v node && command -v npm; } >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && apt-get install -y -qq nodejs npm; \
	  elif [ -n "$$CI" ]; then \
	    echo "node and npm are missing and cannot be installed here; install Node.js 20 or later." >&2; exit 1; \
	  else \
	    echo "node or npm is missing: the tests with the browser's code and the SignalR client will be skipped."; \
	  fi; }

# The page is tested in a real Chromium: Debian's headless one, which takes a third less processor, or any that is on the path.
.PHONY: browser
browser:
	@command -v chromium-headless-shell >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && { apt-get install -y -qq chromium-headless-shell || apt-get install -y -qq chromium; }; \
	  elif command -v chromium || command -v chromium-browser || command -v google-chrome; then :; \
	  elif [ -n "$$CI" ]; then \
	    echo "Chromium is missing and cannot be installed here." >&2; exit 1; \
	  else \
	    echo "Chromium is missing: the tests of the page will be skipped."; \
	  fi; }

# A picture of a page in Korean or Chinese needs letters that a bare machine has not.
.PHONY: fonts
fonts:
	@{ fc-list :lang=ko | grep -q . && fc-list :lang=zh | grep -q .; } 2>/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && apt-get install -y -qq --no-install-recommends fontconfig fonts-noto-cjk; \
	  else \
	    echo "Fonts for Korean and Chinese are missing: the pictures will show boxes."; \
	  fi; }

# The files in deploy/ are tested with the programs that read them.
.PHONY: proxies
proxies:
	@{ command -v nginx && command -v caddy && command -v systemd-analyze; } >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && apt-get install -y -qq nginx-light caddy openssl systemd; \
	  elif [ -n "$$CI" ]; then \
	    echo "nginx, Caddy or systemd is missing and cannot be installed here." >&2; exit 1; \
	  else \
	    echo "nginx, Caddy or systemd is missing: the tests with them will be skipped."; \
	  fi; }

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Croupier needs Python 3.11 or later; give another one with PYTHON=..." >&2; exit 1; }
	$(PYTHON) -m venv .venv

.venv/app: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) --editable '.[lab]'
	@touch $@

.venv/dev: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) --editable '.[dev]'
	@touch $@

.venv/bench: .venv/dev
	$(PIP) --editable '.[bench]'
	@touch $@

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache build dist out
