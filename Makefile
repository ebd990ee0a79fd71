# Everything one does with Ostler from a shell. `make` alone lists it; the
# continuous integration calls these targets and nothing else.

SHELL := /bin/bash
.DEFAULT_GOAL := help

# For every go command below, also those that tests start: the tag leaves the
# loading of extensions out of SQLite. What `go test` would vet, with the race detector
# and once more without, `make lint` vets once.
export GOFLAGS := $(strip $(shell go env GOFLAGS 2>/dev/null) -tags=sqlite_omit_load_extension -vet=off)

# What `make demo` passes on: make demo ARGS='--speed 0'.
ARGS ?=

.PHONY: help demo build test unit race-packages race-worlds race-callers models simulation stories worlds planted e2e systemd sim profiles restored shrink mutants crash idle load soak fullsync powercut package packagetest reproducible lint vulns generate bench groups paint fuzz interop browser screenshots clean

help: ## list the targets
	@awk -F ': .*## ' '/^[a-z0-9]+: .*## /{printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: ## build, then run a sample hotel with simulated channels on http://127.0.0.1:8080
	@tools/needs.sh
	@[ -x bin/ostler ] || echo 'The first build fetches the modules and compiles SQLite: about a minute, mostly in silence.'
	go build -o bin/ostler ./cmd/ostler
	@bin/ostler demo --data .demo --listen 127.0.0.1:8080 $(ARGS)

build: ## build bin/ostler
	@tools/needs.sh
	go build -o bin/ostler ./cmd/ostler

# What unit and simulation run, in one row, so that no core waits at the end of the first
# for its longest package. What keeps one core busy begins early; the worlds, which take
# whatever is left, come last.
test: ## run every test: units and models, much with the race detector, simulated hotels, then the whole program and its pages in a browser
	@tools/needs.sh
	@tools/outside.sh
	@echo 'The first run fetches the modules and compiles everything twice, for the race detector and without: some minutes, at first in silence.'
	@$(MAKE) --no-print-directory -j2 -Oline models race-packages stories planted race-worlds race-callers worlds
	@$(MAKE) --no-print-directory -j2 -O e2e systemd browser

# Tests in which one thing follows the other run without the race detector, in a fifth of
# the time; those in which many act at once run with it. SQLite without optimisation compiles in a fifth of the
# time, and the detector outweighs what is lost.
unit: ## run the tests of the packages, where many act at once with the race detector
	@$(MAKE) --no-print-directory -j2 -O models race-packages race-worlds race-callers

# Much is thrown away by tests, and soon: to collect it less often saves a quarter of the
# time. Where the program itself is measured, it collects as it does at its users'.
PLAIN := models race-packages race-worlds race-callers stories planted sim profiles restored mutants shrink
$(PLAIN): export GOGC := 400
$(PLAIN): export GOMEMLIMIT := 1GiB

SINGLE := ./hotel/... ./ledger/... ./sync/dispatch ./sync/plan ./internal/app ./internal/console ./connectors/all ./connectors/alpinebits ./connectors/channex ./connectors/ical ./connectors/mock ./connectors/process

race-packages race-worlds race-callers: export CGO_CFLAGS := $(strip $(CGO_CFLAGS) -O0 -g0)
race-packages:
	go test -race -timeout 10m $$(go list ./... | grep -v -e '/cmd/' -e '/sync$$' -e '/api$$' -e '/skeleton$$' | grep -vxF "$$(go list $(SINGLE))")

# Of packages that run without it, the tests in which callers meet.
race-callers:
	go test -race -timeout 10m ./api -run '^(TestALongPoll.*|TestIdempotentInParallel|TestLastRooms|TestRepeatedWritesOfTheHouse)$$'
	go test -race -timeout 10m ./ledger -run '^(Test.*AtOnce.*|TestBatch.*|TestBoardLoadsWhileOthersWrite|TestChangesAtATimeAreBothKept|TestForgettingWaitsForReaders|TestKill.*|TestOneKeyMakesOneReservation|TestTwentyCallersForFiveRooms|TestWriter.*)$$'
	go test -race -timeout 10m ./internal/app -run '^(TestAResetWithoutAnAnswerIsCompleted|TestHostileClients|TestIdleConnectionsKeepNobodyOut|TestSandboxFaults|TestWhoWaitsInASandboxIsInNobodysWay)$$'
	go test -race -timeout 10m ./internal/console -run '^(TestNobodyWritesOverAnother|TestPagesAreToldWhatHappens)$$'
	go test -race -timeout 10m ./connectors/alpinebits -run '^TestConformance$$/^counts$$'
	go test -race -timeout 10m ./connectors/alpinebits -run '^Test(ConformanceOfPMS|Handler.*|PMS.*|Portal.*)$$'
	go test -race -timeout 10m ./connectors/channex -run '^Test(Certification|Conformance|List.*|Recovery|Webhooks)$$'
	go test -race -timeout 10m ./connectors/ical -skip '^TestPlantedFaults$$'
	go test -race -timeout 10m ./connectors/mock -skip '^TestPlantedFaults$$'
	go test -race -timeout 10m ./connectors/process -skip '^(TestConformance|TestPythonExample)$$'

