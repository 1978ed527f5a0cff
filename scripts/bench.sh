#!/usr/bin/env bash
# What a command costs as a whole process, against reference programs. Prints a
# table and, as the last line, one JSON object; fails only where something can't
# be run. N is the number of pairs of runs (default and least: 40).
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Where links are resolved, as in the client: the store is named after the path.
work=$(cd "$work" && pwd -P)

say "building"
CGO_ENABLED=0 go build -trimpath -buildvcs=false -o "$work/bin/" \
  ./cmd/dormouse ./internal/tools/benchempty ./internal/tools/benchref \
  ./internal/tools/benchfixture ./internal/tools/benchrun

# Nothing of the caller's environment reaches what is measured.
environment=("HOME=$work/home" "PATH=$PATH" "LANG=C.UTF-8")
dormouse() { (cd "$1" && shift && env -i "${environment[@]}" "$work/bin/dormouse" "$@"); }

mkdir -p "$work/home/.claude" "$work/small" "$work/large"
for project in small large; do
  GIT_CONFIG_GLOBAL=/dev/null git init -q "$work/$project"
done
small_store=$(dormouse "$work/small" path memory)
large_store=$(dormouse "$work/large" path memory)

say "writing fixtures"
"$work/bin/benchfixture" -project "$work/small" -home "$work/home" -store "$small_store"
"$work/bin/benchfixture" -store "$large_store" -notes 10000

# json_list WORD...: a JSON array of strings. Nothing here has a quote in it.
json_list() {
  local sep='' word
  printf '['
  for word in "$@"; do
    printf '%s"%s"' "$sep" "$word"
    sep=,
  done
  printf ']'
}

# row NAME GOAL DIR "A..." "B..."
row() {
  local a b
  read -ra a <<<"$4"
  read -ra b <<<"$5"
  printf '%s{"name":"%s","goal":"%s","dir":"%s","env":%s,"a":%s,"b":%s}' \
    "${comma:-}" "$1" "$2" "$3" "$(json_list "${environment[@]}")" "$(json_list "${a[@]}")" "$(json_list "${b[@]}")"
  comma=,
}

bin="$work/bin"
say "measuring"
{
  printf '['
  row "5 files, 200 lines" "CPU at most 3 x, peak under 30 MiB" "$work/small" "$bin/dormouse context --json" "$bin/benchempty"
  row "5 files, 200 lines" "CPU at most 3 x" "$work/small" "$bin/dormouse status" "$bin/benchempty"
  row "10,000 notes, no index" "no more than B, peak under 30 MiB" "$work/large" "$bin/dormouse context --json" "$bin/benchref $large_store 140"
  printf ']'
} | "$bin/benchrun" -n "${N:-40}"
