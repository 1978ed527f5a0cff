# Shared by the scripts here; sourced, never run.
# shellcheck shell=bash
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=scripts/versions.env
source scripts/versions.env

# Without a home Go has nowhere to put its caches.
if [ -z "${HOME:-}" ]; then
  HOME=$(mktemp -d)
  export HOME
fi

# Everything that is installed goes below this one folder.
cache="${XDG_CACHE_HOME:-$HOME/.cache}/dormouse-test"
mkdir -p "$cache"

say() { printf '%s\n' "$*" >&2; }

have() { command -v "$1" >/dev/null 2>&1; }

# apt_install PACKAGE...: installs Debian packages where that is possible at all;
# returns 1 where it is not, for the caller to say what goes without.
apt_install() {
  have apt-get && [ "$(id -u)" = 0 ] || return 1
  say "installing with apt-get: $*"
  local log="$cache/apt.log"
  # A bare machine has no package lists, an old one has lists of packages that
  # are gone: the second try covers both.
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >"$log" 2>&1 </dev/null && return 0
  apt-get update >"$log" 2>&1 </dev/null || true
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@" >>"$log" 2>&1 </dev/null && return 0
  tail -n 5 "$log" >&2
  return 1
}

# need_npm: makes sure that npm is there, or returns 1.
need_npm() { have npm || apt_install npm ca-certificates; }

# npm_platform: this system as npm's packages of programs name it, or returns 1.
npm_platform() {
  local system arch
  case "$(uname -s)" in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    MINGW* | MSYS* | CYGWIN*) system=win32 ;;
    *) return 1 ;;
  esac
  case "$(uname -m)" in
    x86_64 | amd64) arch=x64 ;;
    aarch64 | arm64) arch=arm64 ;;
    *) return 1 ;;
  esac
  printf '%s-%s' "$system" "$arch"
}

# npm_quiet ARGS...: npm that asks nothing, runs no package's scripts and
# writes nothing outside the cache folder.
npm_quiet() {
  npm_config_cache="$cache/npm" npm_config_update_notifier=false \
    npm "$@" --ignore-scripts --no-audit --no-fund --loglevel=error </dev/null
}

# npm_code LOG: the code of the error that npm wrote there, such as ENOTFOUND.
npm_code() { sed -En 's/^npm (error|ERR!) code //p' "$1" | head -n 1; }
