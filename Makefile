# `make help` lists what can be asked. Every target sets the machine up first; that is skipped when done.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup build demo test hw check corpus acceptance golden frontier bench fuzz format size clean

help: ## this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):[^#]*## (.*)/  make \1\t\2/' | expand -t 16

setup: ## install the packages a fresh machine lacks
	@scripts/setup

build: setup ## .build/release/tracker, tracker-sim and the device-cli link
	@scripts/build

demo: build ## a simulated drive through the real daemon; ends in demo/summary.json
	@scripts/demo

test: build ## unit tests, then the daemon on the simulated bench; ends with "N passed, N failed"
	@scripts/test

hw: build ## only the daemon on the simulated bench
	@hw-tests/run

check: build ## what must hold before a merge: format, imports, warnings, size, install, acceptance, frontier
	@scripts/check

corpus: build ## decode the recorded logs and compare every epoch with other decoders
	@scripts/corpus

acceptance: build ## the tracker on simulated and recorded tracks with known truth; a table and docs/acceptance.md
	@scripts/acceptance

golden: setup ## take what the corpus journeys give now as what is expected
	@scripts/golden

frontier: build ## two weeks of five devices beside published rules: energy and error; docs/frontier.md and its plot
	@scripts/frontier

bench: build ## cost of decoder, engine, store, uploads and the whole daemon, beside other programs'; a table and bench.json
	@scripts/bench

fuzz: setup ## look for bytes that break a decoder, FUZZ_SECONDS (default 60) long
	@scripts/fuzz

format: setup ## rewrite the sources in the project's format
	@scripts/format

size: build ## size and linkage of the stripped daemon
	@scripts/size-gate

clean: ## remove what was built and the demo's files
	@rm -rf .build demo .peers .setup-done
