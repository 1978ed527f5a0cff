// Reads JSON strings, one a line, and answers what Bun's YAML reader makes of
// each: {"ok": value} or {"error": message}. Numbers come back as {"number": true}.
// Run with the `bun` program of the npm package of that name.
const lines = (await Bun.stdin.text()).split('\n').filter(Boolean)
const plain = (_, v) => (typeof v === 'number' ? { number: true } : v)
for (const line of lines) {
  let answer
  try {
    answer = JSON.stringify({ ok: Bun.YAML.parse(JSON.parse(line)) ?? null }, plain)
  } catch (e) {
    const cycle = String(e.message).includes('cyclic')
    answer = JSON.stringify(cycle ? { cycle: true } : { error: String(e.message ?? e) })
  }
  console.log(answer)
}
