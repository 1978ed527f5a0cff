#!/usr/bin/env bash
# All of the server's contract tests: the SDKs in TypeScript too, the tests and the
# memory sync that the SDKs in Go bring, and as many accidents as an issue asks for. N and
# SEED from the environment say how many and which.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

skip() { say "skipped: $1"; }
if ! have initdb && ! compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null && ! apt_install postgresql; then
  skip "PostgreSQL: it is not installed and could not be (that needs root and apt-get)"
fi
sdks=$(scripts/install-sdks.sh)
eval "$sdks"
export DORMOUSE_SDK_TESTS=1 # compiles copies of both SDKs, which make test has no time for
N=${N:-50} go test -count=1 -timeout 55m -v "$@" ./e2e/api | grep -Ev '^(=== |\s+--- PASS)'