# Of the engine's own tests those in which most happens at once, among them a guarded
# world, in which nobody waits for a turn; the stories run without the race detector, under
# which they take minutes.
race-worlds:
	go test -race -timeout 10m ./sync -run '^(TestSimulation|TestEngine.*)$$'
	go test -race -timeout 10m ./sync -run '^TestGuardedPoolIsNeverSoldTwice$$' -guarded.seed 26

models:
	go test -timeout 10m $(SINGLE)

# The stories are told one after the other, on one core; the worlds take what is left.
simulation: ## tell the engine's stories, plant five bugs, and play simulated hotels, some for two days each
	@$(MAKE) --no-print-directory -j2 -Oline stories worlds

stories:
	go test -timeout 15m ./sync -skip '^TestSimulation$$'

worlds: planted
	@$(MAKE) --no-print-directory sim SEEDS=100

# The bugs whose turn it is differ from commit to commit.
planted:
	go test -timeout 10m ./sync -run '^TestMutantsByTurn$$' -mutant.turn $$(git rev-list --count HEAD 2>/dev/null || echo 0)

e2e: ## run the tests of the API, and those of the built program
	go test -timeout 10m ./api ./connectors/skeleton ./cmd/...

systemd: build ## start the units of systemd/ in a container with a systemd of its own, and play what happens to a service
	@tools/systemd.sh

# What `make sim`, `make profiles`, `make restored` and `make mutants` run: SEEDS worlds from SEED on, HOURS simulated hours each.
SEED ?= 1
sim: SEEDS ?= 100
sim: HOURS ?= 48
sim: ## let SEEDS simulated hotels live for HOURS each, over all cores; fails when one goes wrong
	@tools/needs.sh
	@mkdir -p bin && go test -c -o bin/simulation.test ./sync
	@cd sync && ../bin/simulation.test -test.timeout 0 -test.run '^TestSwarm$$' -sim.seed $(SEED) -swarm.seeds $(SEEDS) -sim.hours $(HOURS) -sim.rest 20h

profiles: SEEDS ?= 20
profiles: HOURS ?= 72
profiles: ## let SEEDS hotels sell for HOURS each through Channex, AlpineBits and calendars; fails when one goes wrong
	@tools/needs.sh
	@mkdir -p bin && go test -c -o bin/simulation.test ./sync
	@cd sync && ../bin/simulation.test -test.timeout 0 -test.v -test.run '^Test(Profiles|PMS)$$' -profiles.seed $(SEED) -profiles.seeds $(SEEDS) -profiles.hours $(HOURS)

restored: SEEDS ?= 20
restored: ## restore an old backup in SEEDS hotels while guests go on buying; fails when one goes wrong
	@tools/needs.sh
	@mkdir -p bin && go test -c -o bin/simulation.test ./sync
	@cd sync && ../bin/simulation.test -test.timeout 0 -test.v -test.run '^TestRestoredBackup$$' -restore.seed $(SEED) -restore.seeds $(SEEDS)

shrink: HOURS ?= 48
shrink: ## take out of the failing world of SEED what it fails without, and note what is left among the worlds that every test plays again
	@tools/needs.sh
	@mkdir -p bin && go test -c -o bin/simulation.test ./sync
	@cd sync && ../bin/simulation.test -test.timeout 0 -test.run '^TestShrink$$' -sim.shrink -sim.seed $(SEED) -sim.hours $(HOURS) -sim.rest 20h -sim.bug '$(BUG)'

mutants: SEEDS ?= 50
mutants: ## plant bugs, one after the other, let the simulation find each within SEEDS seeds, and note which did
	@tools/needs.sh
	@mkdir -p bin && go test -c -o bin/simulation.test ./sync
	@cd sync && ../bin/simulation.test -test.timeout 0 -test.run '^TestMutants$$' -sim.seed $(SEED) -mutant.seeds $(SEEDS) -mutant.name '$(MUTANT)'

# What the tests do a few times, for as long as one likes.
crash: KILLS ?= 100
crash: ## kill the program KILLS times while clients and guests book, then count; fails when anything is lost or doubled
	@tools/needs.sh
	go test -count 1 -timeout 0 -v ./cmd/ostler -run '^TestKillAndRestart$$' -crash.kills $(KILLS)

