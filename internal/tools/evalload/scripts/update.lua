-- Puts another content in place of what a memory holds, if it still holds it. Each
-- thread has memories of its own, in random order, and the hashes of what each holds
-- now and is to hold; none comes twice.
local threads = 0
function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end
local lines = {}
function init()
  wrk.headers["X-Api-Key"] = os.getenv("LOAD_KEY")
  wrk.headers["anthropic-beta"] = "agent-memory-2026-07-22"
  wrk.headers["Content-Type"] = "application/json"
  for line in io.lines(os.getenv("LOAD_PLAN") .. "." .. number) do
    lines[#lines + 1] = line
  end
end
local at, pad = 0, string.rep("x", 1000)
function request()
  at = at % #lines + 1
  local i, before = lines[at]:match("(%d+) (%w+)")
  local store = math.floor(tonumber(i) / tonumber(os.getenv("LOAD_PER_STORE")))
  return wrk.format("POST", string.format("/v1/memory_stores/memstore_%022d/memories/mem_%022d", store, tonumber(i)), nil,
    string.format('{"content":"changed %s by %s %s","precondition":{"type":"content_sha256","content_sha256":"%s"}}', i, os.getenv("LOAD_RUN"), pad, before))
end
