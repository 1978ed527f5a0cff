# Everything here is a script in scripts/ or one go command; CONTRIBUTING.md says
# what each target is for.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
.PHONY: build test test-claude test-agents test-mcp test-api bench lint fuzz cover clean eval-trust eval-doctor eval-doctor-speed eval-claims eval-extract eval-dream eval-dream-speed eval-recall eval-recall-speed eval-load

build:
	CGO_ENABLED=0 go build -trimpath -o bin/ ./cmd/...

test:
	@scripts/test.sh

test-claude:
	@scripts/test-claude.sh

# The hooks and the server in the other agents, and the server in the conformance
# suite and the inspector: npm packages at the versions of scripts/versions.env.
test-agents:
	@scripts/test-agents.sh

test-mcp:
	@scripts/test-mcp.sh

# The server asked by the official SDKs, and killed in the middle: N (50) and SEED from
# the environment.
test-api:
	@scripts/test-api.sh

bench:
	@scripts/bench.sh

lint:
	@scripts/lint.sh

# DATA, SEED and N from the environment; the last line is one JSON object.
eval-trust:
	@go run ./internal/tools/evaltrust

# SEED, N, BIN and KEEP from the environment; the last line is one JSON object.
eval-doctor:
	@go run ./internal/tools/evaldoctor

eval-doctor-speed:
	@go run ./internal/tools/evaldoctor -speed

# DATA, SEED and N from the environment; the last line is one JSON object.
eval-claims:
	@go run ./internal/tools/evalclaims

# DATA, SEED and N from the environment; the last line is one JSON object.
eval-extract:
	@go run ./internal/tools/evalextract

# SEED, N, HALF, V, ENGINES and KIND from the environment; the last line is one JSON object.
eval-dream:
	@go run ./internal/tools/evaldream

# SIZES from the environment; the last line is one JSON object.
eval-dream-speed:
	@go run ./internal/tools/evaldream -speed

# DATA, LONGMEMEVAL (a longmemeval_s_cleaned.json) and EMBED (a path or openai:NAME@URL) from the environment; the last
# line is one JSON object.
eval-recall:
	@go run ./internal/tools/evalrecall $(if $(LONGMEMEVAL),-longmemeval $(LONGMEMEVAL))

# SEED, N and ENGRAM (that program, if it is not on PATH) from the environment; the last line is one JSON object.
eval-recall-speed:
	@go run ./internal/tools/evalrecall -speed

# N memories (1,000,000), SEED, ROUNDS and SECONDS_EACH from the environment; needs
# wrk and PostgreSQL; the last line is one JSON object.
eval-load:
	@go run ./internal/tools/evalload

fuzz:
	@scripts/fuzz.sh

cover:
	@go test -coverprofile=coverage.out ./...
	@go tool cover -func=coverage.out | tail -n 1

clean:
	rm -rf bin coverage.out
