#!/usr/bin/env bash
# The MCP server against what others wrote to check one: the public conformance
# suite, as far as it is about what this server has, and the inspector.
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

skip() {
  say "make test-mcp: skipped: $1"
  exit 0
}

need_npm || skip "npm is missing and could not be installed (that needs root and apt-get)"
platform=$(npm_platform) || skip "no node is built for this system"

# install FOLDER PACKAGE...
install() {
  local folder="$cache/$1" log="$cache/mcp-npm.log"
  shift
  [ -d "$folder/node_modules" ] && return 0
  say "installing $*"
  local part
  part=$(mktemp -d "$cache/part.XXXXXX")
  if ! npm_quiet install --prefix "$part" --no-save --fetch-retries=1 --fetch-timeout=60000 "$@" >"$log" 2>&1; then
    rm -rf "$part"
    tail -n 5 "$log" >&2
    return 1
  fi
  mv "$part" "$folder"
}

# Both need node 22.
node="node-$NODE_VERSION"
install "$node" "node-$platform@$NODE_VERSION" || skip "npm could not install node $NODE_VERSION"
tools="mcp-$MCP_CONFORMANCE_VERSION-$MCP_INSPECTOR_VERSION"
install "$tools" "@modelcontextprotocol/conformance@$MCP_CONFORMANCE_VERSION" "@modelcontextprotocol/inspector@$MCP_INSPECTOR_VERSION" ||
  skip "npm could not install the conformance suite and the inspector"
export PATH="$cache/$node/node_modules/node-$platform/bin:$PATH"
bin="$cache/$tools/node_modules/.bin"

work=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$work"' EXIT
mkdir -p "$work/home" "$work/project"
CGO_ENABLED=0 go build -o "$work/bin/" ./cmd/dormouse ./cmd/dormouse-mcp ./internal/tools/mcphttp
export HOME="$work/home" XDG_CACHE_HOME="$work/cache"
cd "$work"

failed=0

# What the suite has for a server of tools without images, prompts, resources,
# completion, sampling and elicitation. Its other scenarios call tools, prompts and
# resources that a server for tests has.
scenarios="server-initialize ping logging-set-level tools-list resources-list prompts-list server-sse-multiple-streams dns-rebinding-protection"
"$work/bin/mcphttp" --project "$work/project" >"$work/url" &
server=$!
for _ in $(seq 100); do
  [ -s "$work/url" ] && break
  sleep 0.1
done
for scenario in $scenarios; do
  if timeout 60 "$bin/conformance" server --url "$(cat "$work/url")" --scenario "$scenario" >"$work/log" 2>&1; then
    say "ok    conformance $scenario"
  else
    say "FAIL  conformance $scenario"
    tail -n 20 "$work/log" >&2
    failed=1
  fi
done

# inspect WANT ARGS...: what the inspector prints of dormouse mcp has WANT in it.
inspect() {
  local want=$1
  shift
  if timeout 60 "$bin/mcp-inspector" --cli "$work/bin/dormouse" mcp "$@" >"$work/log" 2>&1 && grep -qF -- "$want" "$work/log"; then
    say "ok    inspector $1 $2: $want"
  else
    say "FAIL  inspector $1 $2: no $want"
    tail -n 20 "$work/log" >&2
    failed=1
  fi
}
for tool in search read remember update forget status; do
  inspect "\"name\": \"$tool\"" --method tools/list
done
inspect 'Remembered prices.md' --method tools/call --tool-name remember --tool-arg "project=$work/project" --tool-arg name=prices --tool-arg 'text=Prices are integers in cents.'
inspect '| Prices are integers in cents.' --method tools/call --tool-name search --tool-arg "project=$work/project" --tool-arg 'query=how are prices kept'
inspect '| Prices are integers in cents.' --method tools/call --tool-name read --tool-arg "project=$work/project" --tool-arg note=prices

[ "$failed" = 0 ] || exit 1
say "the MCP server passes: conformance $MCP_CONFORMANCE_VERSION ($scenarios), inspector $MCP_INSPECTOR_VERSION"
