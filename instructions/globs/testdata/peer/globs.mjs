// Answers what the npm packages that the client uses make of patterns. Standard
// input has JSON, one a line: ["ignore", [pattern, ...], path] or
// ["picomatch", pattern, path]; the answer is true or false.
// Needs ignore@7.0.5 and picomatch@4 in GLOB_PEER/node_modules.
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const require = createRequire(join(process.env.GLOB_PEER, 'package.json'))
const ignore = require('ignore')
const picomatch = require('picomatch')

// The client drops patterns that the package cannot compile, one by one. The
// package compiles one that takes away only when it needs it, so ask without !.
const valid = p => {
  try {
    ignore().add([p.replace(/^!/, '').replace(/^[!#]/, '\\$&')]).ignores('x')
    return true
  } catch {
    return false
  }
}

const out = readFileSync(0, 'utf8').split('\n').filter(Boolean).map(line => {
  const [kind, what, path] = JSON.parse(line)
  if (kind === 'ignore') return ignore().add(what.filter(valid)).ignores(path)
  try {
    return picomatch.isMatch(path, what, { dot: true })
  } catch {
    return false
  }
})
process.stdout.write(out.join('\n') + '\n')
