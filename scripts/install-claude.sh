#!/usr/bin/env bash
# Installs the pinned client into the cache folder and prints the path of its
# program. Exit 75: it cannot be had here (no npm, no network, no build for this
# system); the reason is the last line on standard error. Exit 1: it should have
# worked and did not.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

unavailable=75

# The program lies in the platform package beside the named one, whose install
# script (which only copies it) is not run.
if ! platform=$(npm_platform); then
  say "no build of the client for $(uname -sm)"
  exit $unavailable
fi
if compgen -G '/lib/ld-musl-*' >/dev/null; then platform+=-musl; fi
program=claude
case "$platform" in win32*) program=claude.exe ;; esac

folder="$cache/claude-$CLAUDE_VERSION"
path="$folder/node_modules/@anthropic-ai/claude-code-$platform/$program"
if [ -x "$path" ]; then
  printf '%s\n' "$path"
  exit 0
fi

if ! need_npm; then
  say "npm is missing and could not be installed (that needs root and apt-get)"
  exit $unavailable
fi

log="$cache/claude-install.log"
# fail: out of reach, or truly wrong? A version that is not there, a broken
# download or a full disk must not pass as "no network".
fail() {
  tail -n 12 "$log" >&2
  local code
  code=$(npm_code "$log")
  case "$code" in
    E404 | ETARGET | EINTEGRITY | ENOSPC | EACCES | "")
      say "npm could not install @anthropic-ai/claude-code@$CLAUDE_VERSION: ${code:-see above}"
      exit 1
      ;;
  esac
  say "npm's registry is out of reach ($code)"
  exit $unavailable
}

# A question that costs nothing first: without a network npm's own retries around
# a 400 MB install take minutes.
npm_quiet view "@anthropic-ai/claude-code@$CLAUDE_VERSION" version \
  --fetch-retries=1 --fetch-timeout=20000 >"$log" 2>&1 || fail

say "installing @anthropic-ai/claude-code@$CLAUDE_VERSION (about 400 MB)"
# Beside its place and moved there whole: a run that is stopped half-way leaves
# nothing that looks installed.
part=$(mktemp -d "$cache/part.XXXXXX")
trap 'rm -rf "$part"' EXIT
npm_quiet install --prefix "$part" --no-save \
  "@anthropic-ai/claude-code@$CLAUDE_VERSION" >"$log" 2>&1 || fail
if [ ! -f "$part/${path#"$folder"/}" ]; then
  say "the client's package has no ${path#"$folder"/}: did its layout change?"
  exit 1
fi
chmod +x "$part/${path#"$folder"/}"
rm -rf "$folder"
mv "$part" "$folder"
rm -rf "$cache/npm/_cacache" # the same 400 MB once more
printf '%s\n' "$path"
