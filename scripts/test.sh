#!/usr/bin/env bash
# Installs what the tests need, runs all of them, and prints what was skipped.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

notes=()

# The race detector is C code; nothing else here needs a C compiler.
race=(-race)
if ! have gcc && ! have clang && ! apt_install gcc libc6-dev; then
  race=()
  notes+=(-note "race detector: there is no C compiler and none could be installed (that needs root and apt-get)")
elif ! have gcc; then
  have clang && export CC=clang
fi

# The server's tests run on SQLite and, where it is there or can be installed, on
# PostgreSQL: clusters of their own, started and ended by the tests.
if ! have initdb && ! compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null && ! apt_install postgresql; then
  notes+=(-note "PostgreSQL: it is not installed and could not be (that needs root and apt-get)")
fi

# install-peers.sh and install-sdks.sh answer in two words: `export NAME=folder` and `skip "why"`.
# shellcheck disable=SC2317 # called by what eval runs
skip() { notes+=(-note "$1"); }
peers=$(scripts/install-peers.sh)
eval "$peers"
sdks=$(scripts/install-sdks.sh)
eval "$sdks"

notes+=(-note "end-to-end test against the real client: make test-claude")

tool="$cache/bin/testsummary"
CGO_ENABLED=0 go build -buildvcs=false -o "$tool" ./internal/tools/testsummary

status=0
if [ ${#race[@]} -gt 0 ]; then export CGO_ENABLED=1; fi
go test ${race[@]+"${race[@]}"} -shuffle=on -json "$@" ./... | "$tool" ${notes[@]+"${notes[@]}"} || status=$?
exit "$status"
