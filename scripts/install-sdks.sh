#!/usr/bin/env bash
# Installs the TypeScript SDKs that the server's contract tests ask by, one folder in
# the cache for each version, and prints one line of shell for each: `export
# DORMOUSE_TS_SDK_0=folder`, or `skip "reason"`; and one that puts a newer node first
# in PATH where needed.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# install FOLDER PACKAGE: nothing to do, if it was done before.
install() {
  local folder="$cache/$1" log="$cache/sdk-npm.log" part
  [ -d "$folder/node_modules" ] && return 0
  say "installing $2"
  part=$(mktemp -d "$cache/part.XXXXXX")
  if ! npm_quiet install --prefix "$part" --no-save --fetch-retries=1 --fetch-timeout=60000 "$2" >"$log" 2>&1; then
    rm -rf "$part"
    return 1
  fi
  rm -rf "$folder"
  mv "$part" "$folder"
}

why="the server asked by the SDKs in TypeScript"
if ! need_npm; then
  printf 'skip %q\n' "$why: npm is missing and could not be installed (that needs root and apt-get)"
  exit 0
fi
major=$(node --version 2>/dev/null | sed 's/^v\([0-9]*\).*/\1/') || true
if [ "${major:-0}" -lt "$NODE_OLDEST" ]; then
  if ! platform=$(npm_platform) || ! install "node-$NODE_VERSION" "node-$platform@$NODE_VERSION"; then
    printf 'skip %q\n' "$why: node is older than $NODE_OLDEST and npm could not install $NODE_VERSION"
    exit 0
  fi
  printf 'export PATH=%q\n' "$cache/node-$NODE_VERSION/node_modules/node-$platform/bin:$PATH"
fi
for generation in 0 1; do
  version="ANTHROPIC_TS_${generation}_VERSION"
  version=${!version}
  if install "ts-sdk-$version" "@anthropic-ai/sdk@$version"; then
    printf 'export DORMOUSE_TS_SDK_%s=%q\n' "$generation" "$cache/ts-sdk-$version/node_modules/@anthropic-ai/sdk"
  else
    printf 'skip %q\n' "$why: npm could not install @anthropic-ai/sdk $version: $(npm_code "$cache/sdk-npm.log"), see $cache/sdk-npm.log"
  fi
done
