#!/usr/bin/env bash
# The end-to-end test against the real client, offline on loopback.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

reason=$(mktemp)
trap 'rm -f "$reason"' EXIT
say "looking for the client, $CLAUDE_VERSION (the first time this downloads about 400 MB)"
status=0
program=$(scripts/install-claude.sh 2>"$reason") || status=$?
cat "$reason" >&2
if [ "$status" = 75 ]; then
  say "make test-claude: skipped: $(tail -n 1 "$reason")"
  exit 0
elif [ "$status" != 0 ]; then
  exit "$status"
fi
say "client: $program"
# -count=1: the client is not among the files that Go's test cache looks at.
DORMOUSE_CLAUDE="$program" go test -tags claude -count=1 -timeout 30m -v -run TestClaude ./e2e/claude/...
