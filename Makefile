# svc: make run starts it, make test tests it, make help lists the rest.
# -trimpath lets every clone on a machine share one build cache.
export GOFLAGS := $(or $(GOFLAGS),-buildvcs=false) -trimpath
GOLANGCI := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.12.0
GOFUMPT  := mvdan.cc/gofumpt@v0.12.0
OASDIFF  := github.com/oasdiff/oasdiff@v1.33.0
OAPI     := go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen
REVISION := $(shell git rev-parse --short=11 HEAD 2>/dev/null)
LDFLAGS  := -s -w -X svc/server/platform/build.revision=$(REVISION)
SOURCES  := $(shell find docs gen openapi server store oauth -name '*.go' -o -name '*.sql' -o -path '*/web/*' -type f -o -path '*/transport/docs/*' -type f -o -path 'docs/*.md' 2>/dev/null)
# The race detector needs a C compiler; without one the same tests run without it.
RACE     := $(shell command -v $${CC:-cc} >/dev/null 2>&1 && echo -race)

# Many tests wait for the disk, the database or a job, so more of them run at once than there are cores. The packages
# that take longest come first.
TEST     := go test -vet=off -timeout 40m -p 2 -parallel 5
LONG     := ./tests/process ./tests/api ./tests/git ./tests/runner ./tests/browser ./tests/contract

.PHONY: help run build generate golden test test-sqlite test-postgres race lint check check-generated breaking changes bench fuzz sdk lint-document dist dist-lock dist-check upgrade-data rolling-check clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-15s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: build ## build and start the service on http://127.0.0.1:8080
	@bin/svc serve

build: bin/svc ## build bin/svc

bin/svc: go.mod go.sum gen/openapi.json gen/requests.json $(SOURCES)
	CGO_ENABLED=0 go build -ldflags '$(LDFLAGS)' -o $@ ./server/cmd/svc

