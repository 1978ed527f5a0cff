#!/usr/bin/env bash
# The end-to-end test against Codex CLI and Gemini CLI, offline on loopback.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

reason=$(mktemp)
trap 'rm -f "$reason"' EXIT
say "looking for Codex CLI $CODEX_VERSION and Gemini CLI $GEMINI_VERSION (the first time this downloads about 200 MB)"
status=0
found=$(scripts/install-agents.sh 2>"$reason") || status=$?
cat "$reason" >&2
if [ "$status" = 75 ]; then
  say "make test-agents: skipped: $(tail -n 1 "$reason")"
  exit 0
elif [ "$status" != 0 ]; then
  exit "$status"
fi
eval "$found"
# -count=1: the agents are not among the files that Go's test cache looks at.
go test -tags agents -count=1 -timeout 20m -v ./e2e/agents/...
