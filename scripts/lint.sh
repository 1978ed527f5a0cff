#!/usr/bin/env bash
# Formatting, vet, golangci-lint, tidy go.mod; all of them run, then it fails if
# any did.
#
# golangci-lint is built with `go install module@version` into the cache folder
# and not through a tools/go.mod: that form looks at no go.mod of ours, so its
# 200 modules can change neither ours nor each other's versions under it, and
# the pin stands with the others in scripts/versions.env.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

bin="$cache/bin/golangci-lint-$GOLANGCI_LINT_VERSION"
if [ ! -x "$bin/golangci-lint" ]; then
  say "building golangci-lint $GOLANGCI_LINT_VERSION (2 to 6 minutes, once)"
  # The flags are ours, not its: -mod or -tags would break its build.
  GOFLAGS='' GOBIN="$bin" CGO_ENABLED=0 go install "github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$GOLANGCI_LINT_VERSION"
fi

failed=()
check() {
  local name=$1
  shift
  if "$@"; then say "ok    $name"; else
    say "FAIL  $name"
    failed+=("$name")
  fi
}

check "gofumpt" "$bin/golangci-lint" fmt --diff
check "go vet" go vet -tags claude ./...
# Other systems have files of their own that this one never compiles.
check "go vet, windows" env GOOS=windows go vet ./...
check "go vet, darwin" env GOOS=darwin go vet ./...
check "golangci-lint" "$bin/golangci-lint" run --timeout 20m
check "go mod tidy" go mod tidy -diff
if have shellcheck; then
  check "shellcheck" shellcheck -x --source-path=SCRIPTDIR scripts/*.sh .ci/run
else
  say "skip  shellcheck: not installed"
fi

if [ ${#failed[@]} -gt 0 ]; then
  say "make lint failed: ${failed[*]}"
  exit 1
fi
