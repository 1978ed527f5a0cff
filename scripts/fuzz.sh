#!/usr/bin/env bash
# Runs every fuzz target for FUZZTIME (default 10s). What a run finds is written
# to testdata/fuzz of the package: keep it.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

time=${FUZZTIME:-10s}
failed=()
if ! list=$(go test -list '^Fuzz' ./...); then
  say "$list"
  exit 1
fi
# `go test -list` prints a package's targets and then a line that names it.
targets=()
while read -r first second _; do
  case "$first" in
    Fuzz*) targets+=("$first") ;;
    ok)
      for target in ${targets[@]+"${targets[@]}"}; do
        say "== $second $target"
        go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" "$second" || failed+=("$second $target")
      done
      targets=()
      ;;
  esac
done <<<"$list"

if [ ${#failed[@]} -gt 0 ]; then
  printf 'FAIL %s\n' "${failed[@]}" >&2
  exit 1
fi
