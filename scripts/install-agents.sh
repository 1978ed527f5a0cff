#!/usr/bin/env bash
# Installs Codex CLI and Gemini CLI into the cache folder and prints one line of
# shell for each: export DORMOUSE_CODEX=... Exit 75: they cannot be had here (no
# npm, no network); the reason is the last line on standard error.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

unavailable=75

if ! need_npm; then
  say "npm is missing and could not be installed (that needs root and apt-get)"
  exit $unavailable
fi

# agent VARIABLE PACKAGE VERSION PROGRAM
agent() {
  local folder="$cache/agents/$4-$3" log="$cache/agent-$4.log" code
  if [ ! -x "$folder/node_modules/.bin/$4" ]; then
    say "installing $2@$3"
    local part
    part=$(mktemp -d "$cache/part.XXXXXX")
    if ! npm_quiet install --prefix "$part" --no-save --fetch-retries=1 --fetch-timeout=60000 "$2@$3" >"$log" 2>&1; then
      rm -rf "$part"
      tail -n 12 "$log" >&2
      code=$(npm_code "$log")
      case "$code" in
        E404 | ETARGET | EINTEGRITY | ENOSPC | EACCES | "")
          say "npm could not install $2@$3: ${code:-see above}"
          exit 1
          ;;
      esac
      say "npm's registry is out of reach ($code)"
      exit $unavailable
    fi
    rm -rf "$folder"
    mkdir -p "$(dirname "$folder")"
    mv "$part" "$folder"
  fi
  printf 'export %s=%q\n' "$1" "$folder/node_modules/.bin/$4"
}

agent DORMOUSE_CODEX @openai/codex "$CODEX_VERSION" codex
agent DORMOUSE_GEMINI @google/gemini-cli "$GEMINI_VERSION" gemini
rm -rf "$cache/npm/_cacache" # the same once more