idle: CONNECTIONS ?= 10000
idle: ## open CONNECTIONS connections that say nothing; fails when others are not served, or memory grows with them
	@tools/needs.sh
	ulimit -n $$(ulimit -H -n) && go test -count 1 -v ./internal/app -run '^TestIdleConnectionsKeepNobodyOut$$' -idle.connections $(CONNECTIONS)

load: MINUTES ?= 10
load: ## let 64 clients ask and book for MINUTES, as fast as they are answered; fails when an answer is our fault, or memory grows
	@tools/needs.sh
	go test -count 1 -timeout 0 -v ./cmd/ostler -run '^TestLoad$$' -load.for $(MINUTES)m

soak: MINUTES ?= 60
soak: NIGHTS ?= 500
soak: ## keep a large house busy for MINUTES while its channels fail and restart; fails when memory, goroutines, descriptors or the ledger's log grow, or anything is lost, doubled or not in sync
	@tools/needs.sh
	go test -count 1 -timeout 0 -v ./cmd/ostler -run '^TestSoak$$' -soak.for $(MINUTES)m -soak.nights $(NIGHTS)

fullsync: ## tell a pretend Channex all of the largest property that it documents, over /v1; fails when that takes more than two calls; takes minutes
	@tools/needs.sh
	go test -count 1 -timeout 0 -v ./internal/app -run '^TestChannexFullSync$$' -channex.largest

powercut: POINTS ?= 10000
powercut: ROUNDS ?= 24
powercut: ## cut the power at POINTS moments of a workload of ROUNDS rounds; fails when a promise is lost
	@tools/needs.sh
	go test -count 1 -timeout 0 -v ./ledger -run '^TestPowerCutLosesNothing$$' -powercut.points $(POINTS) -powercut.rounds $(ROUNDS)

package: ## build .deb and .rpm into bin/packages: make package ARCH="amd64 arm64"
	@tools/needs.sh
	@tools/package.sh $(ARCH)

packagetest: ## install, upgrade, take back, remove and purge the packages in a Debian of their own; fails when the ledger or the configuration is touched, or anything is left
	@tools/needs.sh
	@tools/package-test.sh

reproducible: ## build the packages of the newest commit twice, apart from each other; fails when a byte differs
	@tools/needs.sh
	@tools/reproducible.sh $(ARCH)

lint: ## run the linters, which check layout, imports and style
	@tools/needs.sh
	@tools/install.sh golangci-lint
	bin/tools/golangci-lint config verify
	bin/tools/golangci-lint run
	@tools/sleepers.sh

vulns: ## look up which known faults of Go and of its modules the program calls; needs the data, from the network or as VULNDB=file:///...
	@tools/needs.sh
	@tools/vulns.sh

generate: ## write the generated files again: queries and schema, the API's document, the example configuration
	@tools/needs.sh
	@tools/install.sh sqlc
	cd ledger && ../bin/tools/sqlc generate
	go test ./ledger -run TestSchemaIsWhatTheMigrationsMake -update
	go test ./api -run TestDocumentIsCurrent -update
	go test ./internal/config -update
	go test ./internal/metrics -run TestTableIsCurrent -update

bench: ## measure what the design aims at, as one table of ratios and times
	@tools/needs.sh
	@tools/figures.sh ./ledger ./api ./sync/dispatch ./internal/console ./cmd/ostler

groups: NIGHTS ?= 365
groups: ## measure groups of up to 1,000 hotels in the daemon that people run: memory, what it takes while quiet, a booking; takes hours
	@tools/needs.sh
	@BENCH=Groups WITHIN=0 tools/figures.sh ./cmd/ostler -args -figures.nights $(NIGHTS)

paint: ROUNDS ?= 20
paint: ## open the calendar of a large house in headless Chromium ROUNDS times, change a price each time, and tell how long both take
	@tools/needs.sh
	@tools/paint.sh $(ROUNDS)

fuzz: ## let every fuzz target look for new inputs, FUZZTIME=10s each
	@tools/needs.sh
	@tools/fuzz.sh

interop: ## hold the API and our calendars against other people's programs: two linters, kin-openapi, Prism, ical.js, and clients for Node.js and Go
	@tools/needs.sh
	@tools/interop.sh

browser: build ## look at the console in headless Chromium, with axe-core; pictures go to bin/screenshots
	@tools/browser.sh

screenshots: build ## likewise, and take the pictures of docs/console.md anew
	@mkdir -p docs/images/console
	@OSTLER_PICTURES="$(CURDIR)/docs/images/console" tools/browser.sh

clean: ## remove what was built; the data of the demo in .demo stays
	rm -rf bin