bin/withpg: $(wildcard tests/withpg/*.go)
	go build -o $@ ./tests/withpg

generate: ## compile openapi/ into gen/, the reference and the table of abilities into docs/
	go run ./openapi/bundle
	$(OAPI) --config gen/types.cfg.yaml bin/codegen.yaml
	$(OAPI) --config gen/server.cfg.yaml bin/codegen.yaml
	go run ./server/platform/access/reference docs/abilities.md
	go run ./openapi/reference/write docs/api

test: test-sqlite test-postgres ## run all tests on SQLite and on PostgreSQL

test-sqlite: build
	SVC_TEST_DATABASE=sqlite $(TEST) $(LONG) ./...

# The race detector doubles the time, so here it watches the packages of the program and the tests with concurrent callers.
test-postgres: build bin/withpg
	@test -n "$(RACE)" || echo "No C compiler here: the tests run without the race detector."
	SVC_TEST_DATABASE=postgres bin/withpg -- $(TEST) $(RACE) ./openapi/... ./store/... ./oauth/... ./server/...
	SVC_TEST_DATABASE=postgres bin/withpg -- $(TEST) $(LONG) ./tests/...
	@test -z "$(RACE)" || SVC_TEST_DATABASE=postgres bin/withpg -- $(TEST) -race -run Concurrent ./tests/api ./tests/git

race: build bin/withpg ## run all tests on PostgreSQL with the race detector
	SVC_TEST_DATABASE=postgres bin/withpg -- $(TEST) -race ./...

golden: build ## run the tests and rewrite the golden files; read the diff
	SVC_TEST_DATABASE=sqlite SVC_GOLDEN=write go test -count=1 ./tests/... ./server/... ./store

fuzz: ## search for input that breaks what reads or writes it, 30 s each
	go test ./openapi/wire/encode -run '^$$' -fuzz FuzzText -fuzztime 30s
	go test ./openapi/wire/encode -run '^$$' -fuzz FuzzNumber -fuzztime 30s
	go test ./openapi/wire/encode -run '^$$' -fuzz FuzzValue -fuzztime 30s
	go test ./server/platform/fold -run '^$$' -fuzz FuzzJSON -fuzztime 30s
	go test ./server/platform/fold -run '^$$' -fuzz FuzzNest -fuzztime 30s
	go test ./server/platform/pagination -run '^$$' -fuzz FuzzCursor -fuzztime 30s
	go test ./server/transport/middleware -run '^$$' -fuzz FuzzPath -fuzztime 30s
	go test ./server/transport/middleware -run '^$$' -fuzz FuzzEdits -fuzztime 30s
	go test ./store/git -run '^$$' -fuzz FuzzPacket -fuzztime 30s
	go test ./server/domain/repository/changelog -run '^$$' -fuzz FuzzTemplate -fuzztime 30s
	go test ./server/domain/monitoring/errortracking/format -run '^$$' -fuzz FuzzEnvelope -fuzztime 30s
	go test ./server/domain/monitoring/alert/format -run '^$$' -fuzz FuzzAlert -fuzztime 30s
	go test ./server/domain/repository/changelog -run '^$$' -fuzz FuzzConfig -fuzztime 30s
	go test ./store/git -run '^$$' -fuzz FuzzDiff -fuzztime 30s
	go test ./server/domain/ci/syntax -run '^$$' -fuzz FuzzFile -fuzztime 30s -fuzzminimizetime 10x
	go test ./server/domain/ci/syntax -run '^$$' -fuzz FuzzExpression -fuzztime 30s -fuzzminimizetime 10x
	go test ./server/domain/ci/logview -run '^$$' -fuzz FuzzLog -fuzztime 30s
	go test ./server/domain/repository/signature -run '^$$' -fuzz FuzzSignature -fuzztime 30s
	go test ./server/domain/group/export -run '^$$' -fuzz FuzzRead -fuzztime 30s

# go vet is one of golangci-lint's, so the tests need not run it again. Each checkout has its own cache: a shared one answers with the paths of another clone, and rules by path miss.
lint: ## check format, imports and habits
	@go run $(GOFUMPT) -l $$(git ls-files -co --exclude-standard '*.go' | grep -v '\.gen\.go$$') | sed 's/^/not formatted (gofumpt): /' | tee -a /dev/stderr | (! grep -q .)
	GOLANGCI_LINT_CACHE=$${XDG_CACHE_HOME:-$$HOME/.cache}/svc-lint$(CURDIR) go run $(GOLANGCI) run ./...

check: check-generated lint test breaking ## everything that CI runs

check-generated: generate
	@git diff --exit-code --stat -- gen || (echo "gen/ was out of date, or its changes are not staged: git add gen"; exit 1)
	@git diff --exit-code --stat -- docs || (echo "docs/ was out of date, or its changes are not staged: git add docs"; exit 1)
	go mod tidy -diff

breaking: ## report what the document breaks for clients since the last release
	@mkdir -p bin; .ci/before bin/before.json
	go run $(OASDIFF) breaking --flatten-allof bin/before.json gen/openapi.json

# OLD and NEW are files or URLs of documents. Without them, the last release is compared with this checkout.
changes: ## explain what changed in the document, breaking changes first: make changes OLD=old.json NEW=new.json
	@mkdir -p bin; test -n "$(OLD)" || .ci/before bin/before.json
	@go run $(OASDIFF) changelog --flatten-allof --format singleline $(or $(OLD),bin/before.json) $(or $(NEW),gen/openapi.json) >bin/changes.txt
	@sed -E 's/ at [^,]*, in API / /; s/ \(media type: [^)]*\)//; s/ \[[a-z-]+\](\..*)?$$//' bin/changes.txt | awk 'NF && !seen[$$0]++'

RATIOS   := tests/bench/ratios.json

bench: build bin/withpg ## measure against the floor, on both databases; CHECK=1 fails if a ratio is 15 % above the recorded one, RECORD=1 records
	go build -o bin/bench ./tests/bench
	bin/withpg -durable -- bin/bench $(if $(CHECK),-check $(RATIOS)) $(if $(RECORD),-record $(RATIOS)) $(if $(ROWS),-rows $(ROWS))

sdk: build ## run ready clients, package managers, release tools, and clients generated from the document, against the service; installs them (Debian's packages, npm, Go)
	@command -v npm >/dev/null || (echo "make sdk needs npm: install Node.js 20 or newer"; exit 1)
	@/usr/bin/python3 -c 'import gitlab' 2>/dev/null || apt-get install -y python3-gitlab || (echo "make sdk needs python-gitlab: install Debian's package python3-gitlab"; exit 1)
	tests/sdk/run
	go test -tags clients -timeout 20m ./tests/packages ./tests/launchers
	go test -tags clients -timeout 20m -run TestClientsShareAProcess ./tests/sdk

lint-document: build ## lint the published document, as 3.0 and 3.1, with Redocly's recommended rules; needs npm
	@command -v npm >/dev/null || (echo "make lint-document needs npm"; exit 1)
	@mkdir -p bin/redocly; npm install --silent --no-audit --no-fund --prefix bin/redocly @redocly/cli@2.77.0
	bin/svc openapi --json >bin/redocly/openapi.json
	bin/svc openapi --json --view 3.1 >bin/redocly/openapi-3.1.json
	bin/redocly/node_modules/.bin/redocly lint --config openapi/redocly.yaml bin/redocly/openapi.json bin/redocly/openapi-3.1.json

dist: ## make archives, Debian packages, an image, lists of components and checksums in bin/dist; needs apt-get and dpkg-deb
	go run ./server/cmd/dist --out bin/dist --cache bin/debian

dist-lock: ## take the newest Debian packages for the image
	go run ./server/cmd/dist --cache bin/debian --update-lock

dist-check: dist ## build it again and compare, install the package, start the image; as root, in throw-away folders
	go test -count=1 -tags dist -timeout 30m ./tests/dist ./server/cmd/dist ./server/cmd/svc
	SVC_TEST_DATABASE=sqlite go test -count=1 -tags dist -run Systemd ./tests/process

# NAME is the version that is released.
upgrade-data: bin/withpg ## keep data of this version for the tests of upgrades: make upgrade-data NAME=1.2.0
	@test -n "$(NAME)" || (echo "make upgrade-data needs the version: make upgrade-data NAME=1.2.0"; exit 1)
	SVC_UPGRADE_DATA=$(NAME) SVC_TEST_DATABASE=sqlite go test -count=1 -tags upgradedata -run TestDataOfThisVersionIsKept ./tests/upgrade
	SVC_UPGRADE_DATA=$(NAME) SVC_TEST_DATABASE=postgres bin/withpg -- go test -count=1 -tags upgradedata -run TestDataOfThisVersionIsKept ./tests/upgrade

# OLD is the commit or tag of the version before. make check does not run this: it compiles that version, too.
rolling-check: bin/withpg ## upgrade processes of an older version one after the other, under load: make rolling-check OLD=v1.2.0
	@test -n "$(OLD)" || (echo "make rolling-check needs the older version: make rolling-check OLD=v1.2.0"; exit 1)
	rm -rf bin/older; mkdir -p bin/older; git archive $(OLD) | tar -x -C bin/older
	cd bin/older && CGO_ENABLED=0 go build -o ../svc-older ./server/cmd/svc
	rm -rf bin/older
	SVC_TEST_OLDER=$(CURDIR)/bin/svc-older SVC_TEST_DATABASE=sqlite go test -vet=off -count=1 -tags older -run TestProcessesOfAnOlderProgram ./tests/process
	SVC_TEST_OLDER=$(CURDIR)/bin/svc-older SVC_TEST_DATABASE=postgres bin/withpg -- go test -vet=off -count=1 -tags older -run TestProcessesOfAnOlderProgram ./tests/process

clean: ## remove what was built
	rm -rf bin
