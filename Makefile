# Every target is one call of the command line; `make` alone prints help.

PYTHON ?= python3
VENV   := build/venv
TB     := set -f; $(VENV)/bin/python -m fattree_bench
MARK   := $(VENV)/installed
FARM_MARK := $(VENV)/installed-farm
EVIDENCE_MARK := $(VENV)/installed-evidence

# Said before and after the tests: what is skipped must not be overlooked.
define MISSING
command -v iverilog >/dev/null || \
  printf '\033[31mSKIPPED: everything on Icarus Verilog (make setup-icarus)\033[0m\n'; \
command -v chromium >/dev/null && command -v genhtml >/dev/null || \
  printf '\033[31mSKIPPED: reports in a browser and in genhtml (make setup-browser)\033[0m\n'
endef

.PHONY: test-all help sim regress coverage explore formal mutate area list waves test lint format bench clean
.PHONY: setup setup-farm setup-evidence setup-browser setup-icarus
.DEFAULT_GOAL := help

help: $(MARK)
	@echo "make sim           build a network, drive tests into it, print what came of it"
	@echo "make list          list networks and their tests"
	@echo "make waves         say where the newest waves are (make sim WAVES=1) and how to open them"
	@echo "make regress       run a tier of the testplan: TIER=smoke, nightly or full"
	@echo "make coverage      the same (nightly) with code coverage; a report in build/report"
	@echo "make explore       sweep the load: latency and accepted load of NETWORK=xgft and its families"
	@echo "make formal        prove the properties of the networks and their blocks, for all inputs"
	@echo "make mutate        put faults into a network one by one and count how many the bench kills"
	@echo "make area          synthesize: gates, flip-flops, longest path, crosspoints by size"
	@echo "make test          the whole test suite, on both simulators"
	@echo "make test-all      the same and what is marked nightly: all faulty designs, more corners"
	@echo "make lint          Verilator, Icarus, Yosys, ruff and mypy find nothing to say"
	@echo "make format        format the Python"
	@echo "make bench         measure: packets a second, build times, memory, where the time goes"
	@echo "make setup         install the pinned requirements into build/venv (others do it if needed)"
	@echo "make setup-farm    install what make regress FARM=… needs"
	@echo "make setup-evidence install what make formal, make mutate and make area need"
	@echo "make setup-browser install Chromium and lcov, which some tests of the reports use (as root)"
	@echo "make setup-icarus  install Icarus Verilog with apt-get (as root)"
	@echo "make clean         remove everything that was generated"
	@$(TB) help

sim: $(MARK)
	@$(TB) sim $(MAKEOVERRIDES)

list: $(MARK)
	@$(TB) list

waves: $(MARK)
	@$(TB) waves $(MAKEOVERRIDES)

bench: $(MARK)
	@$(TB) bench $(MAKEOVERRIDES)

regress: $(MARK) $(if $(FARM),$(FARM_MARK))
	@$(TB) regress $(MAKEOVERRIDES)

coverage: $(MARK) $(if $(FARM),$(FARM_MARK))
	@$(TB) coverage $(MAKEOVERRIDES)

explore: $(MARK)
	@$(TB) explore $(MAKEOVERRIDES)

formal: $(EVIDENCE_MARK)
	@$(TB) formal $(MAKEOVERRIDES)

mutate: $(EVIDENCE_MARK)
	@$(TB) mutate $(MAKEOVERRIDES)

area: $(EVIDENCE_MARK)
	@$(TB) area $(MAKEOVERRIDES)

lint: $(MARK)
	@$(TB) lint

format: $(MARK)
	@$(VENV)/bin/ruff format . && $(VENV)/bin/ruff check --fix .

test: $(MARK) $(FARM_MARK) $(EVIDENCE_MARK)
	@$(MISSING)
	@$(VENV)/bin/python -m pytest -q -n 2 --dist loadgroup tests models README.md --doctest-modules --doctest-glob=README.md
	@$(MISSING)

test-all: export NIGHTLY := 1
test-all: test

setup: $(MARK)

$(MARK): requirements.txt pyproject.toml
	@echo "setting up $(VENV) (once) ..."
	@mkdir -p build
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "error: $(PYTHON) -m venv failed; on Debian: apt-get install python3-venv" >&2; exit 1; }
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	@touch $@

setup-farm: $(FARM_MARK)

$(FARM_MARK): requirements-farm.txt $(MARK)
	@echo "setting up $(VENV) for farms (once) ..."
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-farm.txt
	@touch $@

setup-evidence: $(EVIDENCE_MARK)

$(EVIDENCE_MARK): requirements-evidence.txt $(MARK)
	@echo "setting up $(VENV) for proofs, mutants and synthesis (once) ..."
	@$(VENV)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-evidence.txt
	@touch $@

setup-browser:
	@if [ "$$(id -u)" = 0 ]; then \
	  apt-get update -qq && \
	  apt-get install -y -qq --no-install-recommends chromium lcov fonts-dejavu-core; \
	else \
	  echo "error: not root; run: sudo apt-get install chromium lcov" >&2; exit 1; \
	fi

setup-icarus:
	@if [ "$$(id -u)" = 0 ]; then \
	  apt-get update -qq && apt-get install -y -qq iverilog; \
	else \
	  echo "error: not root; run: sudo apt-get install iverilog" >&2; exit 1; \
	fi

clean:
	@rm -rf build .pytest_cache .ruff_cache .mypy_cache .hypothesis
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
