#!/usr/bin/env bash
# Installs the packages of other projects that tests compare with, one folder in
# the cache for each testdata/peer/package.json, and prints one line of shell for
# each: `export MARKED_PEER=...` for the peer named "marked-peer", or
# `skip "reason"`; and one that puts a newer node first in PATH where needed.
#
# The name of the variable comes from the "name" in package.json: upper case,
# with everything but letters and digits as an underscore.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

install() {
  local manifest=$1 name=$2 folder="$cache/peers/$2" log="$cache/peer-$2.log"
  local stamp="$folder/installed-package.json"
  # Installed before, from this very manifest.
  if cmp -s "$manifest" "$stamp"; then return 0; fi
  rm -rf "$folder"
  mkdir -p "$folder"
  cp "$manifest" "$folder/package.json"
  local lock
  lock="$(dirname "$manifest")/package-lock.json"
  if [ -f "$lock" ]; then cp "$lock" "$folder/"; fi
  npm_quiet install --prefix "$folder" --fetch-retries=1 --fetch-timeout=60000 >"$log" 2>&1 || return 1
  cp "$manifest" "$stamp"
}

# new_node prints the folder of a node that is new enough for the peers: nothing
# if the system's is.
new_node() {
  local major platform folder="$cache/node-$NODE_VERSION"
  major=$(node --version 2>/dev/null | sed 's/^v\([0-9]*\).*/\1/') || true
  [ "${major:-0}" -lt "$NODE_OLDEST" ] || return 0
  platform=$(npm_platform) || return 1
  local bin="$folder/node_modules/node-$platform/bin"
  if [ ! -x "$bin/node" ]; then
    npm_quiet install --prefix "$folder" --no-save "node-$platform@$NODE_VERSION" \
      --fetch-retries=1 >"$cache/node.log" 2>&1 || return 1
  fi
  printf '%s' "$bin"
}

manifests=()
while IFS= read -r manifest; do
  manifests+=("$manifest")
done < <(find . -path '*/testdata/peer/package.json' -not -path '*/node_modules/*' | sort)
[ ${#manifests[@]} -gt 0 ] || exit 0

if ! need_npm; then
  printf 'skip %q\n' "comparisons with ${#manifests[@]} peers written in JavaScript: npm is missing and could not be installed (that needs root and apt-get)"
  exit 0
fi
if ! bin=$(new_node); then
  printf 'skip %q\n' "comparisons with ${#manifests[@]} peers written in JavaScript: node is older than $NODE_OLDEST and npm could not install $NODE_VERSION, see $cache/node.log"
  exit 0
elif [ -n "$bin" ]; then
  printf 'export PATH=%q\n' "$bin:$PATH"
fi
for manifest in "${manifests[@]}"; do
  name=$(sed -n 's/^ *"name": *"\([^"]*\)".*/\1/p' "$manifest" | head -n 1)
  variable=$(printf '%s' "$name" | tr '[:lower:]' '[:upper:]' | tr -c 'A-Z0-9' '_')
  if [ -z "$name" ]; then
    say "$manifest has no \"name\" on a line of its own"
    exit 1
  elif install "$manifest" "$name"; then
    printf 'export %s=%q\n' "$variable" "$cache/peers/$name"
  else
    printf 'skip %q\n' "comparison with the peer $name: npm could not install it: $(npm_code "$cache/peer-$name.log"), see $cache/peer-$name.log"
  fi
done
