-- Asks for a page of 100 memories of one store after the other, at random.
local stores, per = tonumber(os.getenv("LOAD_STORES")), nil
local threads = 0
function setup(thread)
  thread:set("seed", threads)
  threads = threads + 1
end
function init()
  math.randomseed(tonumber(os.getenv("LOAD_SEED")) + seed)
  wrk.headers["X-Api-Key"] = os.getenv("LOAD_KEY")
  wrk.headers["anthropic-beta"] = "agent-memory-2026-07-22"
end
function request()
  return wrk.format("GET", string.format("/v1/memory_stores/memstore_%022d/memories?limit=100", math.random(0, stores - 1)))
end
local bad = 0
function response(status)
  if status ~= 200 then bad = bad + 1 end
end
