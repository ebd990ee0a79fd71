# Everything one does with Ostler from a shell. `make` alone lists it; the
# continuous integration calls these targets and nothing else.

SHELL := /bin/bash
.DEFAULT_GOAL := help

# For every go command below, also those that tests start: the tag leaves the
# loading of extensions out of SQLite.
export GOFLAGS := $(strip $(shell go env GOFLAGS 2>/dev/null) -tags=sqlite_omit_load_extension)

# What `make demo` passes on: make demo ARGS='--speed 0'.
ARGS ?=

.PHONY: help demo build test lint generate bench clean

help: ## list the targets
	@awk -F ': .*## ' '/^[a-z]+: .*## /{printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: ## build, then run a sample hotel with simulated channels on http://127.0.0.1:8080
	@tools/needs.sh
	@[ -x bin/ostler ] || echo 'The first build fetches the modules and compiles SQLite: about a minute, mostly in silence.'
	go build -o bin/ostler ./cmd/ostler
	@bin/ostler demo --data .demo --listen 127.0.0.1:8080 $(ARGS)

build: ## build bin/ostler
	@tools/needs.sh
	go build -o bin/ostler ./cmd/ostler

# SQLite without optimisation compiles in a fifth of the time, and the race
# detector outweighs what is lost.
test: export CGO_CFLAGS := $(strip $(CGO_CFLAGS) -O0 -g0)
test: ## run every test with the race detector
	@tools/needs.sh
	@echo 'The first run fetches the modules and compiles everything for the race detector: a minute or two in silence.'
	go test -race -timeout 5m ./...

lint: ## run the linters, which check layout, imports and style
	@tools/needs.sh
	@tools/install.sh golangci-lint
	bin/tools/golangci-lint config verify
	bin/tools/golangci-lint run
	@tools/sleepers.sh

generate: ## write the generated files again: the queries of the ledger
	@tools/needs.sh
	@tools/install.sh sqlc
	cd ledger && ../bin/tools/sqlc generate

bench: ## run the benchmarks
	@tools/needs.sh
	go test -run '^$$' -bench . -benchmem -timeout 20m ./...

clean: ## remove what was built; the data of the demo in .demo stays
	rm -rf bin
